import { randomUUID } from "node:crypto";
import { link, open, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { StepHooks } from "../../src/chaos/index.ts";

/** What a store can do wrong that only processes find. */
export type DirectoryStoreFault =
  | "writes in place"
  | "overwrites what another wrote"
  | "answers before it writes"
  | "leaves its lock behind"
  | "settles in two commits"
  | "ignores epochs"
  | "does not know a repeat"
  | "reads another clock"
  | "lies about aborts"
  | "keeps hints to itself";

export interface Version {
  readonly folder: string;
  readonly number: number;
  readonly before: string;
  readonly after: string;
}

/** The steps of the store as it should be. */
export const STEPS = ["read", "written", "committed"] as const;

/** Makes the version, unless somebody else has made it. */
export async function commitVersion(
  version: Version,
  { onStep, fault }: StepHooks & { readonly fault?: DirectoryStoreFault },
): Promise<boolean> {
  await onStep("read");
  switch (fault) {
    case "writes in place":
      return await writeInPlace(version, onStep);
    case "answers before it writes":
      return await answerEarly(version, onStep);
    case "leaves its lock behind":
      return await withLock(version, () => place(version, version.after, { onStep, by: link }));
    case "overwrites what another wrote":
      return await place(version, version.after, { onStep, by: rename });
    case "settles in two commits":
      return await commitTwice(version, onStep);
    default:
      return await place(version, version.after, { onStep, by: link });
  }
}

interface Placing {
  readonly onStep: StepHooks["onStep"];
  readonly by: (from: string, to: string) => Promise<void>;
}

async function place({ folder, number }: Version, text: string, { onStep, by }: Placing): Promise<boolean> {
  const draft = join(folder, `draft-${randomUUID()}`);
  await writeFile(draft, text);
  await onStep("written");
  try {
    await by(draft, join(folder, String(number)));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
  await onStep("committed");
  return true;
}

async function writeInPlace({ folder, number, after }: Version, onStep: StepHooks["onStep"]): Promise<boolean> {
  const file = await open(join(folder, String(number)), "wx").catch(() => undefined);
  if (file === undefined) return false;
  await file.write(after.slice(0, after.length / 2));
  await onStep("written");
  await file.write(after.slice(after.length / 2));
  await file.close();
  await onStep("committed");
  return true;
}

/** Versions that this process knows of and has not written, by folder: it notices nothing itself. */
const unwritten = new Map<string, Version>();

export function unwrittenIn(folder: string): Version | undefined {
  return unwritten.get(folder);
}

async function answerEarly(version: Version, onStep: StepHooks["onStep"]): Promise<boolean> {
  unwritten.set(version.folder, version);
  await onStep("written");
  setTimeout(() => void place(version, version.after, { onStep: () => {}, by: link }), 20);
  await onStep("committed");
  return true;
}

async function withLock(version: Version, work: () => Promise<boolean>): Promise<boolean> {
  const lock = join(version.folder, "lock");
  const taken = await open(lock, "wx").catch(() => undefined);
  if (taken === undefined) {
    await new Promise((resolve) => setTimeout(resolve, 5));
    return false;
  }
  try {
    return await work();
  } finally {
    await taken.close();
    await rm(lock);
  }
}

/** First the turns, then the session that says which is its head. */
async function commitTwice(version: Version, onStep: StepHooks["onStep"]): Promise<boolean> {
  const { sessions } = JSON.parse(version.before) as { sessions: unknown };
  const turns = JSON.stringify({ ...JSON.parse(version.after), sessions });
  if (!(await place(version, turns, { onStep: () => {}, by: link }))) return false;
  return await place({ ...version, number: version.number + 1 }, version.after, { onStep, by: link });
}
