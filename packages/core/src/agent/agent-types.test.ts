import type { AgentChunk, AgentOutput, SessionState, Snapshot } from "@agents/schema/agent";
import type { AgentContext } from "@agents/schema/port";
import { describe, expectTypeOf, it } from "vitest";
import * as z from "zod";
import { createWorld } from "../../test/agent-world.ts";
import { type Agent, type AgentSession, currentSession, customAgent, type SnapshotDecision } from "../index.ts";

interface Cart {
  items: { sku: string; count: number }[];
  coupon?: string | undefined;
}

const stateSchema = z.object({
  items: z.array(z.object({ sku: z.string(), count: z.number() })),
  coupon: z.string().optional(),
});
const statusSchema = z.enum(["searching", "done"]);
type Phase = "searching" | "done";

/** Never called: what matters is what the compiler makes of it. */
function define() {
  const { agents } = createWorld();
  return agents.defineCustomAgent(
    { name: "cart", stateSchema, statusSchema, initialCustom: { items: [] } },
    async (session) => {
      await session.run(async () => {});
    },
  );
}

describe("the type of the custom state", () => {
  it("follows from the schema", () => {
    expectTypeOf(define).returns.toEqualTypeOf<Agent<Cart, Phase>>();
  });

  it("follows from the initial value where there is no schema", () => {
    const { agents } = createWorld();
    const agent = agents.defineCustomAgent(
      { name: "a", initialCustom: { n: 0, tags: [] as string[] } },
      async () => {},
    );
    expectTypeOf(agent).toEqualTypeOf<Agent<{ n: number; tags: string[] }>>();
  });

  it("follows from what a function of the context returns", () => {
    const { agents } = createWorld();
    const agent = agents.defineCustomAgent(
      { name: "a", initialCustom: (context: AgentContext) => ({ owner: context.subject ?? "" }) },
      async (session) => {
        expectTypeOf(session.getCustom().owner).toEqualTypeOf<string>();
        await session.run(async () => {});
      },
    );
    expectTypeOf(agent).toEqualTypeOf<Agent<{ owner: string }>>();
  });

  it("is unknown where nothing says it", () => {
    const { agents } = createWorld();
    const agent = agents.defineCustomAgent({ name: "a" }, async (session) => {
      expectTypeOf(session).toEqualTypeOf<AgentSession<unknown>>();
      await session.run(async () => {});
    });
    expectTypeOf(agent).toEqualTypeOf<Agent<unknown, unknown>>();
  });

  it("may be said by hand", () => {
    const { agents } = createWorld();
    const agent = agents.defineCustomAgent<Cart, Phase>({ name: "a", initialCustom: { items: [] } }, async () => {});
    expectTypeOf(agent).toEqualTypeOf<Agent<Cart, Phase>>();
  });

  it("is the schema's, and an initial value has to fit it", () => {
    const { agents } = createWorld();
    const wrong = () =>
      // @ts-expect-error "count" is a number.
      agents.defineCustomAgent(
        { name: "a", stateSchema, initialCustom: { items: [{ sku: "x", count: "many" }] } },
        async () => {},
      );
    expectTypeOf(wrong).toBeFunction();
  });
});

describe("inside of an agent", () => {
  it("the session knows its custom state: read-only to look at, a draft to change", () => {
    const { agents } = createWorld();
    agents.defineCustomAgent({ name: "a", stateSchema, initialCustom: { items: [] } }, async (session, { init }) => {
      expectTypeOf(session).toEqualTypeOf<AgentSession<Cart>>();
      expectTypeOf(session.getCustom()).toEqualTypeOf<Readonly<Cart>>();
      expectTypeOf(session.getState().custom).toEqualTypeOf<Cart | undefined>();
      expectTypeOf(init.state?.custom).toEqualTypeOf<Cart | undefined>();
      await session.run(async () => {
        session.updateCustom((draft) => {
          expectTypeOf(draft).toEqualTypeOf<Cart>();
          draft.coupon = "half";
        });
        session.updateCustom((draft) => ({ ...draft, items: [] }));
        // @ts-expect-error what a recipe returns is a cart.
        session.updateCustom(() => ({ items: 1 }));
      });
    });
  });

  it("the status that can be sent is the schema's", () => {
    const { agents } = createWorld();
    agents.defineCustomAgent({ name: "a", statusSchema }, async (_session, { sendStatus, sendChunk }) => {
      expectTypeOf(sendStatus).parameter(0).toEqualTypeOf<Phase>();
      expectTypeOf(sendChunk).parameter(0).toEqualTypeOf<AgentChunk<Phase>>();
      // @ts-expect-error no such phase.
      const wrong = () => sendStatus("sleeping");
      expectTypeOf(wrong).toBeFunction();
    });
  });

  it("policies and transforms know it, too", () => {
    const { agents } = createWorld();
    agents.defineCustomAgent(
      {
        name: "a",
        stateSchema,
        statusSchema,
        snapshot(decision) {
          expectTypeOf(decision).toEqualTypeOf<SnapshotDecision<Cart>>();
          return true;
        },
        clientTransform: {
          state(state) {
            expectTypeOf(state).toEqualTypeOf<SessionState<Cart>>();
            return state;
          },
          chunk(chunk) {
            expectTypeOf(chunk).toEqualTypeOf<AgentChunk<Phase>>();
            return chunk;
          },
        },
      },
      async () => {},
    );
  });

  it("code several calls deep says itself what it expects", () => {
    expectTypeOf(currentSession<Cart>).returns.toEqualTypeOf<AgentSession<Cart>>();
    expectTypeOf(currentSession<unknown>).returns.toEqualTypeOf<AgentSession<unknown>>();
  });
});

describe("outside of an agent", () => {
  type CartAgent = ReturnType<typeof define>;

  it("output, snapshots, chat and connection carry the type of the custom state", () => {
    expectTypeOf<CartAgent["run"]>().returns.resolves.toEqualTypeOf<AgentOutput<Cart>>();
    expectTypeOf<AgentOutput<Cart>["state"]>().toEqualTypeOf<SessionState<Cart> | undefined>();
    expectTypeOf<CartAgent["getSnapshot"]>().returns.resolves.toEqualTypeOf<Snapshot<Cart>>();
    expectTypeOf<ReturnType<CartAgent["chat"]>["custom"]>().toEqualTypeOf<Cart | undefined>();
    expectTypeOf<ReturnType<CartAgent["connect"]>["custom"]>().toEqualTypeOf<Cart | undefined>();
  });

  it("a start from a state takes it, too", () => {
    type Start = NonNullable<Parameters<CartAgent["run"]>[1]>;
    expectTypeOf<NonNullable<Start["state"]>["custom"]>().toEqualTypeOf<Cart | undefined>();
  });

  it("streams carry the type of the status", () => {
    type Streamed = ReturnType<CartAgent["stream"]> extends AsyncIterable<infer Chunk> ? Chunk : never;
    expectTypeOf<Streamed>().toEqualTypeOf<AgentChunk<Phase>>();
    expectTypeOf<Streamed["status"]>().toEqualTypeOf<Phase | undefined>();
  });

  it("an agent that is registered later keeps its types", () => {
    const { agents } = createWorld();
    const definition = customAgent({ name: "a", stateSchema, statusSchema }, async () => {});
    expectTypeOf(agents.register(definition)).toEqualTypeOf<Agent<Cart, Phase>>();
  });
});
