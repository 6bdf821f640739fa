import { setImmediate } from "node:timers/promises";
import type { AgentChunk } from "@agents/schema/agent";
import type { PositionedChunk, Restarted } from "@agents/schema/port";
import { collect } from "@agents/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createWorld } from "../../test/agent-world.ts";
import type { AgentCall, AgentSession, AgentsOptions, ClientTransform } from "../index.ts";

/** What a turn does, one after the other; what it does not wait for may go out while it is at the next. */
interface Step {
  readonly does: keyof typeof DO;
  readonly chunk: AgentChunk;
  readonly waits: boolean;
}

interface Doing extends Step {
  readonly session: AgentSession<{ n: unknown }>;
  readonly sendChunk: AgentCall["sendChunk"];
  readonly abort: () => void;
}

const DO = {
  async send({ sendChunk, chunk: sent, waits }: Doing) {
    const done = sendChunk(sent);
    if (waits) await done;
  },
  artifact: async ({ session, chunk: sent }: Doing) => session.addArtifacts({ parts: [{ data: sent }] }),
  custom: async ({ session, chunk: sent }: Doing) => session.updateCustom(() => ({ n: sent })),
  pause: async () => void (await setImmediate()),
  abort: async ({ abort }: Doing) => abort(),
  fail: () => Promise.reject(new Error("it broke")),
} as const;

/** Somebody who starts to follow before a step, with the position of one of the chunks that were seen by then. */
interface Join {
  readonly before: number;
  readonly position: number;
  readonly elsewhere: boolean;
}

/** As it reads after a trip through a log: JSON has one zero. */
const json = fc.json({ maxDepth: 2 }).map((text) => JSON.parse(JSON.stringify(JSON.parse(text))) as unknown);
const part = fc.oneof(
  fc.record({ text: fc.string({ unit: "grapheme" }) }),
  fc.record({ reasoning: fc.string() }),
  fc.record({ data: json }),
  fc.record({ toolRequest: fc.record({ name: fc.constant("t"), input: json }) }),
  fc.record({ toolResponse: fc.record({ name: fc.constant("t"), ref: fc.string(), output: json }) }),
);
const modelChunk = fc.record(
  { role: fc.constantFrom("model" as const, "tool" as const), content: fc.array(part, { maxLength: 3 }) },
  { requiredKeys: ["content"] },
);
const chunk = fc.oneof(
  { weight: 4, arbitrary: fc.record({ modelChunk }) },
  fc.record({ status: json }),
  fc.record({ ours: json, theirs: json }),
  fc.record({ modelChunk, status: json, other: json }),
) as fc.Arbitrary<AgentChunk>;

const step: fc.Arbitrary<Step> = fc.record({
  does: fc.oneof(
    { weight: 12, arbitrary: fc.constant("send" as const) },
    { weight: 6, arbitrary: fc.constantFrom("artifact" as const, "custom" as const, "pause" as const) },
    { weight: 1, arbitrary: fc.constantFrom("abort" as const, "fail" as const) },
  ),
  chunk,
  waits: fc.boolean(),
});
const join: fc.Arbitrary<Join> = fc.record({ before: fc.nat(20), position: fc.nat(40), elsewhere: fc.boolean() });
/** With a transform, every chunk takes a while to go out. */
const lateChunks = {
  async chunk(sent: AgentChunk) {
    await setImmediate();
    return sent;
  },
};
const transform = fc.constantFrom({}, { clientTransform: lateChunks });
const options = fc.record({ log: fc.record({ batchSize: fc.integer({ min: 1, max: 6 }), flushMs: fc.constant(10) }) });

interface Setting {
  readonly given: AgentsOptions;
  readonly late: { readonly clientTransform?: ClientTransform<{ n: unknown }> };
}

/** Runs a turn of these steps; gives what its client saw, and what each follower did from where it joined. */
async function runTurn(steps: readonly Step[], joins: readonly Join[], { given, late }: Setting) {
  const world = createWorld(given);
  const seen: PositionedChunk[] = [];
  const followers: { at: number; items: Promise<(PositionedChunk | Restarted)[]> }[] = [];
  let turnId = "";

  const define = (agents = world.agents) =>
    agents.defineCustomAgent(
      { name: "a", initialCustom: { n: 0 as unknown }, ...late },
      async (session, { sendChunk }) => {
        await session.run(async (_input, turn) => {
          turnId = turn.snapshotId as string;
          for (const [index, next] of steps.entries()) {
            joinBefore(index);
            await DO[next.does]({ ...next, session, sendChunk, abort: () => void agent.abort(turnId) });
          }
        });
      },
    );
  const agent = define();
  const other = define(world.another(given));

  function joinBefore(index: number): void {
    for (const { before, position, elsewhere } of joins) {
      if (before % (steps.length + 1) !== index) continue;
      const at = position % (seen.length + 1);
      const after = seen[at - 1]?.position;
      const items = collect((elsewhere ? other : agent).follow(turnId, after === undefined ? {} : { after }));
      followers.push({ at, items });
    }
  }

  const stream = agent.streamText("go");
  for await (const item of stream.positioned()) seen.push(item);
  joinBefore(steps.length);
  await world.clock.advance(2_000);
  const followed = await Promise.all(followers.map(async ({ at, items }) => ({ at, items: await items })));
  await world.clock.advance(60_000);
  return { seen, followed, timers: world.clock.pendingTimers };
}

describe("whoever follows a turn", () => {
  it("sees exactly what its client saw after the same position, whatever was sent and whenever it came", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 20 }),
        fc.array(join, { minLength: 1, maxLength: 4 }),
        fc.record({ given: options, late: transform }),
        async (steps, joins, setting) => {
          const { seen, followed, timers } = await runTurn(steps, joins, setting);
          expect(seen.filter(({ chunk: { turnEnd } }) => turnEnd !== undefined)).toEqual(seen.slice(-1));
          for (const { at, items } of followed) expect(items).toEqual(seen.slice(at));
          expect(timers).toBe(0);
        },
      ),
      { numRuns: 200 },
    );
  });
});
