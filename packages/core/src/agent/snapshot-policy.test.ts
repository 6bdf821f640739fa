import { collect } from "@agents/testing";
import { describe, expect, it } from "vitest";
import { createWorld, model, transcript } from "../../test/agent-world.ts";
import type { SnapshotDecision, SnapshotPolicy } from "../index.ts";

interface Custom {
  turns: number;
  after: boolean;
}

const FRESH: Custom = { turns: 0, after: false };

/** Counts its turns, fails "bad", and after its loop changes its state once more if the last message was "and after". */
function open(snapshot?: SnapshotPolicy<Custom>, options: object = {}) {
  const world = createWorld();
  const agent = world.agents.defineCustomAgent<Custom>(
    { name: "a", initialCustom: FRESH, ...(snapshot && { snapshot }), ...options },
    async (session) => {
      let after = false;
      await session.run(async (input) => {
        const text = input.message?.content[0]?.text;
        after = text === "and after";
        session.updateCustom((draft) => {
          draft.turns += 1;
        });
        session.addMessages(model(`re: ${text}`));
        if (text === "bad") throw new Error("it broke");
      });
      if (after)
        session.updateCustom((draft) => {
          draft.after = true;
        });
      return session.result();
    },
  );
  const rows = async () => (await agent.listSnapshots({ sessionId: "s" })).snapshots.toReversed();
  const head = async () => (await world.store.index.getSession({ scope: "" }, "s"))?.headId;
  const converse = async (...texts: string[]) => {
    const connection = agent.connect({ sessionId: "s" });
    for (const text of texts) await connection.sendText(text);
    connection.close();
    const ends = (await collect(connection.receive())).flatMap(({ turnEnd }) => (turnEnd ? [turnEnd] : []));
    return { output: await connection.output(), ends };
  };
  return { ...world, agent, rows, head, converse };
}

describe("by default", () => {
  it("every successful turn has a snapshot, and what changes after the loop is not persisted", async () => {
    const { agent, converse, rows, head } = open();
    const { output, ends } = await converse("1", "and after");
    const all = await rows();
    expect(all.map(({ stateHash }) => stateHash !== undefined)).toEqual([true, true]);
    expect(ends.map(({ snapshotId }) => snapshotId)).toEqual(all.map(({ snapshotId }) => snapshotId));
    expect(await head()).toBe(output.snapshotId);
    expect((await agent.getLatestSnapshot("s")).state?.custom).toEqual({ turns: 2, after: false });
  });

  it("a turn that fails has none", async () => {
    const { converse, rows } = open();
    await converse("bad");
    expect((await rows())[0]).not.toHaveProperty("stateHash");
  });
});

describe('"always"', () => {
  it("adds a child row of the last turn, with what changed after the loop", async () => {
    const { agent, converse, rows, head } = open("always");
    const { output, ends } = await converse("1", "and after");
    const all = await rows();
    expect(all.map(({ status }) => status)).toEqual(["completed", "completed", "completed"]);
    expect(all[2]).toMatchObject({ parentId: all[1]?.snapshotId, snapshotId: output.snapshotId, finishReason: "stop" });
    expect(output.snapshotIds).toEqual(all.map(({ snapshotId }) => snapshotId));
    expect(ends).toHaveLength(2);
    expect(await head()).toBe(output.snapshotId);
    expect((await agent.getLatestSnapshot("s")).state?.custom).toEqual({ turns: 2, after: true });
    await converse("3");
    expect((await rows())[3]).toMatchObject({ parentId: output.snapshotId });
  });

  it("adds none where nothing changed after the last turn", async () => {
    const { converse, rows } = open("always");
    await converse("1");
    expect(await rows()).toHaveLength(1);
  });
});

describe('"never", and a turn that is declined', () => {
  it("settles without state: the row says how it ended, the head does not move, nobody is given an id", async () => {
    const { agent, converse, rows, head } = open("never");
    const { output, ends } = await converse("1");
    const [row] = await rows();
    expect(row).toMatchObject({ status: "completed", finishReason: "stop" });
    expect(row).not.toHaveProperty("stateHash");
    expect((await agent.getSnapshot(row?.snapshotId as string)).state).toBeUndefined();
    expect(ends).toEqual([{ finishReason: "stop" }]);
    expect(output).toEqual({ sessionId: "s", finishReason: "stop", message: model("re: 1"), snapshotIds: [] });
    expect(await head()).toBeUndefined();
  });

  it("lets the next send continue from the head, as if it had not been", async () => {
    const { agent, converse, rows, head } = open(({ state }) => !transcript(state.messages).includes("user: unsaid"));
    const first = await converse("1");
    const declined = await converse("unsaid");
    expect(declined.ends).toEqual([{ finishReason: "stop" }]);
    expect(declined.output).toMatchObject({ snapshotId: first.output.snapshotId, snapshotIds: [] });
    expect(await head()).toBe(first.output.snapshotId);
    const next = await converse("2");
    expect((await rows())[2]).toMatchObject({ parentId: first.output.snapshotId });
    const { state } = await agent.getSnapshot(next.output.snapshotId as string);
    expect(transcript(state?.messages)).toEqual(["user: 1", "model: re: 1", "user: 2", "model: re: 2"]);
    expect(state?.custom).toEqual({ turns: 2, after: false });
  });

  it("is part of what a later turn of the same invocation stores", async () => {
    const { agent, converse, rows } = open(({ turnIndex }) => turnIndex === 1);
    const { output } = await converse("1", "2");
    expect((await rows()).map(({ stateHash }) => stateHash !== undefined)).toEqual([false, true]);
    const { state, parentId } = await agent.getSnapshot(output.snapshotId as string);
    expect(parentId).toBeUndefined();
    expect(transcript(state?.messages)).toEqual(["user: 1", "model: re: 1", "user: 2", "model: re: 2"]);
    expect(await agent.verifySnapshot(output.snapshotId as string)).toMatchObject({ status: "completed" });
  });
});

describe("a list of events", () => {
  it("with invocationEnd alone stores the whole invocation once, at its end", async () => {
    const { agent, converse, rows } = open(["invocationEnd"]);
    const { output, ends } = await converse("1", "and after");
    expect(ends).toEqual([{ finishReason: "stop" }, { finishReason: "stop" }]);
    expect((await rows()).map(({ stateHash }) => stateHash !== undefined)).toEqual([false, false, true]);
    expect(output.snapshotIds).toEqual([output.snapshotId]);
    const { state } = await agent.getSnapshot(output.snapshotId as string);
    expect(state?.custom).toEqual({ turns: 2, after: true });
    expect(transcript(state?.messages)).toHaveLength(4);
  });

  it("that is empty stores nothing", async () => {
    const { converse, rows } = open([]);
    const { output } = await converse("1", "and after");
    expect(output.snapshotIds).toEqual([]);
    expect((await rows()).some(({ stateHash }) => stateHash !== undefined)).toBe(false);
  });
});

describe("a function", () => {
  it("is asked at the end of each turn and of the invocation, with the state, the one stored before, and the turn", async () => {
    const asked: SnapshotDecision<Custom>[] = [];
    const { converse } = open((decision) => {
      asked.push(decision);
      return decision.turnIndex !== 1;
    });
    await converse("1", "2", "and after");
    const turns = (custom: Custom | undefined) => custom?.turns;
    expect(
      asked.map(({ event, turnIndex, state, previous }) => [
        event,
        turnIndex,
        turns(state.custom),
        turns(previous?.custom),
      ]),
    ).toEqual([
      ["turnEnd", 0, 1, undefined],
      ["turnEnd", 1, 2, 1],
      ["turnEnd", 2, 3, 1],
      ["invocationEnd", 2, 3, 3],
    ]);
    expect(asked[3]?.state).toMatchObject({ sessionId: "s", custom: { after: true } });
    expect(transcript(asked[0]?.state.messages)).toEqual(["user: 1", "model: re: 1"]);
  });

  it("knows what an earlier invocation has stored, and is given values that nobody can change", async () => {
    const asked: SnapshotDecision<Custom>[] = [];
    const { converse } = open((decision) => asked.push(decision) > 0);
    await converse("1");
    await converse("2");
    expect(asked[1]?.previous).toEqual(asked[0]?.state);
    expect(Object.isFrozen(asked[1]?.state.messages)).toBe(true);
  });

  it("is not asked about a turn that failed, nor about an end where nothing changed", async () => {
    const events: string[] = [];
    const { converse } = open(({ event }) => events.push(event) > 0);
    await converse("bad");
    await converse("1");
    expect(events).toEqual(["turnEnd"]);
  });
});

describe("a definition", () => {
  it.each([["sometimes"], [["turnStart"]], [["turnEnd", "sometimes"]], [true], [null], [{ turnEnd: true }]])(
    "with the policy %j is refused, and says what it may be",
    (policy) => {
      const { agents } = createWorld();
      expect(() => agents.defineCustomAgent({ name: "a", snapshot: policy as never }, async () => {})).toThrow(
        expect.objectContaining({
          status: "INVALID_ARGUMENT",
          message: expect.stringMatching(/Agent 'a': snapshot is .*"always", "never"/),
        }),
      );
      expect(agents.registry.list()).toEqual([]);
    },
  );
});
