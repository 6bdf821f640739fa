import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Agent, createAgents } from "@agents/core";
import { createFileStore, type FileStore, type FileStoreOptions } from "@agents/store-file";

/** Bytes of a turn as it stands in the state: a short question, a longer answer. */
export const TURN_BYTES = 480;
const QUESTION_BYTES = 120;

export interface BenchStore {
  readonly directory: string;
  readonly store: FileStore;
  readonly agent: Agent;
  close(): Promise<void>;
}

/** An agent whose turns are `TURN_BYTES` long, on a directory of its own or a given one. */
export function openBench(options: Partial<FileStoreOptions> = {}): BenchStore {
  const directory = options.directory ?? mkdtempSync(join(tmpdir(), "store-file-bench-"));
  const store = createFileStore({ ...options, directory });
  const agent = createAgents({ store }).defineCustomAgent({ name: "assistant" }, async (session) => {
    await session.run(async () => session.addMessages({ role: "model", content: [{ text: text(ANSWER_TEXT) }] }));
    return session.result();
  });
  return {
    directory,
    store,
    agent,
    async close() {
      await store.close();
      if (options.directory === undefined) rmSync(directory, { recursive: true, force: true });
    },
  };
}

export function question(): string {
  return text(QUESTION_TEXT);
}

const QUESTION_TEXT = QUESTION_BYTES - JSON.stringify({ role: "user", content: [{ text: "" }] }).length - 1;
const ANSWER_TEXT = TURN_BYTES - QUESTION_BYTES - JSON.stringify({ role: "model", content: [{ text: "" }] }).length - 1;

/** Words that differ from turn to turn. */
function text(length: number): string {
  return `${randomUUID()} ${"the quick brown fox ".repeat(40)}`.slice(0, length);
}
