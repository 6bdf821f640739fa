import { AgentError } from "@agents/schema/error";
import type { Script } from "../lua/scripts.ts";
import { isWellFormed } from "../record/is-well-formed.ts";
import type { Reply } from "../record/script-reply.ts";
import { sessionFormat } from "../record/session-format.ts";
import type { RedisServer } from "./redis-server.ts";
import { isMissingScript, toStoreError } from "./to-store-error.ts";

export interface ScriptCall {
  readonly script: Script;
  readonly keys: readonly [string, ...string[]];
  readonly args: readonly string[];
}

/**
 * One round trip, as long as the server knows the script: after a restart or a flush it is sent whole, once. Throws
 * INVALID_ARGUMENT for a text that UTF-8 cannot carry, FAILED_PRECONDITION for a session of a newer version.
 */
export async function runScript(server: RedisServer, call: ScriptCall): Promise<readonly Reply[]> {
  refuseUnstorable(call);
  const { script, keys, args } = call;
  const rest = [String(keys.length), ...keys, ...args];
  let reply: unknown;
  try {
    reply = await server.send(keys[0], ["EVALSHA", script.sha, ...rest]);
  } catch (error) {
    if (!isMissingScript(error)) throw toStoreError(error);
    reply = await server.send(keys[0], ["EVAL", script.source, ...rest]).catch((second: unknown) => {
      throw toStoreError(second);
    });
  }
  const list = reply as readonly Reply[];
  // Throws, unless there is nothing to say about the version.
  if (list[0] === "format") sessionFormat.read(toVersion(list[1]), undefined, keys[0]);
  return list;
}

function refuseUnstorable({ script, args }: ScriptCall): void {
  for (const text of args) {
    if (!isWellFormed(text)) throw notUtf8(script, text);
  }
}

function notUtf8({ name }: Script, text: string): AgentError {
  const at = [...text].findIndex((character) => !isWellFormed(character));
  return new AgentError(
    "INVALID_ARGUMENT",
    `A text given to ${name} has half a surrogate pair as its character ${at}: ${JSON.stringify(text.slice(0, 40))}. Replace it; it cannot be stored.`,
    { details: { call: name, character: at } },
  );
}

function toVersion(found: Reply | undefined): unknown {
  return /^\d{1,9}$/.test(String(found)) ? Number(found) : found;
}
