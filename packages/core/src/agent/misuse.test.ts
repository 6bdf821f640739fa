import { setImmediate } from "node:timers/promises";
import { applyPatch, type PatchOperation } from "@agents/schema/patch";
import { collect } from "@agents/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createWorld, model, transcript } from "../../test/agent-world.ts";
import type { AgentCall, AgentFunction, AgentSession } from "../index.ts";

type Custom = { [member: string]: unknown };
type Turn = (session: AgentSession<Custom>, call: AgentCall<Custom>) => unknown;

/** What an agent in plain JavaScript might do. */
const wrong = (value: unknown) => value as never;
const cyclic: Custom = { a: 1 };
cyclic["self"] = cyclic;
let deep: Custom = {};
for (let level = 0; level < 20_000; level++) deep = { deep };

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

const KINDS = ["server", "client"] as const;

function open(stateManagement: (typeof KINDS)[number], run: AgentFunction<Custom>) {
  const world = createWorld();
  const options = { name: "a", stateManagement, initialCustom: { a: 1 } as Custom };
  return { ...world, agent: world.agents.defineCustomAgent(options, run) };
}

/** An agent whose turn is this. */
const turnOf = (turn: Turn): AgentFunction<Custom> => {
  return async (session, call) => {
    await session.run(async () => {
      session.addMessages(model("re"));
      await turn(session, call);
    });
  };
};

describe.each(KINDS)(
  "with state at the %s, a turn fails with INVALID_ARGUMENT, and nothing of it is kept, where",
  (kind) => {
    it.each<[string, Turn]>([
      ["a message is none", (session) => session.addMessages(wrong(5))],
      ["a message has no such role", (session) => session.addMessages(wrong({ role: "robot", content: [] }))],
      ["a message has no content", (session) => session.addMessages(wrong({ role: "model" }))],
      ["a part is none", (session) => session.addMessages(wrong({ role: "model", content: ["text"] }))],
      ["a history is none", (session) => session.setMessages(wrong(null))],
      ["a history holds what is no message", (session) => session.setMessages([...session.getMessages(), wrong(null)])],
      ["a message contains itself", (session) => session.addMessages(wrong({ role: "model", content: [cyclic] }))],
      ["an artifact is none", (session) => session.addArtifacts(wrong("doc"))],
      ["an artifact has no parts", (session) => session.setArtifacts([wrong({ name: "doc" })])],
      ["custom state contains itself", (session) => session.updateCustom(() => cyclic)],
      [
        "a draft is put into itself",
        (session) => session.updateCustom((draft) => void Object.assign(draft, { draft })),
      ],
      ["custom state is too deep", (session) => session.updateCustom(() => deep)],
      ["a draft becomes too deep", (session) => session.updateCustom((draft) => void Object.assign(draft, { deep }))],
      ["a copy of the draft is too deep", (session) => session.updateCustom((draft) => ({ ...draft, deep }))],
      ["a recipe is asynchronous", (session) => session.updateCustom(wrong(async () => ({ a: 2 })))],
      ["a chunk is none", (_, { sendChunk }) => sendChunk(wrong(null))],
      ["a chunk that nobody awaits is none", (_, { sendChunk }) => void sendChunk(wrong("text"))],
      ["a model chunk has no content", (_, { sendChunk }) => void sendChunk({ modelChunk: wrong({}) })],
      ["a chunk is a turnEnd, and nobody awaits it", (_, { sendChunk }) => void sendChunk({ turnEnd: wrong({}) })],
    ])("%s", async (_name, turn) => {
      const { agent } = open(kind, turnOf(turn));
      const output = await agent.runText("hi");
      expect(output).toMatchObject({ finishReason: "failed", error: { status: "INVALID_ARGUMENT" } });
      expect(output.error?.message).not.toMatch(/call stack|Cannot read/);
      if (kind === "client") expect(output.state).toMatchObject({ messages: [], artifacts: [], custom: { a: 1 } });
      else expect(output.snapshotIds).toEqual([]);
    });

    it("it reports a finish reason that there is not", async () => {
      const { agent } = open(kind, async (session) => {
        await session.run(async () => wrong({ finishReason: "finished" }));
      });
      const error = { status: "INVALID_ARGUMENT", details: { path: "/report/finishReason" } };
      expect(await agent.runText("hi")).toMatchObject({ finishReason: "failed", error });
    });
  },
);

describe.each(KINDS)("with state at the %s, what an agent's function returns", (kind) => {
  it.each<[string, unknown, string]>([
    ["a message that contains itself", { message: { role: "model", content: [cyclic] } }, "/result/message"],
    ["a message that is none", { message: "done" }, "/result/message/0"],
    ["artifacts that are no list", { artifacts: 5 }, "/result/artifacts"],
    ["an artifact that is none", { artifacts: [{ name: "a" }] }, "/result/artifacts/0"],
    ["a reason that there is not", { finishReason: "finished" }, "/result/finishReason"],
  ])("fails the invocation after its turn, which stays, where it is %s", async (_name, result, path) => {
    const { agent } = open(kind, async (session) => {
      await session.run(async () => session.addMessages(model("re")));
      return wrong(result);
    });
    const output = await agent.runText("hi", kind === "server" ? { sessionId: "s" } : {});
    expect(output).toMatchObject({ finishReason: "failed", error: { status: "INVALID_ARGUMENT" } });
    expect(output.error?.details).toMatchObject({ path: expect.stringContaining(path) });
    const { state } = kind === "server" ? await agent.getLatestSnapshot("s") : output;
    expect(transcript(state?.messages)).toEqual(["user: hi", "model: re"]);
  });

  it("is the caller's from then on: the agent cannot change it any more", async () => {
    const message = model("done");
    const { agent } = open(kind, async (session) => {
      await session.run(async () => {});
      return { message, artifacts: [{ name: "doc", parts: [{ text: "v1" }] }] };
    });
    const output = await agent.runText("hi");
    message.content[0] = { text: "changed" };
    expect(output.message).toEqual(model("done"));
    expect(Object.isFrozen(output.artifacts?.[0]?.parts)).toBe(true);
  });
});

describe.each(KINDS)("with state at the %s, session.run", (kind) => {
  it("is refused while it runs, also where nobody awaits the refusal", async () => {
    const { agent } = open(kind, async (session) => {
      const first = session.run(async () => {
        await setImmediate();
        session.addMessages(model("first"));
      });
      void session.run(async () => session.addMessages(model("second")));
      await expect(session.run(async () => {})).rejects.toMatchObject({ status: "FAILED_PRECONDITION" });
      await first;
      return session.result();
    });
    expect(await agent.runText("hi")).toMatchObject({ finishReason: "stop", message: model("first") });
  });

  it("is refused within its own callback, from the first instruction on", async () => {
    const { agent } = open(kind, async (session) => {
      await session.run(() => session.run(async () => {}));
    });
    const error = { status: "FAILED_PRECONDITION", message: expect.stringContaining("running already") };
    expect(await agent.runText("hi")).toMatchObject({ finishReason: "failed", error });
  });

  it("that nobody awaits is waited for, and its failure is the turn's", async () => {
    const { agent } = open(kind, async (session) => {
      void session.run(async () => {
        throw new Error("not awaited");
      });
      await setImmediate();
      await setImmediate();
    });
    expect(await agent.runText("hi")).toMatchObject({ finishReason: "failed", error: { message: "not awaited" } });
  });
});

describe("updateCustom within a recipe of updateCustom", () => {
  it("is refused: clients would see a change that the state does not have", async () => {
    const { agent } = open("server", async (session) => {
      await session.run(async () => {
        session.updateCustom((draft) => {
          draft["outer"] = 1;
          const inner = () => session.updateCustom(() => ({ inner: 1 }));
          expect(inner).toThrow(expect.objectContaining({ status: "FAILED_PRECONDITION" }));
        });
        session.updateCustom((draft) => void Object.assign(draft, { after: 1 }));
      });
    });
    const stream = agent.streamText("hi");
    let seen: unknown;
    for (const { customPatch } of await collect(stream))
      if (customPatch !== undefined) seen = applyPatch(seen, customPatch as PatchOperation[]);
    const { state } = await agent.getSnapshot((await stream.turnId()) as string);
    expect(state?.custom).toEqual({ a: 1, outer: 1, after: 1 });
    expect(seen).toEqual(state?.custom);
  });

  it("is allowed again after a recipe that threw", async () => {
    const { agent } = open("client", async (session) => {
      await session.run(async () => {
        const broken = () => {
          throw new Error("broken");
        };
        expect(() => session.updateCustom(broken)).toThrow("broken");
        session.updateCustom(() => ({ a: 2 }));
      });
    });
    expect((await agent.runText("hi")).state?.custom).toEqual({ a: 2 });
  });
});
