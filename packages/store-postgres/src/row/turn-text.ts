import { AgentError } from "@agents/schema/error";
import type { TurnMeta } from "@agents/schema/port";
import { COLUMN_SEPARATOR } from "../sql/row-text.ts";
import { decodeText } from "../text/text.ts";
import { ROW_FORMAT } from "./row-format.ts";

/** How many columns `turnText` writes. */
const COLUMNS = 22;

/**
 * A row as `turnText` wrote it. Throws FAILED_PRECONDITION for one that a newer version of this package wrote, DATA_LOSS for
 * one that does not decode.
 */
export function readTurnText(text: string | null | undefined): TurnMeta {
  const columns = (text ?? "").split(COLUMN_SEPARATOR);
  const column = (index: number): string => columns[index] ?? "";
  ROW_FORMAT.read(Number(column(0)), columns, `turn ${column(1)}`);
  if (columns.length !== COLUMNS) {
    throw new AgentError("DATA_LOSS", `Postgres store: the row of turn ${column(1)} does not decode.`);
  }
  const status = column(6) as TurnMeta["status"];
  const meta: { -readonly [Field in keyof TurnMeta]: TurnMeta[Field] } = {
    snapshotId: decodeText(column(1)),
    sessionId: decodeText(column(2)),
    agent: decodeText(column(3)),
    ordinal: Number(column(5)),
    status,
    stale: column(7) === "t",
    version: Number(column(8)),
    epoch: Number(column(9)),
    lastSeq: Number(column(10)),
    createdAt: Number(column(13)),
    updatedAt: Number(column(14)),
  };
  if (column(4) !== "") meta.parentId = decodeText(column(4).slice(1));
  if (column(11) !== "") meta.result = decodeText(column(11).slice(1));
  if (column(12) !== "") meta.owner = decodeText(column(12).slice(1));
  if (column(15) !== "") meta.heartbeatAt = Number(column(15));
  if (column(16) !== "" && status !== "pending" && status !== "aborting") {
    meta.state = {
      stateHash: decodeText(column(17)),
      messagesDigest: decodeText(column(18)),
      stateBytes: Number(column(19)),
      loadBytes: Number(column(20)),
      loadRows: Number(column(21)),
    };
  }
  return meta;
}
