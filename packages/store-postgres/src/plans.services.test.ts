import type {} from "@tooling/services";
import { Pool } from "pg";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { begun, CALLER, settleRequest, turn } from "../test/drive.ts";
import { makeTestSchema, type TestSchema } from "../test/test-schema.ts";
import type { PostgresStore } from "./index.ts";

const SESSIONS = 20_000;
const TURNS = 5_000;

let schema: TestSchema;
let store: PostgresStore;
let pool: Pool;
/** The plan of each statement, those within functions included. */
let plans: string[] = [];

beforeAll(async () => {
  schema = await makeTestSchema(inject("postgresUrl"));
  // Every plan is told to the client.
  const options = {
    session_preload_libraries: "auto_explain",
    "auto_explain.log_min_duration": "0",
    "auto_explain.log_nested_statements": "on",
    "auto_explain.log_level": "log",
    client_min_messages: "log",
  };
  pool = new Pool({
    connectionString: inject("postgresUrl"),
    max: 1,
    options: Object.entries(options)
      .map(([name, value]) => `-c ${name}=${value}`)
      .join(" "),
  });
  pool.on("connect", (client) => {
    client.on("notice", ({ message }) => {
      if (message?.includes("plan:")) plans.push(message.slice(message.indexOf("Query Text")));
    });
  });
  store = schema.store({ pool, notifications: "off" });
  // Plans are made while the tables are young, and kept.
  for (let index = 0; index < 12; index++) await everything(`young ${index}`);
  await fill();
});
afterAll(async () => {
  await schema.drop();
  await pool.end();
});

describe.each(["made while the tables were small", "made anew, with statistics"])("plans %s", (when) => {
  it("reads and writes through an index that fits, and sorts nothing of a table", async () => {
    if (when.startsWith("made anew")) {
      await schema.client.query("analyze");
      await pool.query("discard plans");
    }
    plans = [];
    await everything("big");
    expect(plans.length).toBeGreaterThan(40);
    for (const plan of plans) {
      expect(plan).not.toMatch(/(Seq|Bitmap Heap) Scan on (session|turn|event_batch)/);
      // Put in order is only what a chain gathered, and the leases of a call. Pages of an owner are merged.
      if (/(^|> {2}|\n)Sort {2}\(/.test(plan)) expect(plan).toMatch(/CTE Scan on chain|Function Scan on u/);
      const byId = /\.id = [^)]*\)/.test(plan) && !/session_id|POSIX/.test(plan);
      if (byId) expect(plan).not.toMatch(/using (session_by|session_unowned|session_archived|turn_by)/);
    }
  });
});

describe("pages", () => {
  it("cost the same wherever they are: what is read is the page", async () => {
    await schema.client.query("analyze");
    await pool.query("discard plans");
    const index = store.index;
    for (const list of [
      (page: object) => index.listSessions(CALLER, { limit: 50, ...page }),
      (page: object) => index.listSessions(CALLER, { limit: 50, agent: "agent 3", ...page }),
      (page: object) => index.listSessions(CALLER, { limit: 50, state: "archived", ...page }),
      (page: object) => index.listSessions({ ...CALLER, owner: "owner 7" }, { limit: 50, ...page }),
      (page: object) => index.listTurns(CALLER, "filled 1", { limit: 50, ...page }),
    ]) {
      const first = await list({});
      let cursor = first.cursor;
      for (let page = 0; page < 3 && cursor !== undefined; page++) {
        plans = [];
        cursor = (await list({ cursor })).cursor;
        expect(plans).toHaveLength(1);
        expect(plans[0]).toMatch(
          /Index Scan (Backward )?using (session_by_change|session_by_agent|session_by_owner|session_unowned|session_archived|turn_by_session)/,
        );
        // The position is a condition of the index, not a filter over what comes before it.
        expect(plans[0]).toMatch(/Index Cond: .*(ROW\(updated_at, id\) <|ord <)/);
      }
    }
  });
});

/** Each call of the port that a deployment makes often. */
async function everything(sessionId: string): Promise<void> {
  const first = await turn(store, sessionId);
  const { lease } = await begun(store, sessionId);
  await store.events.append(CALLER, lease, { batch: { firstSeq: 2, events: ["{}"] }, leaseMs: 60_000 });
  await store.turns.heartbeat([{ caller: CALLER, lease }], 60_000);
  await store.turns.claim(CALLER, lease.snapshotId, { writer: "w", leaseMs: 60_000, known: [] });
  await store.turns.requestAbort(CALLER, lease.snapshotId, STOP);
  await store.turns.settle(CALLER, lease, settleRequest('"done"', 3));
  await store.turns.read(CALLER, { snapshotId: first.snapshotId }, { known: [] });
  await store.turns.read(CALLER, { sessionId, among: ["completed", "pending"] }, { known: ["x"] });
  await store.events.readEvents(CALLER, lease.snapshotId, { after: { epoch: 1, seq: 0 }, limit: 10 });
  await store.index.getSession(CALLER, sessionId);
  await store.index.updateSession(CALLER, sessionId, { metadata: "{}" });
  await store.index.listSessions(CALLER, { limit: 20 });
  await store.index.listSessions({ ...CALLER, owner: "owner 7" }, { limit: 20 });
  await store.index.listTurns(CALLER, sessionId, { limit: 20 });
}

const STOP = { outcome: { status: "aborted", result: "{}", events: [] }, heads: [] } as const;

async function fill(): Promise<void> {
  const { client, quoted } = schema;
  await client.query(`insert into ${quoted}.session (scope, id, owner, agent, state, created_at, updated_at)
    select 'tenant', 'filled ' || n, nullif('owner ' || n % 50, 'owner 3'), 'agent ' || n % 20, case when n % 10 = 0 then 'archived' else 'active' end, n, n
      from generate_series(1, ${SESSIONS}) n`);
  await client.query(`insert into ${quoted}.turn (scope, id, session_id, ord, lease_until, created_at, updated_at, agent, status)
    select 'tenant', 'turn ' || n, 'filled ' || n % 10, n, n, n, n, 'agent', 'completed' from generate_series(1, ${TURNS}) n`);
  await client.query(`insert into ${quoted}.event_batch (scope, turn_id, last_seq, first_seq, epoch, body)
    select 'tenant', 'turn ' || n % 100, n, n, 1, '{}' from generate_series(1, ${TURNS}) n`);
}
