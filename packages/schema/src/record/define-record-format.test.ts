import { describe, expect, it } from "vitest";
import { defineRecordFormat } from "./define-record-format.ts";

const format = defineRecordFormat({
  what: "a record",
  version: 3,
  migrations: {
    1: (record) => ({ ...(record as object), second: true }),
    2: (record) => ({ ...(record as object), third: true }),
  },
});

describe("a record format", () => {
  it("gives back a record of its own version as it is", () => {
    const record = { any: "thing" };
    expect(format.read(3, record, "here")).toBe(record);
  });

  it("migrates an older record step by step", () => {
    expect(format.read(1, {}, "here")).toEqual({ second: true, third: true });
    expect(format.read(2, {}, "here")).toEqual({ third: true });
  });

  it("refuses a record of a newer version, naming both", () => {
    expect(() => format.read(4, {}, "row 7")).toThrow(/a record at row 7 has version 4; this package reads up to 3/);
  });

  it.each([0, -1, 1.5, "1", null, undefined])("refuses %s as a version", (version) => {
    expect(() => format.read(version, {}, "row 7")).toThrow(expect.objectContaining({ status: "DATA_LOSS" }));
  });

  it("is not defined with a version that nobody can migrate", () => {
    expect(() => defineRecordFormat({ what: "a record", version: 2, migrations: {} })).toThrow(/version 1/);
  });
});
