import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sessionRoute } from "@agents/schema/hash";
import type { Store } from "@agents/schema/port";
import { fullContent, stateAfter } from "@agents/testing/store";
import { onTestFinished } from "vitest";
import { createFileStore, type FileStore, type FileStoreOptions } from "../src/index.ts";
import { begun, settle } from "./turn-calls.ts";

export const NOBODY = { scope: "" };

/** A folder that is gone when the test is over. */
export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), "store-file-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/** A store that is closed when the test is over. */
export function openFileStore(directory: string, options: Omit<FileStoreOptions, "directory"> = {}): FileStore {
  const store = createFileStore({ directory, durability: "os", pollMs: 0, ...options });
  onTestFinished(() => store.close());
  return store;
}

/** A turn from its begin to its end, which says `text`. */
export async function turn(
  store: Store,
  sessionId: string,
  { text = "said", scope = "" }: { readonly text?: string; readonly scope?: string } = {},
): Promise<string> {
  const { lease } = await begun(store, sessionId, { scope });
  const content = fullContent(stateAfter(undefined, sessionId, text));
  const settled = await settle(store, lease, { content, scope });
  if (!settled.ok) throw new Error("The turn was not settled.");
  return lease.snapshotId;
}

/** By ordinal, oldest first. */
export async function turnsOf(store: FileStore, sessionId: string, scope = "") {
  const { items } = await store.index.listTurns({ scope }, sessionId, { limit: 10_000 });
  return items.toReversed();
}

export function sessionFolder(directory: string, sessionId: string): string {
  return join(directory, "sessions", sessionRoute(sessionId));
}

export function journalFiles(directory: string, sessionId: string): string[] {
  return readdirSync(sessionFolder(directory, sessionId)).sort();
}

/** The newest file of a session. */
export function journalPath(directory: string, sessionId: string): string {
  const newest = journalFiles(directory, sessionId)
    .filter((name) => name.endsWith(".journal"))
    .at(-1);
  return join(sessionFolder(directory, sessionId), newest ?? "");
}

/** Everything in a directory, as one text. */
export function textOfFiles(directory: string): string {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8"))
    .join("\n");
}
