import { AgentError, type Status } from "@agents/schema/error";

interface Meaning {
  readonly status: Status;
  readonly remedy: string;
}

const FULL: Meaning = {
  status: "RESOURCE_EXHAUSTED",
  remedy: "Free space there, or give the store a directory with more; nothing that was stored is lost.",
};
const FORBIDDEN: Meaning = { status: "UNAVAILABLE", remedy: "Let this process read and write there." };
const MANY: Meaning = { status: "RESOURCE_EXHAUSTED", remedy: "Raise the limit of open files, or lower maxOpen." };
const OTHER: Meaning = { status: "UNAVAILABLE", remedy: "Check the disk and its mount." };

const MEANINGS: Readonly<Record<string, Meaning>> = {
  ENOSPC: FULL,
  EDQUOT: FULL,
  EACCES: FORBIDDEN,
  EPERM: FORBIDDEN,
  EROFS: FORBIDDEN,
  EMFILE: MANY,
  ENFILE: MANY,
};

/** What the file system refused, as the port has it, with the path and what to do. Other errors stay as they are. */
export function toFileError(error: unknown, path: string): unknown {
  if (AgentError.is(error) || !(error instanceof Error)) return error;
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (code === undefined || syscall === undefined) return error;
  const { status, remedy } = MEANINGS[code] ?? OTHER;
  return new AgentError(status, `The file store could not use ${path}: ${code} from ${syscall}. ${remedy}`, {
    details: { path, code },
    cause: error,
  });
}

export function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR");
}
