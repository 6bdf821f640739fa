import { createHash } from "node:crypto";
import type { Comparison } from "@tooling/bench";
import { EMPTY_MESSAGES, extendMessages, stateHash } from "../src/hash/index.ts";

/** What the runtime does per turn: append two messages of 400 characters to a known digest, hash the state. */
export function turnHash(): Comparison {
  const text = "The quick brown fox jumps over the lazy dog. ".repeat(9).slice(0, 400);
  const messages = [
    { role: "user", content: [{ text }] },
    { role: "model", content: [{ text: text.toUpperCase() }] },
  ];
  const custom = { step: 3, topic: "foxes", open: true };
  return {
    name: "stateHash of a turn / createHash over JSON.stringify",
    ours: () => stateHash({ messages: extendMessages(EMPTY_MESSAGES, messages), custom, artifacts: [] }),
    baseline: () =>
      createHash("sha256")
        .update(JSON.stringify({ messages, custom, artifacts: [] }))
        .digest("hex"),
    atMost: 3.5,
    note: `${JSON.stringify({ messages, custom, artifacts: [] }).length} B of JSON`,
  };
}
