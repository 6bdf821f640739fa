import { expect } from "vitest";
import { contractArea } from "../contract-test.ts";
import { loadState } from "../kit/load-state.ts";
import { fullContent, stateAfter } from "../kit/state-content.ts";
import { present } from "../kit/store-kit.ts";
import { START } from "../kit/test-outcome.ts";

export const bigStateContract = contractArea(
  "big states",
  { timeoutMs: 60_000 },
  {
    "keeps a state of 2 MB whole": async (kit) => {
      const sessionId = kit.newSession();
      const { lease } = await kit.begun({ sessionId });
      const messages = Array.from({ length: 200 }, (_, index) => ({
        role: "model",
        text: `${index} ü🙂 `.repeat(1_000),
      }));
      const content = fullContent({ sessionId, messages, custom: { list: [null, 1.5, true] }, artifacts: [] });
      expect(content.stateBytes).toBeGreaterThan(2_000_000);
      const settled = await kit.settle(lease, { status: "completed", content });
      expect(settled.turn?.state?.stateBytes).toBe(content.stateBytes);
      const { chain } = await kit.begun({ sessionId });
      expect(loadState(chain)).toEqual(content.value);
    },

    "replays a chain of 200 patches": async (kit) => {
      const sessionId = kit.newSession();
      let last = await kit.complete({ sessionId, text: "turn 0" });
      for (let turn = 1; turn <= 200; turn++) {
        last = await kit.complete({ sessionId, after: last, text: `turn ${turn}`, known: [last.id] });
      }
      expect(last.turn.state?.loadRows).toBe(201);
      const { chain } = await kit.begun({ sessionId });
      expect(loadState(chain)).toEqual(last.content.value);
    },

    "keeps a big input and a big result": async (kit) => {
      const text = JSON.stringify("x".repeat(500_000));
      const { lease } = await kit.stale({ sessionId: kit.newSession(), input: text });
      const claimed = await kit.claim(lease.snapshotId);
      expect(claimed.type === "claimed" && claimed.input === text).toBe(true);
      await kit.settle({ ...lease, epoch: 2 }, { status: "failed", result: text });
      expect((await kit.meta(lease.snapshotId))?.result === text).toBe(true);
    },

    "is not disturbed by what the caller does to its own objects later": async (kit) => {
      const sessionId = kit.newSession();
      const { lease } = await kit.begun({ sessionId });
      const events = { firstSeq: 1, events: ['"kept"'] };
      const content = fullContent(stateAfter(undefined, sessionId, "kept"));
      await kit.settle(lease, { status: "completed", content, events });
      events.events[0] = '"changed"';
      const at = { snapshotId: lease.snapshotId };
      const read = await kit.store.turns.read(kit.caller, at, { known: [] });
      expect(loadState(present(read?.chain, "chain"))).toEqual(content.value);
      const page = await kit.store.events?.readEvents(kit.caller, lease.snapshotId, { after: START, limit: 1 });
      expect(page?.events[0]?.json ?? '"kept"').toBe('"kept"');
    },
  },
);
