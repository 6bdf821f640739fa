import { describe, expect, it } from "vitest";
import { addAt, openDraft, removeAt, replaceAt } from "./draft.ts";

describe("a draft", () => {
  it("copies a container when it is first written to, and not again", () => {
    const document = { list: [1], other: {} };
    const draft = openDraft(document);
    addAt(draft, ["list", "-"], 2);
    const { root } = draft;
    const { list } = root as typeof document;
    expect(root).not.toBe(document);
    expect(list).not.toBe(document.list);
    replaceAt(draft, ["list", "0"], 0);
    addAt(draft, ["list", "0"], -1);
    removeAt(draft, ["other"]);
    expect(draft.root).toBe(root);
    expect((draft.root as typeof document).list).toBe(list);
    expect(draft.root).toEqual({ list: [-1, 0, 2] });
    expect(document).toEqual({ list: [1], other: {} });
  });
});
