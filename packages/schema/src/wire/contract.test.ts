import { describe, expect, expectTypeOf, it } from "vitest";
import * as z from "zod";
import {
  type AgentChunk,
  type AgentInit,
  type AgentOutput,
  agentInitSchema,
  type agentOutputSchema,
  formatPosition,
  GetSnapshotRequestSchema,
  type JsonPatchOperation,
  MAX_ID_LENGTH,
  parsePosition,
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
  ])("may not be %j", (id, message) => {
    expect(() => parseWire(SessionIdSchema, id, { what: "sessionId" })).toThrow(message);
  });
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

  it("list at most twenty issues, however many a hostile body has", () => {
    const content = Array.from({ length: 5000 }, () => ({}));
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

describe("positions", () => {
  it("come back as they were written", () => {
    expect(parsePosition(formatPosition({ epoch: 2, seq: 41 }))).toEqual({ epoch: 2, seq: 41 });
  });

  it.each(["", "1", "1-", "-1", "1-2-3", "1-2 ", "a-b", `${"9".repeat(20)}-1`])("refuse %j", (text) => {
    expect(() => parsePosition(text)).toThrow(
      expect.objectContaining({ status: "INVALID_ARGUMENT", message: expect.stringContaining(JSON.stringify(text)) }),
    );
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
