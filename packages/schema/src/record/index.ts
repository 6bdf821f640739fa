export { defineRecordFormat, type RecordFormat, type RecordFormatOptions } from "./define-record-format.ts";
