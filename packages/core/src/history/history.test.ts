import type { Message } from "@agents/schema/agent";
import { createScriptedModel, textReply } from "@agents/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createWorld, model, user } from "../../test/agent-world.ts";
import { callsTools, glance, toolSays } from "../../test/model-replies.ts";
import { defineTool, type HistoryPolicy, keepLastTurns, keepWithinTokens, summarizeHistory } from "../index.ts";

const signal = new AbortController().signal;
const shown = async (policy: HistoryPolicy, history: readonly Message[]) => glance(await policy(history, { signal }));
const turns = (count: number) =>
  Array.from({ length: count }, (_, index) => [user(`u${index}`), model(`m${index}`)]).flat();
const toolTurn = [
  user("t"),
  { role: "model" as const, content: [{ toolRequest: { name: "look", ref: "l" } }] },
  toolSays({ name: "look", ref: "l", output: 1 }),
  model("seen"),
];

describe("keepLastTurns", () => {
  it("shows the newest turns whole", async () => {
    expect(await shown(keepLastTurns(2), [...turns(3), ...toolTurn])).toEqual([
      "user: u2",
      "model: m2",
      "user: t",
      "model: look#l({})",
      "tool: look#l=1",
      "model: seen",
    ]);
  });

  it("shows all there is of a shorter one, and of one that begins without the user", async () => {
    expect(await shown(keepLastTurns(9), turns(2))).toHaveLength(4);
    expect(await shown(keepLastTurns(1), [model("hello")])).toEqual(["model: hello"]);
  });

  it.each([0, -1, 1.5, Number.NaN])("refuses %s turns", (count) => {
    expect(() => keepLastTurns(count)).toThrow(expect.objectContaining({ status: "INVALID_ARGUMENT" }));
  });
});

describe("keepWithinTokens", () => {
  const each = { count: () => 10 };

  it("shows as many of the newest turns as fit, and never less than one", async () => {
    expect(await shown(keepWithinTokens({ tokens: 45, ...each }), turns(5))).toEqual([
      "user: u3",
      "model: m3",
      "user: u4",
      "model: m4",
    ]);
    expect(await shown(keepWithinTokens({ tokens: 1, ...each }), turns(5))).toEqual(["user: u4", "model: m4"]);
    expect(await shown(keepWithinTokens({ tokens: 1_000 }), turns(5))).toHaveLength(10);
  });

  it("counts each message once", async () => {
    let counted = 0;
    const policy = keepWithinTokens({ tokens: 1_000, count: () => ++counted });
    const history = turns(5);
    await shown(policy, history);
    await shown(policy, history);
    expect(counted).toBe(10);
  });
});

describe("every policy", () => {
  it("cuts where a turn starts, and nowhere else", async () => {
    const policies = [keepLastTurns(2), keepWithinTokens({ tokens: 60 })];
    const turn = fc.constantFrom<readonly Message[]>([user("u"), model("m")], toolTurn);
    await fc.assert(
      fc.asyncProperty(fc.array(turn, { minLength: 1, maxLength: 8 }), fc.nat(1), async (list, which) => {
        const history = list.flat();
        const result = await (policies[which] as HistoryPolicy)(history, { signal });
        expect(result[0]?.role).toBe("user");
        expect(history.slice(-result.length)).toEqual(result);
      }),
    );
  });
});

describe("summarizeHistory", () => {
  it("shows a summary of old turns, made once for several turns in a row", async () => {
    const writer = createScriptedModel([textReply("they met"), textReply("they met and talked")]);
    const policy = summarizeHistory({ model: writer, keepTurns: 1, every: 2 });
    const history = turns(6);
    expect(await shown(policy, history.slice(0, 4))).toHaveLength(4);
    const summary = "user: Summary of the conversation so far:\nthey met";
    expect(await shown(policy, history.slice(0, 6))).toEqual([summary, "user: u2", "model: m2"]);
    expect(await shown(policy, history.slice(0, 8))).toEqual([
      summary,
      "user: u2",
      "model: m2",
      "user: u3",
      "model: m3",
    ]);
    expect(writer.requests).toHaveLength(1);
    expect((await shown(policy, history.slice(0, 10)))[0]).toMatch(/and talked/);
  });

  it("asks again after a summary that failed", async () => {
    const writer = createScriptedModel([{ error: new Error("away") }, textReply("they met")]);
    const policy = summarizeHistory({ model: writer, keepTurns: 1, every: 1 });
    const history = turns(2);
    await expect(shown(policy, history)).rejects.toThrow("away");
    expect((await shown(policy, history))[0]).toMatch(/they met/);
  });
});

describe("an agent with a policy", () => {
  it("sends what the policy shows and stores all of it", async () => {
    const { agents } = createWorld();
    const scripted = createScriptedModel([textReply("1"), callsTools({ name: "look", ref: "l" }), textReply("2")]);
    const agent = agents.defineAgent({
      name: "forgetful",
      model: scripted,
      system: "Be brief.",
      tools: [defineTool({ name: "look" }, () => 1)],
      history: keepLastTurns(1),
    });
    await agent.runText("a", { sessionId: "s" });
    await agent.runText("b", { sessionId: "s" });
    expect(glance(scripted.requests[2]?.messages)).toEqual([
      "system: Be brief.",
      "user: b",
      "model: look#l({})",
      "tool: look#l=1",
    ]);
    expect((await agent.getLatestSnapshot("s")).state?.messages).toHaveLength(6);
  });
});
