import type { StateContent, StateFigures } from "@agents/schema/port";
import { encodeColumn } from "./column-text.ts";
import type { Column, ColumnRun, InputField, StateField, Unwritten } from "./record.ts";
import { stateTexts, toStateField } from "./state-field.ts";

export interface RecordDraft {
  readonly record: Unwritten;
  readonly columns: ColumnDraft;
}

/** Texts of a record to be: they go into columns, the record names their numbers. */
export class ColumnDraft {
  readonly texts: string[] = [];

  text(text: string): Column {
    return this.texts.push(encodeColumn(text)) - 1;
  }

  run(texts: readonly string[]): ColumnRun {
    return this.encodedRun(texts.map(encodeColumn));
  }

  /** Undefined when there is none. */
  events(texts: readonly string[]): ColumnRun | undefined {
    return texts.length === 0 ? undefined : this.run(texts);
  }

  /** Columns that were taken from another line. */
  encodedRun(columns: readonly string[]): ColumnRun {
    const first = this.texts.length;
    for (const column of columns) this.texts.push(column);
    return [first, columns.length];
  }

  /** The first event of a turn has its input in it, as a rule. */
  input(text: string, events: ColumnRun | undefined): InputField {
    const event = events && this.texts[events[0]];
    const start = event === undefined || encodeColumn(text) !== text ? -1 : event.indexOf(text);
    if (events === undefined || event === undefined || start === -1) return this.text(text);
    return [events[0], Buffer.byteLength(event.slice(0, start)), Buffer.byteLength(text)];
  }

  state(content: Pick<StateContent, "kind" | "json"> & StateFigures): StateField {
    const { kind, texts } = stateTexts(content);
    return toStateField(kind, this.run(texts), content);
  }
}
