import type { StateContent } from "@agents/schema/port";
import { encodeColumn } from "./column-text.ts";
import { type Column, type ColumnRun, type StateField, toFiguresField, type Unwritten } from "./record.ts";

/** Texts of a record to be: they go into columns, the record names their numbers. */
export class ColumnDraft {
  readonly texts: string[] = [];

  text(text: string): Column {
    return this.texts.push(encodeColumn(text)) - 1;
  }

  run(texts: readonly string[]): ColumnRun | undefined {
    if (texts.length === 0) return undefined;
    const first = this.texts.length;
    for (const text of texts) this.texts.push(encodeColumn(text));
    return [first, texts.length];
  }

  /** Columns that were taken from another line. */
  encodedRun(columns: readonly string[]): ColumnRun {
    const first = this.texts.length;
    for (const column of columns) this.texts.push(column);
    return [first, columns.length];
  }

  state(content: StateContent): StateField {
    return { kind: content.kind, json: this.text(content.json), figures: toFiguresField(content) };
  }
}

export interface RecordDraft {
  readonly record: Unwritten;
  readonly columns: ColumnDraft;
}
