import type { AgentChunk, AgentOutput, FinishReason } from "@agents/schema/agent";
import type { TurnMeta } from "@agents/schema/port";
import { createMemoryStore } from "@agents/store-memory";
import { collect } from "@agents/testing";
import { describe, expect, it } from "vitest";
import { model, transcript } from "../../test/agent-world.ts";
import { createRandom, lossyStore, pause, type Random } from "../../test/lossy-store.ts";
import { type Agent, type Concurrency, createAgents, NO_TELEMETRY } from "../index.ts";

type Kind = "stream" | "abort" | "signal" | "detach";
const KINDS: readonly Kind[] = ["stream", "abort", "signal", "detach"];
const HERE = { scope: "" };

/** What became of one send, as its sender was told. */
interface Sent {
  readonly text: string;
  readonly kind: Kind;
  turnId?: string | undefined;
  output?: AgentOutput;
  chunks?: readonly AgentChunk[];
  abortStatus?: string | undefined;
  refused?: unknown;
}

interface World {
  readonly random: Random;
  /** Two processes on a store that is far away. */
  readonly agents: readonly Agent[];
  /** Sees the store as it is. */
  readonly reader: Agent;
  rows(): Promise<readonly TurnMeta[]>;
}

function open(seed: number, concurrency: Concurrency, loss: number): World {
  const random = createRandom(seed);
  const base = createMemoryStore();
  const lease = { heartbeatMs: 2_000, expiryMs: 10_000 };
  const define = (store = lossyStore(base, { random, loss })) =>
    createAgents({
      store,
      telemetry: NO_TELEMETRY,
      pollMs: 20,
      log: { flushMs: 3, batchSize: 3 },
      lease,
    }).defineCustomAgent({ name: "a", concurrency }, async (session, { sendChunk, abortSignal }) => {
      await session.run(async (input) => {
        const text = input.message?.content[0]?.text ?? "";
        await sendChunk({ modelChunk: { content: [{ text: `on ${text}` }] } });
        await pause(random, 10);
        abortSignal.throwIfAborted();
        session.addMessages(model(`re: ${text}`));
        await sendChunk({ status: `at ${text}` });
        if (text.endsWith("bad")) throw new Error("it broke");
      });
      return session.result();
    });
  const rows = async () => {
    if ((await base.index.getSession(HERE, "s")) === undefined) return [];
    return (await base.index.listTurns(HERE, "s", { limit: 1_000 })).items;
  };
  return { random, agents: [define(), define()], reader: define(base), rows };
}

/** Sends, and then stops, leaves, or lets it run. */
async function send(world: World, sent: Sent): Promise<void> {
  const { random, agents } = world;
  const any = () => agents[Math.floor(random() * agents.length)] as Agent;
  await pause(random, 40);
  try {
    if (sent.kind === "detach") {
      const connection = any().connect({ sessionId: "s" });
      await connection.sendText(sent.text);
      await pause(random, 20);
      sent.output = await connection.detach();
      sent.turnId = sent.output.snapshotId;
      return;
    }
    const controller = new AbortController();
    const stream = any().streamText(sent.text, { sessionId: "s", signal: controller.signal });
    const chunks = collect(stream).catch(() => []);
    if (sent.kind === "signal") void pause(random, 40).then(() => controller.abort());
    sent.turnId = await stream.turnId();
    if (sent.kind === "abort" && sent.turnId !== undefined) {
      await pause(random, 20);
      sent.abortStatus = await abortUntilAnswered(any(), sent.turnId);
    }
    sent.output = await stream.output();
    sent.chunks = await chunks;
  } catch (error) {
    sent.refused = error;
  }
}

async function abortUntilAnswered(agent: Agent, turnId: string): Promise<string | undefined> {
  for (;;) {
    try {
      return (await agent.abort(turnId)).status;
    } catch (error) {
      expect(error).toMatchObject({ status: "UNAVAILABLE" });
    }
  }
}

const STATUS_TOLD: Partial<Record<FinishReason, string>> = { stop: "completed", aborted: "aborted", failed: "failed" };

/** Whether what the sender was told agrees with the row, the log and the session. */
async function check({ reader }: World, sent: Sent, row: TurnMeta | undefined, said: readonly string[]): Promise<void> {
  const { kind, output, chunks = [], abortStatus } = sent;
  if (sent.refused !== undefined)
    expect(sent.refused).toMatchObject({ name: expect.stringMatching(/^(AgentError|AbortError)$/) });
  if (output === undefined || row === undefined) return;
  if (kind === "detach" && output.finishReason !== "detached") return;
  if (kind !== "detach") {
    expect(row.status).toBe(STATUS_TOLD[output.finishReason]);
    if (abortStatus === "completed" || abortStatus === "failed") expect(row.status).toBe(abortStatus);
    if (abortStatus === "aborting") expect(row.status).toBe("aborted");
    const logged = (await collect(reader.follow(row.snapshotId))).map((frame) => "chunk" in frame && frame.chunk);
    // Whoever stopped the turn did not listen to its end.
    expect(kind === "signal" ? logged.slice(0, chunks.length) : logged).toEqual(chunks);
  }
  const isThere = said.includes(`model: re: ${sent.text}`);
  // Whoever left late was given a row of their own, behind the turn of the message.
  if (kind !== "detach" || row.status === "completed") expect(isThere).toBe(row.status === "completed");
}

async function run(seed: number, concurrency: Concurrency, loss: number): Promise<void> {
  const world = open(seed, concurrency, loss);
  const sends = Array.from({ length: 6 }, (_, n): Sent => {
    const kind = KINDS[Math.floor(world.random() * KINDS.length)] as Kind;
    return { text: `${n}${world.random() < 0.15 ? "bad" : ""}`, kind };
  });
  await Promise.all(sends.map((sent) => send(world, sent)));
  for (const { snapshotId } of await world.rows()) await world.reader.waitForSnapshot(snapshotId);
  const rows = new Map((await world.rows()).map((row) => [row.snapshotId, row]));
  const completed = [...rows.values()].filter(({ status }) => status === "completed");
  expect([...rows.values()].filter(({ status }) => status === "pending" || status === "aborting")).toEqual([]);
  if (concurrency === "fork") return;
  expect(new Set(completed.map(({ parentId }) => parentId)).size).toBe(completed.length);
  const head = completed.length === 0 ? undefined : await world.reader.getLatestSnapshot("s");
  if (head !== undefined) await world.reader.verifySnapshot(head.snapshotId);
  const said = transcript(head?.state?.messages);
  expect(new Set(said).size).toBe(said.length);
  for (const sent of sends) await check(world, sent, rows.get(sent.turnId ?? ""), said);
}

/** Sends at once from two processes: some are aborted, by id or by their sender, some are left, some fail. */
describe.each([0, 0.05])("on a store that is far away and loses so much of what is said: %d", (loss) => {
  it.each<Concurrency>(["reject", "queue", "interrupt", "fork"])(
    "every row ends, nothing forks or is lost, and what everybody was told agrees with row and log: %s",
    async (concurrency) => {
      for (let group = 0; group < 5; group++) {
        const seeds = Array.from({ length: 8 }, (_, n) => 1 + group * 8 + n);
        const failed = await Promise.all(
          seeds.map((seed) =>
            run(seed * 7919, concurrency, loss).then(
              () => undefined,
              (error: unknown) => ({ seed, error }),
            ),
          ),
        );
        const [first] = failed.filter((one) => one !== undefined);
        if (first !== undefined) throw new Error(`with seed ${first.seed}`, { cause: first.error });
      }
    },
    60_000,
  );
});
