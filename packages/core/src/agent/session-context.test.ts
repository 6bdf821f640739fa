import { setImmediate, setTimeout } from "node:timers/promises";
import { AgentError } from "@agents/schema/error";
import { collect } from "@agents/testing";
import { describe, expect, it } from "vitest";
import { createGate, createWorld, model, transcript } from "../../test/agent-world.ts";
import { type AgentSession, type AgentTurn, currentSession, currentTurn } from "../index.ts";

interface Custom {
  notes: string[];
}

/** Some calls below the agent's own code, in a library that was given nothing. */
async function note(text: string, depth = 5): Promise<void> {
  if (depth > 0) {
    await setImmediate();
    return note(text, depth - 1);
  }
  currentSession<Custom>().updateCustom((draft) => void draft.notes.push(text));
}

function caught(call: () => unknown): unknown {
  try {
    return call();
  } catch (error) {
    return error;
  }
}

const outside = (call: string) =>
  expect.objectContaining({ status: "FAILED_PRECONDITION", message: expect.stringContaining(call) });

describe("currentSession and currentTurn", () => {
  it("are the session and the turn that the code works for, several calls deep and across awaits and timers", async () => {
    const { agents } = createWorld();
    const found: (AgentSession | AgentTurn)[] = [];
    const mine: (AgentSession | AgentTurn)[] = [];
    const look = (): void => void found.push(currentSession(), currentTurn());
    const agent = agents.defineCustomAgent({ name: "a" }, async (session) => {
      await session.run(async (_input, turn) => {
        mine.push(session as AgentSession, turn);
        const deep = (depth: number): void => (depth === 0 ? look() : deep(depth - 1));
        deep(20);
        await setImmediate().then(look);
        await setTimeout(0).then(look);
        await Promise.all([Promise.resolve().then(look), new Promise<void>((done) => queueMicrotask(done)).then(look)]);
      });
    });
    expect(await agent.runText("hi")).toMatchObject({ finishReason: "stop" });
    const [session, turn] = mine;
    expect(found).toHaveLength(10);
    for (const [index, one] of found.entries()) expect(one).toBe(index % 2 === 0 ? session : turn);
  });

  it("are those of each session where many run at once", async () => {
    const { agents } = createWorld();
    const gate = createGate();
    const agent = agents.defineCustomAgent<Custom>({ name: "a", initialCustom: { notes: [] } }, async (session) => {
      await session.run(async (input, turn) => {
        const text = input.message?.content[0]?.text ?? "";
        await gate.wait();
        await note(text);
        await gate.wait();
        await note(`${currentTurn().snapshotId === turn.snapshotId} ${currentSession().sessionId}`);
      });
    });
    const sessions = Array.from({ length: 20 }, (_, index) => `session ${index}`);
    const outputs = sessions.map((sessionId) => agent.runText(`of ${sessionId}`, { sessionId }));
    for (let n = 0; n < 2 * sessions.length; n++) {
      await gate.reached();
      gate.open();
    }
    await Promise.all(outputs);
    for (const sessionId of sessions) {
      const { state } = await agent.getLatestSnapshot(sessionId);
      expect(state?.custom).toEqual({ notes: [`of ${sessionId}`, `true ${sessionId}`] });
    }
  });

  it("let nested code change the session: its patch is streamed and its change stored", async () => {
    const { agents } = createWorld();
    const agent = agents.defineCustomAgent<Custom>({ name: "a", initialCustom: { notes: [] } }, async (session) => {
      await session.run(async () => {
        await note("one");
        await note("two");
        currentSession().addMessages(model("noted"));
      });
    });
    const stream = agent.streamText("hi");
    const patches = (await collect(stream)).flatMap(({ customPatch }) => customPatch ?? []);
    expect(patches).toEqual([
      { op: "replace", path: "", value: { notes: ["one"] } },
      { op: "add", path: "/notes/1", value: "two" },
    ]);
    const { state } = await agent.getSnapshot((await stream.output()).snapshotId as string);
    expect(state?.custom).toEqual({ notes: ["one", "two"] });
    expect(transcript(state?.messages)).toEqual(["user: hi", "model: noted"]);
  });

  it("are the inner agent's inside of an agent that a turn calls, and one's own again afterwards", async () => {
    const { agents } = createWorld();
    const seen: string[] = [];
    const look = (): void => void seen.push(`${currentSession().sessionId} ${currentTurn().turnIndex}`);
    const inner = agents.defineCustomAgent({ name: "inner" }, async (session) => session.run(async () => look()));
    const outer = agents.defineCustomAgent({ name: "outer" }, async (session) => {
      await session.run(async () => {
        look();
        await inner.runText("in", { sessionId: "inner" });
        look();
      });
    });
    await outer.runText("out", { sessionId: "outer" });
    expect(seen).toEqual(["outer 0", "inner 0", "outer 0"]);
  });

  it("change from turn to turn of one invocation", async () => {
    const { agents } = createWorld();
    const seen: unknown[] = [];
    const agent = agents.defineCustomAgent({ name: "a" }, async (session) => {
      await session.run(async () => {
        await setImmediate();
        seen.push(currentTurn().snapshotId, currentTurn().turnIndex);
      });
    });
    const connection = agent.connect();
    for (const text of ["1", "2"]) await connection.sendText(text);
    const { snapshotIds = [] } = await connection.output();
    expect(seen).toEqual([snapshotIds[0], 0, snapshotIds[1], 1]);
  });

  it("throw FAILED_PRECONDITION outside, and currentTurn also between the turns of an agent's function", async () => {
    const { agents } = createWorld();
    const seen: unknown[] = [];
    const look = (): void =>
      void seen.push(
        caught(() => currentSession().sessionId),
        caught(currentTurn),
      );
    const agent = agents.defineCustomAgent({ name: "a" }, async (session) => {
      look();
      await session.run(async () => {});
      look();
    });
    await agent.runText("hi", { sessionId: "s" });
    expect(seen).toEqual(["s", outside("currentTurn()"), "s", outside("currentTurn()")]);
    seen.length = 0;
    look();
    expect(seen).toEqual([outside("currentSession()"), outside("currentTurn()")]);
    expect(seen.every(AgentError.is)).toBe(true);
  });

  it("give code that runs on after the invocation a session that cannot be changed any more", async () => {
    const { agents, clock } = createWorld();
    const gate = createGate();
    let late: unknown;
    const agent = agents.defineCustomAgent<Custom>({ name: "a", initialCustom: { notes: [] } }, async (session) => {
      await session.run(async () => {
        void gate
          .wait()
          .then(() => note("too late"))
          .catch((error: unknown) => {
            late = error;
          });
      });
    });
    const { snapshotId } = await agent.runText("hi");
    gate.open();
    await clock.advance(0);
    for (let n = 0; n < 10; n++) await setImmediate();
    expect(late).toMatchObject({ status: "FAILED_PRECONDITION", message: expect.stringContaining("has ended") });
    expect((await agent.getSnapshot(snapshotId as string)).state?.custom).toEqual({ notes: [] });
  });
});
