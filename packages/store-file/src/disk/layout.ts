import { randomBytes } from "node:crypto";
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { AgentError } from "@agents/schema/error";
import { isMissing, toFileError } from "./file-error.ts";

/** Version of the directory's layout. Records have their own. */
export const LAYOUT_VERSION = 1;

export const LAYOUT_FILE = "layout.json";

/** In a scope's folder: a folder per route. */
export const SESSIONS_FOLDER = "sessions";

export interface Layout {
  /** Seals cursors, so that every process over the directory takes those of the others. */
  readonly cursorKey: string;
}

/**
 * Opens a store's directory, and makes it if need be; two processes at once are fine. Throws FAILED_PRECONDITION for a
 * layout that this version does not know.
 */
export function openLayout(directory: string): Layout {
  const path = join(directory, LAYOUT_FILE);
  try {
    mkdirSync(directory, { recursive: true });
    return readLayout(path) ?? makeLayout(path);
  } catch (error) {
    throw toFileError(error, path);
  }
}

function readLayout(path: string): Layout | undefined {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
  return parseLayout(text, path);
}

function parseLayout(text: string, path: string): Layout {
  let layout: unknown;
  try {
    layout = JSON.parse(text);
  } catch (cause) {
    throw new AgentError("DATA_LOSS", `${path} is no JSON; restore it, or {"layout":1,"cursorKey":"any text"}.`, {
      details: { path },
      cause,
    });
  }
  const { layout: version, cursorKey } = layout as { layout?: unknown; cursorKey?: unknown };
  if (version === LAYOUT_VERSION && typeof cursorKey === "string") return { cursorKey };
  throw new AgentError(
    "FAILED_PRECONDITION",
    `${path} says layout ${JSON.stringify(version)}; this version of the file store knows ${LAYOUT_VERSION}. Update the package, or give it another directory.`,
    { details: { path, layout: version, supported: LAYOUT_VERSION } },
  );
}

/** Written aside and linked, so that nobody reads half of it and the first of two makers wins. */
function makeLayout(path: string): Layout {
  const draft = `${path}.${randomBytes(6).toString("hex")}`;
  const layout = { layout: LAYOUT_VERSION, cursorKey: randomBytes(16).toString("hex") };
  try {
    writeFileSync(draft, `${JSON.stringify(layout)}\n`, { flush: true });
    linkSync(draft, path);
    return layout;
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
    return readLayout(path) ?? layout;
  } finally {
    rmSync(draft, { force: true });
  }
}
