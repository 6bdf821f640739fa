import type { AgentInput, Message } from "@agents/schema/agent";
import type { Generation, Transcript } from "../generate/generation.ts";
import { pendingRound } from "../generate/pending-requests.ts";
import { closeRound, resumeRound } from "../generate/resume-round.ts";
import type { Round } from "../generate/round.ts";
import { runRounds, sendAnswers } from "../generate/run-rounds.ts";
import { validateResume } from "../generate/validate-resume.ts";
import type { AgentSession, TurnReport } from "../session/agent-session.ts";
import { type CurrentWork, currentWork } from "../session/session-context.ts";
import { type Conversation, generationOf, prepareTurn } from "./conversation.ts";

/** One turn of a prompt agent: calls that wait are answered or closed, then the model is asked until it has said its last. */
export async function converse(
  conversation: Conversation,
  session: AgentSession,
  input: AgentInput,
): Promise<TurnReport> {
  const work = currentWork() as CurrentWork;
  const moment = { context: work.around.context, custom: session.getCustom() };
  const prepared = await prepareTurn(conversation, moment);
  const generation = generationOf(prepared, work, conversation.history);
  const table = new Table(session, input, work);
  const settled = await settlePending(generation, table, input);
  if (settled === "waiting") return { finishReason: "interrupted" };
  const { finishReason } = await runRounds(generation, table, settled === "answered" ? 1 : 0);
  return { finishReason };
}

/** What was left open by the turn before: a resume answers it, and a new message closes what is still open then. */
async function settlePending(
  generation: Generation,
  table: Table,
  { message, resume }: AgentInput,
): Promise<"nothing" | "answered" | "waiting"> {
  if (resume !== undefined) {
    const plan = validateResume(table.earlier(), resume);
    const round = await resumeRound(generation.tools, plan, generation.signal);
    table.put(round, plan.index);
    if (round.type === "answered") return answered(generation, round);
    if (message === undefined) return "waiting";
  }
  const pending = pendingRound(table.earlier());
  if (pending === undefined) return "nothing";
  const closed = closeRound(pending);
  table.put(closed, pending.index);
  return answered(generation, closed);
}

async function answered(
  generation: Generation,
  { answers }: Extract<Round, { type: "answered" }>,
): Promise<"answered"> {
  await sendAnswers(generation, answers, 0);
  return "answered";
}

/** The session's messages, with the user's new one last if there is one. */
class Table implements Transcript {
  readonly #session: AgentSession;
  readonly #work: CurrentWork;
  readonly #newest: readonly Message[];

  constructor(session: AgentSession, { message }: AgentInput, work: CurrentWork) {
    this.#session = session;
    this.#work = work;
    this.#newest = message === undefined ? [] : session.getMessages().slice(-1);
  }

  /** Without the user's new message. */
  earlier(): readonly Message[] {
    const messages = this.read();
    return this.#newest.length === 0 ? messages : messages.slice(0, -1);
  }

  read(): readonly Message[] {
    return this.#session.getMessages();
  }

  /** What is complete need not be done again if the turn fails later. */
  add(...messages: readonly Message[]): void {
    this.#session.addMessages(...messages);
    this.#work.around.keepSoFar();
  }

  /** Puts a round in the place of its model message. */
  put(round: Round, index: number): void {
    const messages = this.earlier();
    const answers = round.type === "answered" ? [round.answers] : [];
    const isLast = index === messages.length - 1;
    if (isLast && round.message === messages[index] && this.#newest.length === 0) this.add(...answers);
    else {
      const next = [...messages.slice(0, index), round.message, ...answers, ...messages.slice(index + 1)];
      this.#session.setMessages([...next, ...this.#newest]);
      this.#work.around.keepSoFar();
    }
  }
}
