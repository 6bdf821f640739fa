import type { Comparison } from "@tooling/bench";
import { changeCustom } from "../src/state/change-custom.ts";
import { importChanged } from "../src/state/import-json.ts";

interface Custom {
  step: number;
  items: { id: number; text: string; done: boolean }[];
}

const CHANGES = 1_000;

/** 1,000 one-field changes of a 100 KB state, patches included. The baseline writes the state out once. */
export function customComparisons(): Comparison[] {
  const items = Array.from({ length: 100 }, (_, id) => ({ id, text: "x".repeat(960), done: false }));
  const custom = importChanged<Custom>({ step: 0, items });
  return [
    changing("a field of an item", custom, (draft, n) => Object.assign(draft.items[n % 100] ?? {}, { id: n })),
    changing("a field of the root", custom, (draft, n) => Object.assign(draft, { step: n + 1 })),
  ];
}

function changing(what: string, custom: Custom, change: (draft: Custom, n: number) => unknown): Comparison {
  const run = () => {
    let value = custom;
    let bytes = 0;
    for (let n = 0; n < CHANGES; n++) {
      const next = changeCustom(value, (draft) => void change(draft, n));
      value = next.value;
      bytes += JSON.stringify(next.patch).length;
    }
    return bytes;
  };
  return {
    name: `1,000 changes of ${what}, ${Math.round(JSON.stringify(custom).length / 1_000)} KB / 100 JSON.stringify of it`,
    ours: run,
    baseline: () => {
      for (let n = 0; n < 100; n++) JSON.stringify(custom);
    },
    atMost: 1,
    note: `${run()} B of patches`,
  };
}
