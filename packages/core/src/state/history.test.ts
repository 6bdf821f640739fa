import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { History } from "./history.ts";

const message = (text: string) => ({ role: "user" as const, content: [{ text }] });

describe("a history", () => {
  it("is as it was, whatever was appended to it, to those after it and to those beside it", () => {
    const step = fc.record({ from: fc.nat(), texts: fc.array(fc.string(), { maxLength: 3 }) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        const histories = [History.of([])];
        const expected = [[] as ReturnType<typeof message>[]];
        for (const { from, texts } of steps) {
          const at = from % histories.length;
          const added = texts.map(message);
          histories.push((histories[at] as History).append(added));
          expected.push([...(expected[at] ?? []), ...added]);
        }
        for (const [index, history] of histories.entries()) {
          expect(history.list()).toEqual(expected[index]);
          expect(history.length).toBe(expected[index]?.length);
          expect(history.from(1)).toEqual(expected[index]?.slice(1));
        }
      }),
    );
  });

  it("hands out one frozen list, and does not take the caller's", () => {
    const mine = [message("a")];
    const history = History.of(mine);
    mine.push(message("b"));
    expect(history.list()).toEqual([message("a")]);
    expect(history.list()).toBe(history.list());
    expect(() => (history.list() as unknown[]).push(1)).toThrow(TypeError);
  });

  it("finds the last that fits, and only among its own", () => {
    const first = History.of([message("a"), message("b")]);
    first.append([message("a")]);
    expect(first.findLast(({ content }) => content[0]?.text === "a")).toBe(first.list()[0]);
    expect(first.findLast(() => false)).toBeUndefined();
  });
});
