import type { AgentChunk } from "@agents/schema/agent";
import type { ToolCall } from "@agents/schema/port";
import type { Progress } from "@modelcontextprotocol/sdk/types.js";

/** How far a call is. */
export interface McpProgress {
  /** The tool, by the name that the model knows. */
  readonly tool: string;
  /** Which call of it. */
  readonly ref: string;
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

/** `true`: a status chunk with the progress. A function makes a chunk of it, or none. */
export type McpProgressOption = boolean | ((progress: McpProgress) => AgentChunk | undefined);

export interface ProgressChunks {
  readonly onprogress: (progress: Progress) => void;
  /** Resolves when all chunks were taken; rejects as the first that was not. No chunk is sent after it was called. */
  end(): Promise<void>;
}

/** Sends a call's progress as chunks, one after the other. Undefined when nobody wants it: the server then sends none. */
export function createProgressChunks(
  option: McpProgressOption,
  { name, ref, sendChunk }: Pick<ToolCall, "name" | "ref" | "sendChunk">,
): ProgressChunks | undefined {
  if (option === false) return undefined;
  const toChunk = option === true ? (status: McpProgress): AgentChunk => ({ status }) : option;
  let sent: Promise<void> = Promise.resolve();
  let over = false;
  return {
    onprogress({ progress, total, message }) {
      if (over) return;
      const seen: McpProgress = {
        tool: name,
        ref,
        progress,
        ...(total === undefined ? {} : { total }),
        ...(message === undefined ? {} : { message }),
      };
      sent = sent.then(async () => {
        const chunk = toChunk(seen);
        if (chunk !== undefined) await sendChunk(chunk);
      });
      // Told by `end`; until then it is nobody's.
      sent.catch(() => {});
    },
    end() {
      over = true;
      return sent;
    },
  };
}
