import { defineRecordFormat } from "@agents/schema/record";

/** Of a row, in its column `format`. A change that older rows must be read through gets the next number and a migration. */
export const ROW_FORMAT = defineRecordFormat({ what: "a row of the Postgres store", version: 1, migrations: {} });
