import type { Message } from "@agents/schema/agent";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { balanceHistory } from "./balance-history.ts";
import { requestKey } from "./pending-requests.ts";

const user: Message = { role: "user", content: [{ text: "u" }] };
const calls = (...refs: string[]): Message => ({
  role: "model",
  content: refs.map((ref) => ({ toolRequest: { name: "t", ref } })),
});
const answers = (...refs: string[]): Message => ({
  role: "tool",
  content: refs.map((ref) => ({ toolResponse: { name: "t", ref, output: ref } })),
});

describe("a history that is sent", () => {
  it("is the very list where nothing is to be mended", () => {
    const history = [user, calls("1", "2"), answers("1", "2"), { role: "model" as const, content: [{ text: "m" }] }];
    expect(balanceHistory(history)).toBe(history);
  });

  it.each([
    ["a call without an answer", [user, calls("1"), user], [user, calls("1"), "1!", user]],
    ["one answer of two", [calls("1", "2"), answers("2")], [calls("1", "2"), "1! 2"]],
    ["answers in two messages", [calls("1", "2"), answers("1"), answers("2")], [calls("1", "2"), "1 2"]],
    ["an answer to nothing", [user, answers("9"), user], [user, user]],
    ["an answer too many", [calls("1"), answers("1", "9")], [calls("1"), "1"]],
    ["a call at the very end", [calls("1")], [calls("1"), "1!"]],
  ] as const)("is mended: %s", (_, given, expected) => {
    const result = balanceHistory(given).map((message) =>
      message.role !== "tool"
        ? message
        : message.content
            .map(({ toolResponse, metadata }) => `${toolResponse?.ref}${metadata?.isError ? "!" : ""}`)
            .join(" "),
    );
    expect(result).toEqual(expected);
  });

  it("has after each message with calls the answers to just these, and no others, whatever it was", () => {
    const ref = fc.constantFrom("1", "2", "3");
    const message = fc.oneof(
      fc.constant(user),
      fc.uniqueArray(ref, { minLength: 1 }).map((refs) => calls(...refs)),
      fc.array(ref).map((refs) => answers(...refs)),
    );
    fc.assert(
      fc.property(fc.array(message, { maxLength: 12 }), (history) => {
        const balanced = balanceHistory(history);
        for (const [index, { role, content }] of balanced.entries()) {
          const asked = content.flatMap(({ toolRequest }) =>
            toolRequest === undefined ? [] : [requestKey(toolRequest)],
          );
          const next = balanced[index + 1];
          if (asked.length > 0) {
            expect(next?.role).toBe("tool");
            expect(next?.content.map(({ toolResponse }) => requestKey(toolResponse as never)).sort()).toEqual(
              asked.sort(),
            );
          }
          if (role === "tool")
            expect(balanced[index - 1]?.content.some(({ toolRequest }) => toolRequest !== undefined)).toBe(true);
        }
        expect(balanced.filter(({ role }) => role !== "tool")).toEqual(history.filter(({ role }) => role !== "tool"));
        expect(balanceHistory(balanced)).toEqual(balanced);
      }),
    );
  });
});
