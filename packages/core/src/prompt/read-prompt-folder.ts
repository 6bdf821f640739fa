import { readdirSync, readFileSync } from "node:fs";
import { join, relative, resolve, sep } from "node:path";
import { AgentError } from "@agents/schema/error";
import { dotpromptPrompt } from "./dotprompt-prompt.ts";
import type { Prompt } from "./prompt.ts";

const EXTENSION = ".prompt";

/**
 * The prompts of a folder and those below it, each named for its path without the extension: `reports/daily`. A file whose
 * name starts with `_` is a partial: `_tone.prompt` is included by `{{>tone}}`. Throws NOT_FOUND where there is no folder.
 */
export function readPromptFolder(folder: string): Prompt[] {
  const root = resolve(folder);
  const files = filesOf(root).filter((file) => file.endsWith(EXTENSION));
  const partials = new Map<string, string>();
  const sources = new Map<string, { source: string; where: string }>();
  for (const file of files) {
    const name = relative(root, file).slice(0, -EXTENSION.length).split(sep).join("/");
    const where = join(folder, relative(root, file));
    const source = readFileSync(file, "utf8");
    const base = name.slice(name.lastIndexOf("/") + 1);
    if (base.startsWith("_")) partials.set(name.slice(0, -base.length) + base.slice(1), source);
    else sources.set(name, { source, where });
  }
  return [...sources].map(([name, { source, where }]) => dotpromptPrompt({ name, source, where, partials }));
}

function filesOf(root: string): string[] {
  try {
    return readdirSync(root, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .sort();
  } catch (cause) {
    const reason = cause instanceof Error && "code" in cause ? String(cause.code) : "unknown reason";
    throw new AgentError("NOT_FOUND", `The folder of prompts ${root} cannot be read (${reason}).`, { cause });
  }
}
