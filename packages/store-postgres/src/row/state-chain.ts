import { AgentError } from "@agents/schema/error";
import type { StateChain, StateRow } from "@agents/schema/port";
import type { Row } from "../database/statement.ts";
import { decodeText, SEPARATOR } from "../text/text.ts";

/** The second row of an answer: a state that the caller holds, and what leads on from it, joined. */
export function stateChain(rows: readonly Row[]): StateChain {
  const [, known, ids, kinds, contents] = rows[1] ?? [];
  const chain = typeof ids === "string" ? chainRows(ids, kinds ?? "", contents ?? "") : [];
  return typeof known === "string" ? { knownId: decodeText(known), rows: chain } : { rows: chain };
}

function chainRows(ids: string, kinds: string, contents: string): StateRow[] {
  const kind = kinds.split(SEPARATOR);
  const content = contents.split(SEPARATOR);
  return ids.split(SEPARATOR).map((id, index) => {
    const snapshotId = decodeText(id);
    const isKind = kind[index] === "full" || kind[index] === "patch";
    if (!isKind) throw new AgentError("DATA_LOSS", `Postgres store: the state of ${snapshotId} has no kind.`);
    return { snapshotId, kind: kind[index] as "full" | "patch", json: decodeText(content[index] ?? "") };
  });
}
