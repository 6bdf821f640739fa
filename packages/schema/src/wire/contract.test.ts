import { describe, expect, expectTypeOf, it } from "vitest";
import * as z from "zod";
import {
  type AgentChunk,
  AgentFrameSchema,
  type AgentInit,
  AgentInputSchema,
  AgentNameSchema,
  type AgentOutput,
  agentInitSchema,
  type agentOutputSchema,
  GetSnapshotRequestSchema,
  type JsonPatchOperation,
  MAX_ID_LENGTH,
  parseWire,
  ResolveInteractionRequestSchema,
  SessionIdSchema,
  type SessionState,
  type Snapshot,
  SnapshotSchema,
  sessionStateSchema,
  type TurnStatus,
  turnStatus,
} from "./index.ts";

const Custom = z.object({ counter: z.number() });
type Custom = z.infer<typeof Custom>;

const state = {
  sessionId: "s1",
  messages: [{ role: "user", content: [{ text: "hi" }] }],
  custom: { counter: 1 },
  artifacts: [],
};

describe("contracts that carry custom state", () => {
  it("check it with the application's schema and name the path", () => {
    expect(sessionStateSchema(Custom).parse(state)).toEqual(state);
    expect(() =>
      parseWire(sessionStateSchema(Custom), { ...state, custom: { counter: "1" } }, { what: "state" }),
    ).toThrow("Invalid state at /custom/counter: ");
  });

  it("infer its type", () => {
    expectTypeOf<z.infer<ReturnType<typeof sessionStateSchema<typeof Custom>>>>().toExtend<SessionState<Custom>>();
    expectTypeOf<z.infer<ReturnType<typeof agentOutputSchema<typeof Custom>>>>().toExtend<AgentOutput<Custom>>();
    expectTypeOf<z.infer<ReturnType<typeof agentInitSchema<typeof Custom>>>>().toExtend<AgentInit<Custom>>();
    expectTypeOf<NonNullable<Snapshot<Custom>["state"]>["custom"]>().toEqualTypeOf<Custom | undefined>();
    expectTypeOf<AgentChunk<{ step: number }>["status"]>().toEqualTypeOf<{ step: number } | undefined>();
    expectTypeOf<NonNullable<AgentChunk["customPatch"]>>().toEqualTypeOf<JsonPatchOperation[]>();
  });

  it("let a client leave out what it does not have", () => {
    expect(agentInitSchema(Custom).parse({ state: { messages: [] } })).toEqual({ state: { messages: [] } });
  });
});

describe("ids from outside", () => {
  it.each(["x", "any words, ünïcode, /slashes/", "a".repeat(MAX_ID_LENGTH)])("may be %j", (id) => {
    expect(SessionIdSchema.parse(id)).toBe(id);
  });

  it.each([
    ["", "is blank"],
    [" \t\n", "is blank"],
    ["a".repeat(MAX_ID_LENGTH + 1), `is longer than ${MAX_ID_LENGTH}`],
    ["a\u0000b", "control character"],
    ["\ud800", "half of a surrogate pair"],
  ])("may not be %j", (id, message) => {
    expect(() => parseWire(SessionIdSchema, id, { what: "sessionId" })).toThrow(message);
  });
});

describe("agent names", () => {
  it.each(["banker", "a", "team.banker-2", "_x"])("may be %j", (name) => {
    expect(AgentNameSchema.parse(name)).toBe(name);
  });

  it.each(["", "a/getSnapshot", "../a", "a?b", "a b", ".", "..", "a".repeat(129)])(
    "may not be %j: they are part of a route",
    (name) => {
      expect(AgentNameSchema.safeParse(name).success).toBe(false);
    },
  );
});

describe("requests", () => {
  it("for a snapshot name a snapshot or a session", () => {
    expect(() => parseWire(GetSnapshotRequestSchema, {}, { what: "request" })).toThrow(
      "needs a snapshotId or a sessionId",
    );
    expect(GetSnapshotRequestSchema.parse({ sessionId: "s" })).toEqual({ sessionId: "s" });
  });

  it.each([{}, { respond: { output: 1 }, restart: {} }])("to resolve an interaction are one thing, not %j", (body) => {
    expect(() => parseWire(ResolveInteractionRequestSchema, body, { what: "body" })).toThrow(
      "exactly one of respond and restart",
    );
  });

  it("are refused with INVALID_ARGUMENT, not a stack overflow, however deep they nest", () => {
    let deep: unknown = 1;
    for (let level = 0; level < 100_000; level++) deep = [deep];
    const cyclic: Record<string, unknown> = {};
    cyclic["self"] = cyclic;
    for (const custom of [deep, cyclic]) {
      for (const schema of [agentInitSchema(z.json()), agentInitSchema(z.unknown())]) {
        expect(() => parseWire(schema, { state: { custom } }, { what: "init" })).toThrow(
          expect.objectContaining({
            status: "INVALID_ARGUMENT",
            message: expect.stringContaining("nested deeper than the limit"),
          }),
        );
      }
    }
  });

  it("are refused with a short message, however many and long the mistakes are", () => {
    const content = Array.from({ length: 100_000 }, () => ({ text: 1 }));
    const long = { ["k".repeat(100_000)]: 1 };
    for (const [schema, value] of [
      [AgentFrameSchema, { message: { modelChunk: { content } } }],
      [z.object({ a: z.record(z.string(), z.string()) }), { a: long }],
      [
        AgentInputSchema,
        {
          message: { role: "user", content: [Object.fromEntries(content.slice(0, 5000).map((_, i) => [`k${i}`, 1]))] },
        },
      ],
    ] as const) {
      const error = thrownBy(() => parseWire(schema, value, { what: "body" })) as Error;
      expect(error).toMatchObject({ status: "INVALID_ARGUMENT" });
      expect(
        JSON.stringify({ message: error.message, details: (error as { details?: unknown }).details }).length,
      ).toBeLessThan(10_000);
    }
  });

  it("list at most twenty issues, however many a hostile body has", () => {
    const content = Array.from({ length: 5000 }, () => ({ text: 1 }));
    const messages = [{ role: "user", content }];
    const error = thrownBy(() => parseWire(sessionStateSchema(z.unknown()), { ...state, messages }, { what: "state" }));
    expect((error as { details: { issues: unknown[] } }).details.issues).toHaveLength(20);
  });
});

describe("snapshots", () => {
  it("keep status, lineage, heartbeat, epoch, hash and fields of newer versions", () => {
    const snapshot = {
      snapshotId: "r.1",
      sessionId: "s1",
      parentId: "r.0",
      ordinal: 2,
      status: "expired",
      finishReason: "stop",
      createdAt: "2026-01-02T03:04:05.678Z",
      heartbeatAt: "2026-01-02T03:04:05.678Z",
      epoch: 3,
      stateHash: "0".repeat(64),
      state,
      addedLater: true,
    };
    expect(SnapshotSchema.parse(snapshot)).toEqual(snapshot);
  });
});

describe("turn status", () => {
  it.each<[Parameters<typeof turnStatus>, TurnStatus]>([
    [["pending", undefined], "running"],
    [["aborting", undefined], "running"],
    [["completed", "stop"], "succeeded"],
    [["completed", "interrupted"], "waiting_for_input"],
    [["failed", "failed"], "failed"],
    [["failed", "interrupted"], "failed"],
    [["aborted", "aborted"], "canceled"],
    [["expired", undefined], "expired"],
  ])("of %j is %s", (row, status) => {
    expect(turnStatus(...row)).toBe(status);
  });
});

function thrownBy(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  throw new Error("nothing was thrown");
}
