import { SnapshotSummarySchema } from "@agents/schema/agent";
import type { TurnMeta } from "@agents/schema/port";
import { describe, expect, it } from "vitest";
import { readStatus, summarizeTurn } from "./summarize-turn.ts";
import { decodeTurnResult, encodeTurnResult } from "./turn-result.ts";

const meta: TurnMeta = {
  snapshotId: "0123abcd.t",
  sessionId: "s",
  agent: "a",
  parentId: "0123abcd.p",
  ordinal: 3,
  status: "failed",
  stale: false,
  version: 4,
  epoch: 2,
  lastSeq: 9,
  result: encodeTurnResult({
    finishReason: "failed",
    error: { status: "INTERNAL", message: "x" },
    usage: { inputTokens: 2 },
  }),
  createdAt: 0,
  updatedAt: 1000,
  state: { stateHash: "0".repeat(64), messagesDigest: "1".repeat(64), stateBytes: 1, loadBytes: 1, loadRows: 1 },
};

describe("a row as a snapshot", () => {
  it("has what the wire promises", () => {
    const summary = summarizeTurn(meta);
    expect(SnapshotSummarySchema.parse(summary)).toEqual(summary);
    expect(summary).toMatchObject({
      parentId: "0123abcd.p",
      status: "failed",
      finishReason: "failed",
      error: { message: "x" },
      usage: { inputTokens: 2 },
      stateHash: "0".repeat(64),
    });
  });

  it("leaves out what a live row does not have", () => {
    const { result: _, state: __, parentId: ___, ...live } = meta;
    expect(Object.keys(summarizeTurn({ ...live, status: "pending", heartbeatAt: 500 }))).not.toEqual(
      expect.arrayContaining(["finishReason"]),
    );
  });

  it.each([
    ["pending", false, "pending"],
    ["pending", true, "expired"],
    ["aborting", false, "aborting"],
    ["aborting", true, "aborted"],
    ["completed", false, "completed"],
    ["completed", true, "completed"],
    ["failed", true, "failed"],
    ["aborted", true, "aborted"],
  ] as const)("of status %s, stale: %s, reads %s", (status, stale, read) => {
    expect(readStatus({ status, stale })).toBe(read);
  });

  it.each(["", "{}", "null", "[1]"])("is DATA_LOSS where its result is %j", (text) => {
    expect(() => decodeTurnResult("r.1", text)).toThrow(expect.objectContaining({ status: "DATA_LOSS" }));
  });
});
