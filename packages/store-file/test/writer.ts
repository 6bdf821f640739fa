import { createFileStore } from "@agents/store-file";
import { begin, LEASE_MS, settle } from "./turn-calls.ts";

/**
 * A process of a test: `writer.ts <directory> <session> <turns>`. Makes so many turns in the session, after those of others
 * that are busy there, and writes a line for each that was answered.
 */
const [directory = "", sessionId = "", turns = "0"] = process.argv.slice(2);
const store = createFileStore({ directory });
process.stdout.write("ready\n");
for (let done = 0; done < Number(turns); ) {
  const begun = await begin(store, sessionId, { leaseMs: LEASE_MS });
  if (begun.type !== "begun") {
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 5));
    continue;
  }
  const events = { firstSeq: 1, events: [JSON.stringify("e".repeat(2_000))] };
  const { ok } = await settle(store, begun.lease, { result: JSON.stringify("x".repeat(10_000)), events });
  if (!ok) throw new Error(`The turn ${begun.lease.snapshotId} was not settled.`);
  process.stdout.write(`${begun.lease.snapshotId}\n`);
  done++;
}
await store.close();
