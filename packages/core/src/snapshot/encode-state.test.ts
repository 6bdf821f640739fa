import { stateHash } from "@agents/schema/hash";
import type { StateChain, StateContent, StateRow } from "@agents/schema/port";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { importJson } from "../state/import-json.ts";
import { State } from "../state/state.ts";
import { encodeState, type StoredState } from "./encode-state.ts";
import { loadState } from "./load-state.ts";

const message = (text: string) => ({ role: "model" as const, content: [{ text }] });

/** A store's rows for a session: what each snapshot wrote, and how to read one back. */
function createRows() {
  const rows: { content: StateContent; row: StateRow }[] = [];
  return {
    rows,
    write(state: State, parent: StoredState | undefined, appendOnly: boolean): StoredState {
      const { content, stored } = encodeState({ state, parent, appendOnly });
      rows.push({ content, row: { snapshotId: `r.${rows.length}`, kind: content.kind, json: content.json } });
      return stored;
    },
    chain(from = rows.length - 1): StateChain {
      const start = rows.findLastIndex(({ content }, index) => index <= from && content.kind === "full");
      return { rows: rows.slice(start, from + 1).map(({ row }) => row) };
    },
    inProcess(): StateChain {
      return {
        rows: rows.map(
          ({ content }, index): StateRow =>
            content.operations === undefined
              ? { snapshotId: `r.${index}`, kind: "value", value: content.value }
              : { snapshotId: `r.${index}`, kind: "operations", operations: content.operations },
        ),
      };
    },
  };
}

const change = fc.oneof(
  fc.record({ type: fc.constant("append" as const), texts: fc.array(fc.string(), { maxLength: 3 }) }),
  fc.record({ type: fc.constant("rewrite" as const), keep: fc.nat({ max: 3 }) }),
  fc.record({
    type: fc.constant("custom" as const),
    value: fc.option(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 1 })), { nil: undefined }),
  }),
  fc.record({ type: fc.constant("artifact" as const), name: fc.constantFrom("a", "b"), text: fc.string() }),
);
type Change = typeof change extends fc.Arbitrary<infer C> ? C : never;

function applyChange(state: State, step: Change): State {
  switch (step.type) {
    case "append":
      return state.append(step.texts.map(message));
    case "rewrite":
      return state.withMessages(state.messages.slice(-step.keep || state.messages.length));
    case "custom":
      return state.withCustom(step.value === undefined ? undefined : importJson(step.value));
    case "artifact":
      return state.addArtifacts([{ name: step.name, parts: [{ text: step.text }] }]);
  }
}

describe("stored states", () => {
  it("load back as they were, with true figures and hashes, from text and from operations", () => {
    fc.assert(
      fc.property(fc.array(fc.array(change, { maxLength: 3 }), { minLength: 1, maxLength: 12 }), (turns) => {
        const store = createRows();
        let stored: StoredState | undefined;
        let state: State = State.import("sess ü");
        for (const steps of turns) {
          state = steps.reduce(applyChange, state);
          stored = store.write(
            state,
            stored,
            steps.every(({ type }) => type !== "rewrite"),
          );
          const { figures } = stored;
          expect(figures.stateBytes).toBe(Buffer.byteLength(JSON.stringify(state.value)));
          expect(figures.stateHash).toBe(stateHash(state.value));
          const chain = store.chain();
          expect(loadState({ chain, figures, known: undefined }).state.value).toEqual(state.value);
          expect(figures.loadRows).toBe(chain.rows.length);
          expect(figures.loadBytes).toBe(
            chain.rows.reduce((sum, row) => sum + Buffer.byteLength("json" in row ? row.json : ""), 0),
          );
          // The checkpoint rule: loading reads at most twice the state and its row.
          expect(figures.loadBytes + 256 * figures.loadRows).toBeLessThanOrEqual(2 * (figures.stateBytes + 256));
        }
        if (stored)
          expect(
            loadState({ chain: store.inProcess(), figures: stored.figures, known: undefined }).state.value,
          ).toEqual(state.value);
      }),
      { numRuns: 300 },
    );
  });

  it("write at most three times the final state over five hundred turns", () => {
    const store = createRows();
    let stored: StoredState | undefined;
    let state: State = State.import("s");
    for (let turn = 0; turn < 500; turn++) {
      state = state.append([message("u".repeat(200)), message("m".repeat(200))]);
      stored = store.write(state, stored, true);
    }
    const written = store.rows.reduce((sum, { row }) => sum + Buffer.byteLength("json" in row ? row.json : ""), 0);
    expect(written / Buffer.byteLength(JSON.stringify(state.value))).toBeLessThan(3);
  });

  it("need no rows where the process holds the very state, and continue from one that it holds", () => {
    const store = createRows();
    const first = store.write(State.import("s").append([message("x".repeat(900))]), undefined, true);
    const second = store.write(first.state.append([message("b")]), first, true);
    expect(loadState({ chain: { knownId: "r.0", rows: [] }, figures: first.figures, known: first })).toBe(first);
    const rest = store.rows.slice(1).map(({ row }) => row);
    expect(
      loadState({ chain: { knownId: "r.0", rows: rest }, figures: second.figures, known: first }).state.value,
    ).toEqual(second.state.value);
  });

  it.each<[string, StateChain]>([
    ["text that is not JSON", { rows: [{ snapshotId: "r.9", kind: "full", json: "{" }] }],
    [
      "a patch that does not apply",
      {
        rows: [
          { snapshotId: "r.8", kind: "full", json: "{}" },
          { snapshotId: "r.9", kind: "patch", json: '[{"op":"remove","path":"/x"}]' },
        ],
      },
    ],
    ["a patch without its base", { rows: [{ snapshotId: "r.9", kind: "patch", json: "[]" }] }],
    ["no rows and nothing held", { knownId: "r.9", rows: [] }],
  ])("are DATA_LOSS, naming the snapshot, where the chain is broken: %s", (_name, chain) => {
    const figures = { stateHash: "", messagesDigest: "", stateBytes: 0, loadBytes: 0, loadRows: 0 };
    expect(() => loadState({ chain, figures, known: undefined })).toThrow(
      expect.objectContaining({ status: "DATA_LOSS", details: { snapshotId: "r.9" } }),
    );
  });
});
