import { type Agents, generate, generateStream } from "@agents/core";
import type { Model } from "@agents/schema/port";
import * as z from "zod";

const Question = z.object({ question: z.string(), answer: z.string().optional() });
const ResearchState = z.object({
  topic: z.string(),
  phase: z.enum(["idle", "planning", "answering", "writing", "done"]),
  questions: z.array(Question),
});
export type ResearchState = z.infer<typeof ResearchState>;

const Plan = z.object({ questions: z.array(z.string().min(1)).min(1).max(5) });

/** Owns its loop: a plan as JSON, an answer to each question, a synthesis that is streamed, and a report as an artifact. */
export function defineResearcher(agents: Agents, model: Model) {
  return agents.defineCustomAgent(
    {
      name: "researcher",
      description: "Plans, answers questions one by one, and writes a report.",
      stateSchema: ResearchState,
      initialCustom: { topic: "", phase: "idle", questions: [] },
    },
    async (session, { sendChunk }) => {
      await session.run(async (input, turn) => {
        const topic = (input.message?.content ?? []).map(({ text = "" }) => text).join("");
        session.updateCustom(() => ({ topic, phase: "planning", questions: [] }));

        const plan = await generate({ model, prompt: `Plan the research on: ${topic}`, output: { schema: Plan } });
        session.updateCustom((state) => {
          state.phase = "answering";
          state.questions = plan.output.questions.map((question) => ({ question }));
        });

        for (const [index, { question }] of session.getCustom().questions.entries()) {
          const { text } = await generate({ model, system: "Answer in two sentences.", prompt: question });
          session.updateCustom((state) => {
            const asked = state.questions[index];
            if (asked !== undefined) asked.answer = text;
          });
        }

        session.updateCustom((state) => {
          state.phase = "writing";
        });
        const found = session
          .getCustom()
          .questions.map(({ question, answer }) => `${question} ${answer}`)
          .join("\n");
        const { stream, response } = generateStream({
          model,
          system: "Write a short synthesis of these findings.",
          prompt: `${topic}:\n${found}`,
        });
        for await (const modelChunk of stream) await sendChunk({ modelChunk });
        const { message, text } = await response;

        session.addMessages(message);
        session.addArtifacts({
          name: `${turn.snapshotId ?? "report"}`,
          parts: [{ text: `# ${topic}\n\n${text}\n\n${found}` }],
        });
        session.updateCustom((state) => {
          state.phase = "done";
        });
      });
      return session.result();
    },
  );
}
