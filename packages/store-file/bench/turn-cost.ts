import { closeSync, fdatasync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { makeSnapshotId, sessionRoute } from "@agents/schema/hash";
import type { BeginRequest, StateContent } from "@agents/schema/port";
import { createFileStore, type FileStoreOptions } from "@agents/store-file";
import type { Comparison } from "@tooling/bench";
import { openBench, question, TURN_BYTES } from "./agent.ts";

/** In one measured call. */
const TURNS = 20;
const LATE = 1_000;
const WARM = 5_000;

export interface TurnCost {
  readonly comparisons: readonly Comparison[];
  close(): Promise<void>;
}

/** Begin and settle, and a whole turn of the runtime, against one append of the same delta and one wait for the disk. */
export async function turnCost(): Promise<TurnCost> {
  const bare = bareAppend();
  const store = turnStore();
  // A process that serves has compiled all of it; too few turns wait for the disk in a round to get there.
  const warm = turnStore({ durability: "os" });
  for (let turn = 0; turn < WARM; turn++) await warm.turn();
  await warm.close();
  const young = openBench();
  const late = openBench();
  for (let turn = 0; turn < LATE; turn++) await late.agent.runText(question(), { sessionId: "late" });
  let session = 0;
  return {
    comparisons: [
      {
        name: "begin and settle, on the disk / a bare append and fdatasync of the delta",
        ours: () => repeat(() => store.turn()),
        baseline: () => repeat(() => bare.turn()),
        atMost: 3,
      },
      {
        name: `a turn of the runtime after ${LATE} turns / two such appends, as it is acknowledged twice`,
        ours: () => repeat(() => late.agent.runText(question(), { sessionId: "late" })),
        baseline: () => repeat(() => bare.turn().then(() => bare.turn())),
        atMost: 3,
      },
      {
        name: `a turn after ${LATE} turns / a turn among the first ${TURNS}`,
        ours: () => repeat(() => late.agent.runText(question(), { sessionId: "late" })),
        baseline: () => {
          session++;
          return repeat(() => young.agent.runText(question(), { sessionId: `s${session}` }));
        },
        atMost: 1.5,
      },
    ],
    async close() {
      bare.close();
      await Promise.all([store.close(), young.close(), late.close()]);
    },
  };
}

const sync = promisify(fdatasync);

function bareAppend() {
  const directory = mkdtempSync(join(tmpdir(), "store-file-bench-"));
  const fd = openSync(join(directory, "bare"), "a");
  const delta = Buffer.alloc(TURN_BYTES, "x");
  return {
    async turn() {
      writeSync(fd, delta);
      await sync(fd);
    },
    close() {
      closeSync(fd);
      rmSync(directory, { recursive: true });
    },
  };
}

/** Without a runtime: what a turn costs in the store. */
export function turnStore(options: Partial<FileStoreOptions> = {}) {
  const directory = mkdtempSync(join(tmpdir(), "store-file-bench-"));
  const store = createFileStore({ ...options, directory });
  const caller = { scope: "" };
  const sessionId = "bare";
  const lost = { status: "failed", result: "{}", events: [] } as const;
  const aborted = { status: "aborted", result: "{}", events: [] } as const;
  const none = { firstSeq: 1, events: [] };
  let count = 0;
  let headId: string | undefined;
  return {
    async turn() {
      const snapshotId = makeSnapshotId(sessionRoute(sessionId), String(count++));
      const request: BeginRequest = {
        snapshotId,
        agent: "agent",
        from: { sessionId, create: true, ifActive: "reject", ifForked: "newest" },
        resumable: ["completed"],
        writer: snapshotId,
        input: "{}",
        leaseMs: 60_000,
        known: headId === undefined ? [] : [headId],
        events: none,
        lost: { pending: lost, aborting: aborted, heads: [] },
      };
      const begun = await store.turns.begin(caller, request);
      if (begun.type !== "begun") throw new Error(begun.type);
      await store.turns.settle(caller, begun.lease, {
        pending: { status: "completed", result: "{}", events: none, content: CONTENT },
        aborting: { ...aborted, events: none },
        heads: ["completed"],
      });
      headId = snapshotId;
    },
    async close() {
      await store.close();
      rmSync(directory, { recursive: true });
    },
  };
}

const PATCH = `[{"op":"add","path":"/messages/-","value":${JSON.stringify("x".repeat(TURN_BYTES - 2))}}]`;
const DIGEST = "0123456789abcdef".repeat(4);
const CONTENT: StateContent = {
  kind: "patch",
  json: PATCH,
  stateHash: DIGEST,
  messagesDigest: DIGEST,
  stateBytes: 1_000,
  loadBytes: 1_000,
  loadRows: 2,
  full: () => "{}",
  value: {},
};

async function repeat(run: () => Promise<unknown>): Promise<void> {
  for (let turn = 0; turn < TURNS; turn++) await run();
}
