import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeColumn, encodeColumn } from "./column-text.ts";
import { columnsOf, decodeLine, encodeLine } from "./line.ts";
import type { JournalRecord } from "./record.ts";
import { ColumnDraft } from "./record-draft.ts";
import { stateText, stateTexts } from "./state-field.ts";

const TEXT = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.string({ unit: fc.constantFrom("\t", "\n", "~", '"', "\\", "\u0000", "\ud800", "\udc00", "\u2028", "🙂", "a") }),
  fc.json(),
);
const RECORD: JournalRecord = { t: "delete", if: 1, at: 2, by: "x.0" };

describe("a line", () => {
  it("gives back every text exactly, wherever it stands", () => {
    fc.assert(
      fc.property(fc.array(TEXT, { minLength: 1, maxLength: 6 }), fc.nat(50), (texts, offset) => {
        const columns = new ColumnDraft();
        for (const text of texts) columns.text(text);
        const line = encodeLine(RECORD, columns.texts);
        expect(line.indexOf("\n")).toBe(line.length - 1);
        const buffer = Buffer.concat([Buffer.alloc(offset, "."), line]);
        const at = { start: offset, end: buffer.length - 1, offset: 0, path: "p" };
        const decoded = decodeLine(buffer, at);
        expect(decoded?.record).toEqual(RECORD);
        for (const from of [decoded?.columns, columnsOf(line, offset)]) {
          const read = texts.map((_, index) => {
            const text = from?.text(index) ?? { at: 0, size: 0 };
            return decodeColumn(buffer.toString("utf8", text.at, text.at + text.size));
          });
          expect(read).toEqual(texts);
        }
      }),
    );
  });

  it("is nothing once any byte of it is another", () => {
    const line = encodeLine(RECORD, ["text"]);
    for (let at = 0; at < line.length - 1; at++) {
      const damaged = Buffer.from(line);
      damaged[at] = (damaged[at] ?? 0) ^ 1;
      expect(
        decodeLine(damaged, { start: 0, end: line.length - 1, offset: 0, path: "p" }),
        `byte ${at}`,
      ).toBeUndefined();
    }
  });

  it("quotes only what has to be", () => {
    expect(encodeColumn('{"a":"\\n~ü🙂"}')).toBe('{"a":"\\n~ü🙂"}');
    expect(encodeColumn("~")).toBe('~"~"');
  });
});

describe("a state", () => {
  const message = fc.record({ role: fc.constant("user"), content: fc.array(fc.json({ maxDepth: 2 })) });
  const add = fc.record({ op: fc.constant("add"), path: fc.constant("/messages/-"), value: message });
  const other = fc.constant({ op: "replace", path: "/custom", value: '},{"op":"add","path":"/messages/-","value":' });
  const json = fc.oneof(
    fc.array(fc.oneof(add, add, other)).map((operations) => JSON.stringify(operations)),
    TEXT,
  );

  it("gives back its exact text, messages in columns of their own or not", () => {
    fc.assert(
      fc.property(json, fc.constantFrom("full" as const, "patch" as const), (text, kind) => {
        const state = stateTexts({ kind, json: text });
        const columns = new ColumnDraft();
        columns.run(state.texts);
        expect(stateText(state.kind, columns.texts.join("\t"))).toBe(text);
      }),
    );
  });

  it("that only adds messages has a column for each", () => {
    const patch = JSON.stringify([1, 2].map((value) => ({ op: "add", path: "/messages/-", value })));
    expect(stateTexts({ kind: "patch", json: patch })).toEqual({ kind: "messages", texts: ["1", "2"] });
  });
});

describe("an input", () => {
  it("that stands in the first event is not written twice", () => {
    const columns = new ColumnDraft();
    const events = columns.events([JSON.stringify({ data: { ü: 1, input: { message: "ü" } } })]);
    const field = columns.input('{"message":"ü"}', events);
    expect(columns.texts).toHaveLength(1);
    const line = encodeLine(RECORD, columns.texts);
    const { at, size } = columnsOf(line, 0).part(field as readonly [number, number, number]);
    expect(line.toString("utf8", at, at + size)).toBe('{"message":"ü"}');
  });
});
