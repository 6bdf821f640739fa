// What a user of @agents/schema may do with the packed package. Checked and run as an ES module and as CommonJS.
import assert from "node:assert/strict";
import { AgentError, type Status, toWireError } from "@agents/schema/error";
import { canonicalJson, EMPTY_MESSAGES, type HashedState, stateHash } from "@agents/schema/hash";
import { applyPatch, diff, type PatchOperation } from "@agents/schema/patch";
import type { Clock } from "@agents/schema/port";
import { createSseDecoder, encodeSse, type SseFrame } from "@agents/schema/sse";
import { type Message, MessageSchema, type Part, parseWire } from "@agents/schema/wire";

// An error thrown by one entry is the class that another entry exports: they share chunks, not copies.
const status: Status = "INVALID_ARGUMENT";
const throwing: Record<string, () => unknown> = {
  wire: () => parseWire(MessageSchema, { role: 1 }, { what: "message" }),
  sse: () => encodeSse({ data: "", id: "a\nb" }),
  patch: () => applyPatch({}, [{ op: "remove", path: "/missing" }]),
  hash: () => canonicalJson(Number.NaN),
};
for (const [entry, run] of Object.entries(throwing)) {
  assert.throws(run, (error: unknown) => {
    assert.ok(error instanceof AgentError, `${entry} threw another class`);
    assert.ok(AgentError.is(error));
    assert.equal(error.status, status);
    return true;
  });
}
assert.equal(toWireError(new AgentError("NOT_FOUND", "gone")).status, "NOT_FOUND");

// Types that zod infers reach the user as types, not as `any`.
const part: Part = { text: "hello" };
const message: Message = parseWire(MessageSchema, { role: "user", content: [part] }, { what: "message" });
assert.equal(message.content[0]?.text, "hello");
// @ts-expect-error a role is not a number
const wrong: Message = { role: 1, content: [] };
assert.ok(wrong);

const patch: PatchOperation[] = diff({ a: 1 }, { a: 2 });
assert.deepEqual(applyPatch({ a: 1 }, patch), { a: 2 });

const state: HashedState = { messages: EMPTY_MESSAGES, artifacts: [] };
assert.equal(stateHash(state), stateHash({ ...state }));

const frames: SseFrame[] = [];
const decoder = createSseDecoder({ onFrame: (frame) => frames.push(frame) });
decoder.push(new TextEncoder().encode(encodeSse({ data: "é", id: "1" })));
assert.deepEqual([frames, decoder.end().truncated], [[{ data: "é", id: "1" }], false]);

const clock: Pick<Clock, "now"> = { now: () => 0 };
assert.equal(clock.now(), 0);
