import { setImmediate } from "node:timers/promises";
import { AgentError } from "@agents/schema/error";
import type { Store } from "@agents/schema/port";
import { collect } from "@agents/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createWorld, model, transcript } from "../../test/agent-world.ts";

type Call = () => Promise<unknown>;

/** What a store may do with a call, the first time and every time. */
const TROUBLE: Record<string, (call: Call, times: number) => Promise<unknown>> = {
  "rejects once": (call, times) => (times === 0 ? Promise.reject(away()) : call()),
  "loses an answer once": async (call, times) => {
    const answer = await call();
    if (times === 0) throw away();
    return answer;
  },
  rejects: () => Promise.reject(away()),
  breaks: () => Promise.reject(new Error("broken")),
  "throws before it returns a promise": () => {
    throw new Error("thrown");
  },
  "never answers": () => new Promise(() => {}),
  "answers nothing": async () => undefined,
};

const away = () => new AgentError("UNAVAILABLE", "away");

/** The store with one method in trouble. */
function troubled(store: Store, method: string, trouble: string): Store {
  const [part, name] = method.split(".") as ["turns", "begin"];
  const methods = store[part] as unknown as Record<string, (...args: unknown[]) => Promise<unknown>>;
  let times = 0;
  const wrapped = (...args: unknown[]) => {
    const call = () => (methods[name] as (...args: unknown[]) => Promise<unknown>)(...args);
    return (TROUBLE[trouble] as (typeof TROUBLE)[string])(call, times++);
  };
  return { ...store, [part]: { ...store[part], [name]: wrapped } } as Store;
}

function open(method: string, trouble: string) {
  const world = createWorld();
  const store = troubled(world.store, method, trouble);
  const agent = world.agents.defineCustomAgent({ name: "a", store }, async (session, { sendChunk, abortSignal }) => {
    await session.run(async (input) => {
      await sendChunk({ modelChunk: { content: [{ text: "one" }] } });
      if (input.message?.content[0]?.text === "block") await new Promise((_, reject) => stopBy(abortSignal, reject));
      await sendChunk({ status: "stored before it is seen" });
      session.addMessages(model("re"));
    });
    return session.result();
  });
  /** Time goes on until the work has ended; two leases are enough for anything. */
  const inTime = async <T>(work: Promise<T>): Promise<T | "never"> => {
    let ended: Promise<T> | undefined;
    const note = () => {
      ended = work;
    };
    work.then(note, note);
    for (let step = 0; step < 40 && ended === undefined; step++) await world.clock.advance(5_000);
    return ended ?? "never";
  };
  return { ...world, agent, inTime };
}

function stopBy(signal: AbortSignal, stop: (reason: unknown) => void): void {
  signal.addEventListener("abort", () => stop(signal.reason), { once: true });
}

const unhandled: unknown[] = [];
const note = (error: unknown) => unhandled.push(error);
beforeEach(() => {
  unhandled.length = 0;
  process.on("unhandledRejection", note);
});
afterEach(async () => {
  await setImmediate();
  process.off("unhandledRejection", note);
  expect(unhandled).toEqual([]);
});

const METHODS = ["turns.begin", "turns.settle", "turns.heartbeat", "turns.read", "events.append", "hints.watch"];
const WRITES = ["turns.begin", "turns.settle", "events.append"];

describe.each(Object.keys(TROUBLE))("where a store %s", (trouble) => {
  it.each(METHODS)("a turn ends, and says how: %s", async (method) => {
    const { agent, inTime, store } = open(method, trouble);
    const output = await inTime(agent.runText("hi", { sessionId: "s" }));
    const harmless = trouble.endsWith("once") || !WRITES.includes(method);
    expect(output).toMatchObject({ finishReason: harmless ? "stop" : "failed" });
    if (harmless) {
      const row = await store.turns.read({ scope: "" }, { sessionId: "s", among: ["completed"] }, "meta");
      expect(row?.turn.status).toBe("completed");
    } else expect(output).toMatchObject({ error: { status: expect.stringMatching(/UNAVAILABLE|INTERNAL|ABORTED/) } });
  });

  it.each(METHODS)(
    "a turn that goes on for long ends when it is told to, and nobody is left waiting: %s",
    async (method) => {
      const { agent, inTime, clock } = open(method, trouble);
      const controller = new AbortController();
      const stream = agent.streamText("block", { sessionId: "s", signal: controller.signal });
      const chunks = collect(stream).catch(() => []);
      for (let beat = 0; beat < 6; beat++) await clock.advance(20_000);
      controller.abort();
      const output = await inTime(stream.output().catch((error) => error));
      expect(output).not.toBe("never");
      await chunks;
    },
  );
});

describe("a store that is in trouble for a while", () => {
  it("costs no message that was answered, and none is there twice", async () => {
    for (const method of WRITES) {
      for (const trouble of ["rejects once", "loses an answer once"]) {
        const { agent, inTime } = open(method, trouble);
        await inTime(agent.runText("first", { sessionId: "s" }));
        await inTime(agent.runText("second", { sessionId: "s" }));
        const { state } = await agent.getLatestSnapshot("s");
        expect(transcript(state?.messages)).toEqual(["user: first", "model: re", "user: second", "model: re"]);
      }
    }
  });
});
