import { applyPatch } from "@agents/schema/patch";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type CustomRecipe, changeCustom } from "./change-custom.ts";
import { importChanged } from "./import-json.ts";

interface Todo {
  title: string;
  items: { text: string; done: boolean }[];
  constructor?: unknown;
}
const todo = () =>
  importChanged<Todo>({
    title: "t",
    items: [
      { text: "a", done: false },
      { text: "b", done: false },
    ],
  });

const set = (members: Partial<Todo>) => (draft: Todo) => void Object.assign(draft, members);

type Step =
  | { type: "set"; key: string; value: unknown }
  | { type: "delete"; key: string }
  | { type: "splice"; at: number; remove: number; add: number[] }
  | { type: "reverse" }
  | { type: "nest"; value: number };

function run(draft: Record<string, unknown>, step: Step): void {
  const list: unknown[] = Array.isArray(draft["list"]) ? draft["list"] : [];
  switch (step.type) {
    case "set":
      draft[step.key] = step.value;
      break;
    case "delete":
      delete draft[step.key];
      break;
    case "splice":
      list.splice(step.at, step.remove, ...step.add);
      break;
    case "reverse":
      list.reverse();
      break;
    case "nest":
      if (typeof list[1] === "object") Object.assign(list[1] ?? {}, { n: step.value });
      break;
  }
}

describe("changeCustom", () => {
  it.each<[string, CustomRecipe<Todo>, unknown]>([
    ["a member that is set", set({ title: "u" }), [{ op: "replace", path: "/title", value: "u" }]],
    [
      "a nested member",
      (draft) => void Object.assign(draft.items[1] ?? {}, { done: true }),
      [{ op: "replace", path: "/items/1/done", value: true }],
    ],
    [
      "an element that is pushed",
      (draft) => void draft.items.push({ text: "c", done: true }),
      [{ op: "add", path: "/items/2", value: { text: "c", done: true } }],
    ],
    ["elements that are cut off", (draft) => void draft.items.splice(1), [{ op: "remove", path: "/items/1" }]],
    ["nothing, when nothing changed", () => {}, []],
    ["nothing, when the same value is set again", set({ title: "t" }), []],
    [
      "a returned value, by what differs",
      () => ({ title: "u", items: [] }),
      [
        { op: "replace", path: "/title", value: "u" },
        { op: "remove", path: "/items/1" },
        { op: "remove", path: "/items/0" },
      ],
    ],
  ])("gives the patch of %s", (_name, recipe, patch) => {
    const before = todo();
    const change = changeCustom(before, recipe);
    expect(applyPatch(before, change.patch)).toEqual(change.value);
    expect(before).toEqual(todo());
    if (!_name.startsWith("a returned")) expect(change.patch).toEqual(patch);
  });

  it("shares what the recipe did not touch, and freezes what it did", () => {
    const before = todo();
    const { value } = changeCustom(before, (draft) => void Object.assign(draft.items[0] ?? {}, { done: true }));
    expect(value.items[1]).toBe(before.items[1]);
    expect(() => value.items.push({ text: "x", done: false })).toThrow(TypeError);
    expect(() => Object.assign(value.items[0] ?? {}, { done: false })).toThrow(TypeError);
  });

  it("takes a returned value that is made from the draft, and shares what did not change", () => {
    const before = todo();
    const { value, patch } = changeCustom(before, (draft) => ({ ...draft, title: "u" }));
    expect(patch).toEqual([{ op: "replace", path: "/title", value: "u" }]);
    expect(value.items).toBe(before.items);
  });

  it("leaves the value as it was when the recipe throws", () => {
    const before = todo();
    const failing = () =>
      changeCustom(before, (draft) => {
        draft.title = "half done";
        throw new Error("no");
      });
    expect(failing).toThrow("no");
    expect(before).toEqual(todo());
  });

  it("names no member that pointers may not name, and still describes the change", () => {
    const before = todo();
    const { value, patch } = changeCustom(before, set({ constructor: { team: "red" } as never }));
    expect(applyPatch(before, patch)).toEqual(value);
    expect(value.constructor).toEqual({ team: "red" });
  });

  it("refuses what JSON cannot hold, with its path", () => {
    expect(() => changeCustom(todo(), set({ title: new Date(0) as never }))).toThrow('"/custom/title"');
  });

  it("takes values that are no object", () => {
    expect(changeCustom<number>(1, (n) => n + 1)).toEqual({ value: 2, patch: [{ op: "replace", path: "", value: 2 }] });
    expect(changeCustom<undefined | { a: number }>(undefined, () => ({ a: 1 }))).toEqual({
      value: { a: 1 },
      patch: [{ op: "add", path: "", value: { a: 1 } }],
    });
  });

  it("gives a patch that leads to the new value, whatever a recipe does", () => {
    const command = fc.oneof(
      fc.record({
        type: fc.constant("set" as const),
        key: fc.constantFrom("a", "b", "a/b", "~", "constructor"),
        value: fc.jsonValue({ maxDepth: 2 }),
      }),
      fc.record({ type: fc.constant("delete" as const), key: fc.constantFrom("a", "b", "list") }),
      fc.record({
        type: fc.constant("splice" as const),
        at: fc.nat({ max: 5 }),
        remove: fc.nat({ max: 3 }),
        add: fc.array(fc.integer(), { maxLength: 3 }),
      }),
      fc.record({ type: fc.constant("reverse" as const) }),
      fc.record({ type: fc.constant("nest" as const), value: fc.integer() }),
    );
    fc.assert(
      fc.property(fc.array(command, { maxLength: 6 }), (commands) => {
        const before = importChanged<Record<string, unknown>>({ list: [1, { n: 2 }, 3, 4], a: { n: 1 } });
        const { value, patch } = changeCustom(before, (draft) => {
          for (const step of commands) run(draft, step);
        });
        expect(applyPatch(before, JSON.parse(JSON.stringify(patch)))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
      { numRuns: 500 },
    );
  });
});
