import type { AgentInput, SessionState } from "@agents/schema/agent";
import { AgentError } from "@agents/schema/error";
import type { Span } from "@agents/schema/port";
import { quietRejection } from "../channel/quiet-rejection.ts";
import type { AgentTurn, TurnCallback, TurnReport } from "../session/agent-session.ts";
import { type CurrentWork, withSession } from "../session/session-context.ts";
import { freezeJson } from "../state/import-json.ts";
import { admitReason } from "./admit-result.ts";
import { checkCustom } from "./check-custom.ts";
import { hasPayload, onlyDetaches } from "./inbox.ts";
import { type MediaOffload, offloadMessage, offloadState } from "./offload-media.ts";
import { RunningTurn } from "./running-turn.ts";
import { StartRefused } from "./turn-recorder.ts";
import type { TurnSettler } from "./turn-settler.ts";
import type { Workbench } from "./workbench.ts";

/** Runs the turns of an invocation, one after the other, each from its row's begin to its end. */
export class TurnRunner<Custom, Status> {
  readonly #bench: Workbench<Custom, Status>;
  readonly #settler: TurnSettler<Custom, Status>;
  #outside: CurrentWork | undefined;
  #begun: AgentInput | undefined;
  #turnCount = 0;
  #processedInputs = 0;
  #running: Promise<void> | undefined;
  /** Also while a callback is called for the first time, when there is no promise of it yet. */
  #isRunning = false;
  /** From the start of a turn until it is settled, or left open for the inputs behind it. */
  #underWay = false;

  constructor(bench: Workbench<Custom, Status>, settler: TurnSettler<Custom, Status>) {
    this.#bench = bench;
    this.#settler = settler;
  }

  /** No turn is under way. */
  get isIdle(): boolean {
    return !this.#underWay && !this.#bench.recorder.isOpen;
  }

  /** No turn is under way, and `run` has ended. */
  get isDone(): boolean {
    return !this.#isRunning && this.isIdle;
  }

  /** Begins the turn of the invocation's first input, which `run` then processes. Throws StartRefused. */
  beginFirst(input: AgentInput, outside: CurrentWork): Promise<unknown> {
    this.#outside = outside;
    const begin = (begun: AgentInput): Promise<unknown> => {
      this.#begun = begun;
      return this.#settler.begin(begun, 0);
    };
    return this.#bench.spec.media === undefined ? begin(input) : this.#lean(input).then(begin);
  }

  /** The agent's `session.run`. A second one is refused, which must not end the process where nobody awaits it. */
  run(callback: TurnCallback): Promise<void> {
    if (this.#isRunning) return quietRejection(alreadyRunning());
    this.#isRunning = true;
    const running = this.#processInputs(callback);
    // The turn says how it ended, also to an agent that does not await this.
    running.catch(() => {});
    this.#running = running;
    return running;
  }

  /** After a stop: resolves when the turn in flight has ended. */
  paused(): Promise<void> {
    return (this.#running ?? Promise.resolve()).catch(() => {});
  }

  /** The agent's function has ended, well or with an error. Ends what is open, and waits for what is ending. */
  async finish(failure?: { readonly error: unknown }): Promise<void> {
    const { recorder, spec } = this.#bench;
    if (this.#isRunning) await this.paused();
    if (!recorder.isOpen) return;
    if (failure === undefined && this.#processedInputs > 0) return this.#settler.complete();
    const { error } = failure ?? { error: notProcessed(spec.name) };
    await this.#settler.failAfter({ error, turnIndex: Math.max(0, this.#turnCount - 1) });
    if (failure === undefined) throw error;
  }

  /** Stores what changed after the last turn, by the rules of a turn. */
  async saveEnd(): Promise<void> {
    const { spec } = this.#bench;
    this.#checkWork();
    if (spec.media !== undefined) await this.#offload(spec.media);
    await this.#settler.saveEnd(this.#turnCount);
  }

  async #processInputs(callback: TurnCallback): Promise<void> {
    try {
      let input = this.#takeInput() ?? (await this.#nextInput());
      while (input !== undefined) {
        this.#underWay = true;
        await this.#processInput(input, callback);
        this.#underWay = false;
        input = this.#bench.inbox.isEmpty ? undefined : await this.#nextInput();
      }
      // The client has left, and the last of its inputs is done.
      if (this.#bench.recorder.isOpen) await this.#settler.complete();
    } catch (error) {
      throw error instanceof StartRefused ? error.error : error;
    } finally {
      this.#underWay = false;
      this.#isRunning = false;
    }
  }

  #takeInput(): AgentInput | undefined {
    const input = this.#begun;
    this.#begun = undefined;
    return input;
  }

  /** Stopped while no turn is in flight: nothing is aborted by it, there is just nothing more to do. */
  async #nextInput(): Promise<AgentInput | undefined> {
    const { stop, inbox, recorder } = this.#bench;
    try {
      const input = await stop.race(inbox.next());
      return input && this.#lean(input);
    } catch (error) {
      if (stop.cause !== undefined && !recorder.isOpen) return undefined;
      throw error;
    }
  }

  /** Without large media: before the row is made, so that it does not hold them either. */
  async #lean(input: AgentInput): Promise<AgentInput> {
    const { spec, recorder, context } = this.#bench;
    if (input.message === undefined || spec.media === undefined) return input;
    const place = { sessionId: recorder.sessionId, context };
    try {
      const message = await offloadMessage(spec.media, input.message, place);
      return freezeJson({ ...input, message }) as AgentInput;
    } catch (error) {
      if (!recorder.isOpen) await this.#settler.notBegun({ error, turnIndex: this.#turnCount });
      throw error;
    }
  }

  async #processInput(input: AgentInput, callback: TurnCallback): Promise<void> {
    const { spec, emitter, detach, recorder } = this.#bench;
    const settler = this.#settler;
    const start = settler.open ?? (await settler.begin(input, this.#turnCount));
    // It starts no turn: the row is there for the client to come back to.
    if (onlyDetaches(input)) return;
    const turnIndex = this.#turnCount++;
    const turn = new RunningTurn(this.#bench, start, turnIndex);
    settler.startInput();
    emitter.startTurn();
    try {
      const report: TurnReport | undefined = (await this.#work(input, callback, turn)) ?? undefined;
      const reason = admitReason(report?.finishReason ?? "stop", "/report/finishReason");
      if (emitter.isBusy) await emitter.idle();
      this.#checkWork();
      if (spec.media !== undefined) await this.#offload(spec.media);
      settler.used(turn.end());
      settler.processed({ finishReason: reason, turnIndex });
      this.#processedInputs++;
      // A detached row belongs to all inputs that are queued, and settles after the last of them.
      if (!detach.requested) await settler.complete();
    } catch (error) {
      settler.used(turn.end());
      // Otherwise it was settled after all, with an abort that came before, or is not ours any more.
      if (recorder.isOpen) await settler.fail({ error, message: input.message, turnIndex });
      throw error;
    }
  }

  // biome-ignore lint/suspicious/noConfusingVoidType: what a callback returns.
  #work(input: AgentInput, callback: TurnCallback, turn: AgentTurn): Promise<TurnReport | void> {
    const { spec, live, stop, telemetry } = this.#bench;
    if (!hasPayload(input) && live.state.history.length === 0) throw nothingToDo();
    if (input.message !== undefined) live.take(input.message);
    const { sessionId } = live.state;
    const { session, around } = this.#outside as CurrentWork;
    const current = { session, turn, around };
    const attributes = {
      "gen_ai.operation.name": "invoke_agent",
      "gen_ai.conversation.id": sessionId,
      "agent.session.id": sessionId,
      "agent.snapshot.id": turn.snapshotId,
    };
    return telemetry.span(`runTurn-${turn.turnIndex + 1}`, attributes, (span) => {
      const work = stop.race(withSession(current, () => Promise.resolve(callback(input, turn))));
      return spec.recordState ? this.#recorded(work, span) : work;
    });
  }

  /** The outcome of the work, once its span has the state that it led to. A stop does not wait for that. */
  async #recorded<T>(work: Promise<T>, span: Span): Promise<T> {
    try {
      return await work;
    } finally {
      await this.#bench.stop.race(this.#recordState(span), () => Promise.resolve());
    }
  }

  /** As clients see it. What cannot be shown to them is not shown here either. */
  async #recordState(span: Span): Promise<void> {
    const { live, transform } = this.#bench;
    const state = live.state.value as SessionState<Custom>;
    const shown = transform.state === undefined ? state : await transform.state(state).catch(() => undefined);
    if (shown?.custom !== undefined) span.setAttributes({ "agent.state.custom": JSON.stringify(shown.custom) });
  }

  /** Everything is out and fits, and nobody wants the turn to stop. */
  #checkWork(): void {
    const { spec, stop, live, emitter } = this.#bench;
    emitter.throwIfBroken();
    if (stop.cause !== undefined) throw stop.cause.error;
    checkCustom(spec, live.state.custom);
  }

  async #offload(media: MediaOffload): Promise<void> {
    const { live, recorder, context } = this.#bench;
    const from = live.appendOnly ? (recorder.lastStored?.history.length ?? 0) : 0;
    const light = await offloadState(media, live.state, { sessionId: live.state.sessionId, context, from });
    if (light !== live.state) live.lighten(light);
  }
}

function alreadyRunning(): AgentError {
  return new AgentError(
    "FAILED_PRECONDITION",
    "session.run is running already: inputs are processed one after the other.",
  );
}

function nothingToDo(): AgentError {
  return new AgentError(
    "INVALID_ARGUMENT",
    "The input has neither a message nor a resume, and the conversation is empty. Send a message.",
  );
}

function notProcessed(agent: string): AgentError {
  return new AgentError(
    "FAILED_PRECONDITION",
    `Agent '${agent}' returned without processing its input. Its function has to call session.run.`,
  );
}
