import { readFileSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SessionRecord, StateText, Store } from "@agents/schema/port";
import type { DocumentTurn, SessionDocument } from "@agents/schema/wire";
import { createMemoryStore } from "@agents/store-memory";
import { describe, expect, it } from "vitest";
import { createWorld, transcript, without } from "../../test/agent-world.ts";
import { doing, talkativeAgent } from "../../test/talkative-agent.ts";
import { copySession, exportSession, importSession } from "../index.ts";

/** Three turns in a row: a whole state and two patches. */
async function talk() {
  const world = createWorld();
  const agent = talkativeAgent(world.agents);
  for (const text of ["one", "two", "three"]) await agent.run(doing({ say: [text] }), { sessionId: "s" });
  return { ...world, agent };
}

async function documentOf(): Promise<SessionDocument> {
  return await exportSession((await talk()).store, { sessionId: "s" });
}

/** The store, its exports changed on the way out. */
function damaged(store: Store, change: (record: SessionRecord<StateText>) => SessionRecord<StateText>): Store {
  const { index } = store as Required<Store>;
  return {
    ...store,
    index: {
      ...index,
      async exportSession(caller, sessionId) {
        const record = await index.exportSession(caller, sessionId);
        return record && change(record);
      },
    },
  };
}

describe("exportSession", () => {
  it("gives one JSON file, from which another store goes on", async () => {
    const directory = await mkdtemp(join(tmpdir(), "session-"));
    const file = join(directory, "session.json");
    writeFileSync(file, JSON.stringify(await documentOf(), null, 2));
    const { store, another } = createWorld();
    const document: unknown = JSON.parse(readFileSync(file, "utf8"));
    await rm(directory, { recursive: true });
    expect(await importSession(store, document)).toEqual({ sessionId: "s", turns: 3, events: 6 });
    const { snapshotId } = await talkativeAgent(another()).run(doing({ say: ["four"] }), { sessionId: "s" });
    const { state } = await talkativeAgent(another()).getSnapshot(snapshotId as string);
    expect(transcript(state?.messages).filter((line) => line.startsWith("model"))).toEqual([
      "model: one",
      "model: two",
      "model: three",
      "model: four",
    ]);
  });

  it("rejects with NOT_FOUND for a session that the caller does not have", async () => {
    const { store } = await talk();
    const elsewhere = exportSession(store, { sessionId: "s", caller: { scope: "elsewhere" } });
    await expect(elsewhere).rejects.toMatchObject({ status: "NOT_FOUND" });
  });

  it("rejects while a turn is live, and names it", async () => {
    const { store, agents } = createWorld();
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const slow = agents.defineCustomAgent({ name: "slow" }, async (session) => {
      await session.run(() => held);
      return session.result();
    });
    const stream = slow.streamText("hi", { sessionId: "s" });
    const turnId = (await stream.turnId()) as string;
    const attempt = exportSession(store, { sessionId: "s" });
    await expect(attempt).rejects.toMatchObject({ status: "FAILED_PRECONDITION", details: { live: [turnId] } });
    await expect(attempt).rejects.toThrow(turnId);
    release();
    await stream.output();
    await exportSession(store, { sessionId: "s" });
  });

  it("rejects with DATA_LOSS for a state that is not what was saved, and names the snapshot", async () => {
    const { store } = await talk();
    const { items } = await store.index.listTurns({ scope: "" }, "s", { limit: 10 });
    const attempt = exportSession(
      damaged(store, (record) => JSON.parse(JSON.stringify(record).replaceAll("two", "2wo"))),
      { sessionId: "s" },
    );
    await expect(attempt).rejects.toMatchObject({ status: "DATA_LOSS", details: { snapshotId: items[1]?.snapshotId } });
  });

  it.each([
    ["exportSession", (store: Store) => exportSession(store, { sessionId: "s" })],
    ["importSession", async (store: Store) => importSession(store, await documentOf())],
  ])("says that %s needs the part index", async (_, use) => {
    const store = without(createMemoryStore(), "index");
    await expect(use(store)).rejects.toMatchObject({ status: "FAILED_PRECONDITION", details: { part: "index" } });
  });
});

describe("importSession", () => {
  it("rejects with ALREADY_EXISTS where the session is, and changes nothing", async () => {
    const { store, agent } = await talk();
    const document = await exportSession(store, { sessionId: "s" });
    await agent.run(doing({ say: ["four"] }), { sessionId: "s" });
    await expect(importSession(store, document)).rejects.toMatchObject({ status: "ALREADY_EXISTS" });
    expect((await exportSession(store, { sessionId: "s" })).turns).toHaveLength(4);
  });

  it("rejects a document of a newer version, naming both", async () => {
    const document = { ...(await documentOf()), version: 2 };
    const attempt = importSession(createMemoryStore(), document);
    await expect(attempt).rejects.toMatchObject({ status: "FAILED_PRECONDITION" });
    await expect(attempt).rejects.toThrow(/version 2; this package reads up to 1/);
  });

  it("rejects with DATA_LOSS where a state is not what its hash says", async () => {
    const document = await documentOf();
    const text = JSON.stringify(document).replace(/"text":"two"/, '"text":"2wo"');
    const attempt = importSession(createMemoryStore(), JSON.parse(text));
    const { snapshotId } = document.turns[1] as DocumentTurn;
    await expect(attempt).rejects.toMatchObject({ status: "DATA_LOSS", details: { snapshotId } });
  });

  it.each(["text", null, 7, [], {}, { format: "other" }])("rejects %j, which is no session document", async (value) => {
    const attempt = importSession(createMemoryStore(), value);
    await expect(attempt).rejects.toMatchObject({ status: "INVALID_ARGUMENT" });
    await expect(attempt).rejects.toThrow(/format/);
  });

  type Change = (document: SessionDocument & { turns: DocumentTurn[] }) => void;
  const turn = (document: SessionDocument, index: number) => document.turns[index] as DocumentTurn;
  const set = (target: object, change: object) => void Object.assign(target, change);
  it.each<[string, string, Change]>([
    ["a session without id", "/session/sessionId", ({ session }) => set(session, { sessionId: " " })],
    ["a live turn", "/turns/0/status", (it) => set(turn(it, 0), { status: "pending" })],
    ["a turn twice", "/turns/1/snapshotId", (it) => set(turn(it, 1), { snapshotId: turn(it, 0).snapshotId })],
    ["a turn with a path for an id", "/turns/0/snapshotId", (it) => set(turn(it, 0), { snapshotId: "../../x" })],
    ["a turn of another session", "/turns/0/snapshotId", (it) => set(turn(it, 0), { snapshotId: "00000000.a" })],
    ["turns out of order", "/turns/1/ordinal", (it) => set(turn(it, 1), { ordinal: 1 })],
    ["a negative ordinal", "/turns/0/ordinal", (it) => set(turn(it, 0), { ordinal: -1 })],
    ["a fraction for an epoch", "/turns/0/epoch", (it) => set(turn(it, 0), { epoch: 1.5 })],
    ["a parent that is the child", "/turns/1/parentId", (it) => set(turn(it, 1), { parentId: turn(it, 1).snapshotId })],
    ["a parent that comes later", "/turns/1/parentId", (it) => set(turn(it, 1), { parentId: turn(it, 2).snapshotId })],
    ["a head that is not there", "/session/headId", ({ session }) => set(session, { headId: "0.gone" })],
    ["an event that is missing", "/turns/0/events/0/event/seq", (it) => void turn(it, 0).events.shift()],
    ["an event too few", "/turns/0/lastSeq", (it) => void turn(it, 0).events.pop()],
    [
      "an event of another turn",
      "/turns/0/events/0/event/turnId",
      (it) => set(turn(it, 0).events[0]?.event ?? {}, { turnId: "x" }),
    ],
    ["an event of a later epoch", "/turns/0/events/0/epoch", (it) => set(turn(it, 0).events[0] ?? {}, { epoch: 2 })],
    ["a patch without a base", "/turns/1/state/patch", (it) => void delete it.turns[0]?.state],
    [
      "a patch that does not apply",
      "/turns/1/state/patch",
      (it) => set(turn(it, 1).state ?? {}, { patch: [{ op: "remove", path: "/x" }] }),
    ],
    [
      "a patch to a prototype",
      "/turns/1/state/patch",
      (it) => set(turn(it, 1).state ?? {}, { patch: [{ op: "add", path: "/__proto__/x", value: 1 }] }),
    ],
    [
      "a patch that makes no message",
      "/turns/1/state",
      (it) => set(turn(it, 1).state ?? {}, { patch: [{ op: "add", path: "/messages/-", value: { role: 7 } }] }),
    ],
    [
      "a patch that leaves no messages",
      "/turns/1/state",
      (it) => set(turn(it, 1).state ?? {}, { patch: [{ op: "replace", path: "/messages", value: 7 }] }),
    ],
    [
      "a patch that renames the session",
      "/turns/1/state",
      (it) => set(turn(it, 1).state ?? {}, { patch: [{ op: "replace", path: "/sessionId", value: "x" }] }),
    ],
    ["a state that is none", "/turns/0/state", (it) => set(turn(it, 0), { state: { hash: "0".repeat(64), full: [] } })],
    ["a hash that is none", "/turns/0/state/hash", (it) => set(turn(it, 0).state ?? {}, { hash: "abc" })],
    [
      "a result that is none",
      "/turns/0/result/finishReason",
      (it) => set(turn(it, 0), { result: { finishReason: "maybe" } }),
    ],
    ["a number for a fingerprint", "/turns/0/fingerprint", (it) => set(turn(it, 0), { fingerprint: 1 })],
    ["no list of turns", "/turns", (it) => set(it, { turns: {} })],
  ])("rejects %s, at %s, and writes nothing", async (_, path, change) => {
    const document = structuredClone(await documentOf()) as Parameters<Change>[0];
    change(document);
    const store = createMemoryStore();
    const attempt = importSession(store, document);
    await expect(attempt).rejects.toMatchObject({ status: "INVALID_ARGUMENT" });
    await expect(attempt).rejects.toThrow(path);
    expect((await store.index.listSessions({ scope: "" }, { limit: 1 })).items).toEqual([]);
  });

  it("rejects what is nested too deeply before it looks at it", async () => {
    const document = await documentOf();
    let deep: unknown = 0;
    for (let level = 0; level < 2_000; level++) deep = [deep];
    const attempt = importSession(createMemoryStore(), {
      ...document,
      session: { ...document.session, metadata: deep },
    });
    await expect(attempt).rejects.toThrow(/deep/);
  });
});

describe("copySession", () => {
  it("leaves the original, and gives the copy to whom it is for", async () => {
    const { store } = await talk();
    const toCaller = { scope: "elsewhere", owner: "somebody" };
    expect(await copySession(store, store, { sessionId: "s", toCaller })).toMatchObject({ turns: 3 });
    const copy = await exportSession(store, { sessionId: "s", caller: toCaller });
    expect(copy.session.owner).toBe("somebody");
    expect((await exportSession(store, { sessionId: "s" })).session.owner).toBeUndefined();
  });

  it("chooses anew between patch and checkpoint, so that loading reads no more than it would have", async () => {
    const { store, agent } = await talk();
    for (let turn = 0; turn < 40; turn++) await agent.run(doing({ say: ["x".repeat(50)] }), { sessionId: "s" });
    const to = createMemoryStore();
    // As a store would give it that keeps no chains.
    const whole = damaged(store, (record) => {
      const states = new Map<string, unknown>();
      return { ...record, turns: record.turns.map((each) => ({ ...each, ...fullContent(each, states) })) };
    });
    await copySession(whole, to, { sessionId: "s" });
    const figures = async (of: Store) =>
      (await (of as Required<Store>).index.exportSession({ scope: "" }, "s"))?.turns.map(({ turn }) => turn.state);
    expect(await figures(to)).toEqual(await figures(store));
  });
});

function fullContent(
  { turn, content }: SessionRecord<StateText>["turns"][number],
  states: Map<string, unknown>,
): { content: StateText } | object {
  if (content === undefined) return {};
  const parsed = JSON.parse(content.json) as { value: unknown }[];
  const base = states.get(turn.parentId ?? "") as { messages: unknown[] };
  const state =
    content.kind === "full" ? parsed : { ...base, messages: [...base.messages, ...parsed.map(({ value }) => value)] };
  states.set(turn.snapshotId, state);
  return { content: { kind: "full", json: JSON.stringify(state) } };
}
