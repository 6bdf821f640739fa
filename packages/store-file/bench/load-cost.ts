import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { sessionRoute } from "@agents/schema/hash";
import { createFileStore } from "@agents/store-file";
import type { Comparison } from "@tooling/bench";
import { openBench, question } from "./agent.ts";

export interface LoadCost {
  readonly comparisons: readonly Comparison[];
  close(): Promise<void>;
}

/** A store that was just opened loads a session, against reading its file and parsing every JSON text in it. */
export async function loadCost(messages: number): Promise<LoadCost> {
  const { agent, directory, close } = openBench({ durability: "os" });
  for (let turn = 0; turn < messages / 2; turn++) await agent.runText(question(), { sessionId: "s" });
  const folder = join(directory, "sessions", sessionRoute("s"));
  const files = readdirSync(folder).map((name) => join(folder, name));
  const among = ["completed"] as const;
  const caller = { scope: "" };
  const open = createFileStore({ directory });
  return {
    comparisons: [
      {
        name: `load ${messages} messages into a store just opened / read and parse the same bytes`,
        async ours() {
          const store = createFileStore({ directory });
          const read = await store.turns.read(caller, { sessionId: "s", among }, { known: [] });
          for (const row of read?.chain?.rows ?? []) if ("json" in row) JSON.parse(row.json);
          await store.close();
        },
        baseline() {
          for (const file of files) parseAll(readFileSync(file, "utf8"));
        },
        atMost: 2,
      },
      {
        name: `load ${messages} messages of a session that is open / the same`,
        async ours() {
          const read = await open.turns.read(caller, { sessionId: "s", among }, { known: [] });
          for (const row of read?.chain?.rows ?? []) if ("json" in row) JSON.parse(row.json);
        },
        baseline() {
          for (const file of files) parseAll(readFileSync(file, "utf8"));
        },
        atMost: 2,
      },
    ],
    async close() {
      await open.close();
      await close();
    },
  };
}

function parseAll(text: string): void {
  for (const line of text.split("\n")) {
    if (line === "") continue;
    for (const column of line.slice(line.indexOf("{")).split("\t")) JSON.parse(column);
  }
}
