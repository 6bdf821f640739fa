import type { AgentOutput } from "@agents/schema/agent";
import { fromWireError } from "@agents/schema/error";
import { wait } from "../clock/wait.ts";
import { backoffMs } from "../transport/backoff.ts";
import type { FrameReader, Received } from "../transport/frame-reader.ts";
import type { OpenedStream } from "../transport/open-stream.ts";
import type { Settings } from "../transport/settings.ts";
import { type Entry, entryOf } from "./entry.ts";
import { type JoinState, type Loss, onEntry, onLoss, onOpened } from "./join-state.ts";

/** What the source asks of the server once the turn has an id. */
export interface TurnRoutes<Custom> {
  join(state: JoinState, how: ConnectHow): Promise<OpenedStream>;
  /** How the turn ended, by its snapshot; "live" when it has not. */
  settle(state: JoinState, signal: AbortSignal): Promise<AgentOutput<Custom> | "live">;
}

export interface ConnectHow {
  readonly idleMs: () => number;
  readonly signal: AbortSignal;
}

export type Pulled<Status> =
  | { readonly type: "entry"; readonly entry: Entry<Status> }
  | { readonly type: "ended" }
  /** Somebody called `pause`; the next `next` goes on. */
  | { readonly type: "paused" };

/** A connection that lived this long was no failure, whatever it brought. */
const STEADY_MS = 10_000;

type Mode<Custom> =
  /** The request that starts the turn is not answered yet. */
  | { readonly type: "starting"; readonly answer: Promise<OpenedStream> }
  /** The same, and its stream is closed when it comes. */
  | { readonly type: "leaving"; readonly answer: Promise<OpenedStream> }
  | { readonly type: "reading"; readonly frames: FrameReader; readonly since: number }
  /** To connect again, after the wait that so many failures ask for. */
  | { readonly type: "joining"; readonly failures: number }
  /** To ask the snapshot. */
  | { readonly type: "settling"; readonly loss: Loss }
  | { readonly type: "ended"; readonly output: AgentOutput<Custom> }
  | { readonly type: "failed"; readonly error: unknown };

/**
 * A turn's entries in order, each once, over as many connections as it takes. One `next` at a time. Nothing is read
 * before it is asked for, so a slow reader slows the turn.
 */
export class TurnSource<Custom, Status> {
  readonly #settings: Settings;
  readonly #routes: TurnRoutes<Custom>;
  #state: JoinState;
  #mode: Mode<Custom>;
  /** Wakes whatever `next` waits for: a pause, or the end. */
  #wake = new AbortController();

  constructor(settings: Settings, routes: TurnRoutes<Custom>, state: JoinState) {
    this.#settings = settings;
    this.#routes = routes;
    this.#state = state;
    this.#mode = { type: "joining", failures: 0 };
  }

  get turnId(): string | undefined {
    return this.#state.turnId;
  }

  /** Its `turnEnd` was given out. */
  get over(): boolean {
    return this.#state.over;
  }

  get ended(): boolean {
    return this.#mode.type === "ended" || this.#mode.type === "failed";
  }

  /** The result; rejects with what `next` does. Only once the source has ended. */
  get output(): AgentOutput<Custom> {
    if (this.#mode.type === "ended") return this.#mode.output;
    throw this.#mode.type === "failed" ? this.#mode.error : new Error("The turn's source has not ended.");
  }

  /** Sends the request that starts the turn. Resolves when it is answered, however, and never rejects. */
  async start(send: (how: ConnectHow) => Promise<OpenedStream>, signal: AbortSignal): Promise<void> {
    const answer = send({ idleMs: this.#idleMs, signal });
    this.#mode = { type: "starting", answer };
    try {
      const opened = await answer;
      // Nobody knows whether a request that was not answered has begun a turn, so it is not sent again.
      if (opened.type !== "opened") this.fail(opened.error);
      else this.#state = onOpened(this.#state, { turnId: opened.turnId, joined: false });
    } catch (error) {
      this.fail(error);
    }
  }

  /** Rejects with what ended the stream, each time. */
  async next(): Promise<Pulled<Status>> {
    if (this.#wake.signal.aborted) this.#wake = new AbortController();
    const { signal } = this.#wake;
    for (;;) {
      if (this.#mode.type === "failed") throw this.#mode.error;
      if (this.#mode.type === "ended") return { type: "ended" };
      if (signal.aborted) return { type: "paused" };
      try {
        const entry = await this.#step(this.#mode, signal);
        if (entry !== undefined) return { type: "entry", entry };
      } catch (error) {
        if (!signal.aborted) this.fail(error);
      }
    }
  }

  /** Closes the connection, which the server sees. The turn goes on, and `next` joins it again. */
  pause(): void {
    const mode = this.#mode;
    if (mode.type === "reading") {
      this.#lose({ type: "left" });
    } else if (mode.type === "starting") {
      // The turn's id comes with the answer, and without it there is no way back.
      const answer = mode.answer.then(closed);
      answer.catch(() => {});
      this.#mode = { type: "leaving", answer };
    }
    this.#wake.abort();
  }

  /** Ends the source with this error, unless it has ended, and closes the connection. */
  fail(error: unknown): void {
    const mode = this.#mode;
    if (this.ended) return;
    if (mode.type === "reading") mode.frames.close();
    if (mode.type === "starting") mode.answer.then(closed).catch(() => {});
    this.#mode = { type: "failed", error };
    this.#wake.abort();
  }

  readonly #idleMs = (): number => {
    const { idleMs, silentTurnMs } = this.#settings.patience;
    // Before the first place in a log is known, leaving the turn could end it.
    return this.#state.position === undefined && !this.#state.joined ? silentTurnMs : idleMs;
  };

  /** One move of the source. Rejects, or returns nothing, when it is woken; the mode is then as it was. */
  async #step(mode: Mode<Custom>, signal: AbortSignal): Promise<Entry<Status> | undefined> {
    switch (mode.type) {
      case "starting":
      case "leaving": {
        const opened = await unlessAborted(signal, mode.answer);
        if (this.#mode === mode) this.#started(opened, mode.type === "leaving");
        return undefined;
      }
      case "joining":
        await this.#join(mode, signal);
        return undefined;
      case "reading": {
        const received = await mode.frames.next();
        return this.#mode === mode ? this.#take(received) : undefined;
      }
      case "settling": {
        const output = await this.#routes.settle(this.#state, signal);
        if (this.#mode === mode) this.#settled(output, mode.loss);
        return undefined;
      }
      case "ended":
      case "failed":
        return undefined;
    }
  }

  #started(opened: OpenedStream, left: boolean): void {
    if (opened.type !== "opened") this.fail(opened.error);
    else if (left) this.#lose({ type: "left" });
    else this.#mode = { type: "reading", frames: opened.frames, since: this.#settings.clock.now() };
  }

  async #join(mode: Mode<Custom> & { type: "joining" }, signal: AbortSignal): Promise<void> {
    const { clock, backoff, random } = this.#settings;
    if (mode.failures > 0) await wait(clock, backoffMs(backoff, mode.failures, random), signal);
    if (signal.aborted) return;
    const opened = await this.#routes.join(this.#state, { idleMs: this.#idleMs, signal });
    if (this.#mode !== mode || signal.aborted) {
      await closed(opened);
      return;
    }
    if (opened.type !== "opened") return this.#lose(opened);
    this.#state = onOpened(this.#state, { turnId: undefined, joined: true });
    this.#mode = { type: "reading", frames: opened.frames, since: clock.now() };
  }

  #take(received: Received): Entry<Status> | undefined {
    if (received.type === "unreadable") this.fail(received.error);
    else if (received.type !== "frame") this.#lose(received);
    else if ("result" in received.frame) this.#end(received.frame.result as AgentOutput<Custom>);
    else if ("error" in received.frame) this.#lose({ type: "said", error: fromWireError(received.frame.error) });
    else return this.#show(entryOf<Status>(received.frame));
    return undefined;
  }

  #show(entry: Entry<Status> | undefined): Entry<Status> | undefined {
    if (entry === undefined) return undefined;
    const { state, shown } = onEntry(this.#state, entry);
    this.#state = state;
    return shown ? entry : undefined;
  }

  #settled(output: AgentOutput<Custom> | "live", loss: Loss): void {
    if (output !== "live") {
      this.#end(output);
      return;
    }
    // It looked over and is not: to be joined again, a bounded number of times.
    this.#state = { ...this.#state, over: false, fresh: false };
    this.#lose(loss.type === "left" ? { type: "closed" } : loss);
  }

  #end(output: AgentOutput<Custom>): void {
    if (this.#mode.type === "reading") this.#mode.frames.close();
    this.#mode = { type: "ended", output };
  }

  #lose(loss: Loss): void {
    if (this.#mode.type === "reading") {
      this.#mode.frames.close();
      const lived = this.#settings.clock.now() - this.#mode.since;
      if (lived >= STEADY_MS) this.#state = { ...this.#state, failures: 0 };
    }
    const { state, step } = onLoss(this.#state, loss, this.#settings.patience);
    this.#state = state;
    if (step.type === "fail") this.#mode = { type: "failed", error: step.error };
    else if (step.type === "settle") this.#mode = { type: "settling", loss };
    else this.#mode = { type: "joining", failures: step.failures };
  }
}

async function closed(opened: OpenedStream): Promise<OpenedStream> {
  if (opened.type === "opened") opened.frames.close();
  return opened;
}

/** Rejects as soon as the signal is aborted. */
function unlessAborted<T>(signal: AbortSignal, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}
