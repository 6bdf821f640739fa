import { AgentError } from "@agents/schema/error";
import type { StateChain, StateRow } from "@agents/schema/port";
import type { Row } from "../database/statement.ts";
import { decodeText } from "../text/text.ts";

/** The rows of an answer after its first: a state that the caller holds, then what leads on from it. */
export function stateChain(rows: readonly Row[], first = 1): StateChain {
  let knownId: string | undefined;
  const chain: StateRow[] = [];
  for (let index = first; index < rows.length; index++) {
    const [kind, id, content] = rows[index] as Row;
    const snapshotId = decodeText(id ?? "");
    if (kind === "known") knownId = snapshotId;
    else if (kind === "full" || kind === "patch") chain.push({ snapshotId, kind, json: decodeText(content ?? "") });
    else throw new AgentError("DATA_LOSS", `Postgres store: the state of ${snapshotId} has the kind ${kind}.`);
  }
  return knownId === undefined ? { rows: chain } : { knownId, rows: chain };
}
