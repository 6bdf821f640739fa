import type { Agents } from "@agents/core";
import * as z from "zod";
import { waitFor } from "../model/wait-for.ts";

const ReportState = z.object({ title: z.string(), done: z.number(), of: z.number() });
export type ReportState = z.infer<typeof ReportState>;

export interface ReporterOptions {
  /** Sections of a report. @default 20 */
  readonly sections?: number;
  /** How long each takes, in milliseconds. @default 1_000 */
  readonly sectionMs?: number;
}

/** Long work, to be left in the background: it goes on without a client, can be followed again, and stops when asked to. */
export function defineReporter(agents: Agents, { sections = 20, sectionMs = 1_000 }: ReporterOptions = {}) {
  return agents.defineCustomAgent(
    {
      name: "reporter",
      description: "Writes a long report, section by section. Leave, and come back.",
      stateSchema: ReportState,
      initialCustom: { title: "", done: 0, of: 0 },
      statusSchema: z.string(),
    },
    async (session, { sendChunk, sendStatus, abortSignal }) => {
      await session.run(async (input) => {
        const title = (input.message?.content ?? []).map(({ text = "" }) => text).join("") || "Untitled";
        session.updateCustom(() => ({ title, done: 0, of: sections }));
        const written: string[] = [];
        for (let section = 1; section <= sections; section++) {
          await sendStatus(`Writing section ${section} of ${sections}`);
          await waitFor(sectionMs, abortSignal);
          const text = `Section ${section} of "${title}".\n`;
          written.push(text);
          await sendChunk({ modelChunk: { role: "model", content: [{ text }] } });
          session.updateCustom((state) => {
            state.done = section;
          });
        }
        session.addMessages({ role: "model", content: [{ text: written.join("") }] });
        session.addArtifacts({ name: "report", parts: [{ text: `# ${title}\n\n${written.join("\n")}` }] });
      });
      return session.result();
    },
  );
}
