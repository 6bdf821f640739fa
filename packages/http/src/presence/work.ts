import { AgentError } from "@agents/schema/error";
import type { Clock } from "@agents/schema/port";
import { HttpError } from "../edge/http-error.ts";

export interface DrainOptions {
  /**
   * Clients of a turn that runs: `finish` lets them stay until it is over; `detach` tells them at once where to re-join
   * (UNAVAILABLE with `details.turnId`), while the turn goes on without them. Turns without a log always finish.
   * @default "finish"
   */
  readonly turns?: "finish" | "detach";
  /** How long turns may take to end, in milliseconds; then they are aborted. @default 10_000 */
  readonly deadlineMs?: number;
}

/** Somebody who waits for an answer. */
export interface Client {
  /** A turn's own client, or somebody who only listens. */
  readonly kind: "turn" | "listener";
  /** Whether a turn's client can come back elsewhere. */
  readonly rejoinable: boolean;
  /** Ends the answer with this error, and leaves the work to itself. */
  interrupt(error: AgentError): void;
  /** Takes no more from the client, so that what it waits for comes to an end. */
  finish?(error: AgentError): void;
  /** Stops the work that the client waits for; the answer then says so. */
  abort?(reason: AgentError): void;
}

/** Work that goes on although nobody waits for it. */
export interface RunningWork {
  /** Settles when the work is over. */
  readonly over: Promise<unknown>;
  abort(reason: AgentError): void;
}

/** Time for the last frames of turns that were aborted at the deadline, in milliseconds. */
const LAST_WORDS_MS = 1_000;

/** What this process does for clients, so that it can end in order. */
export class Work {
  readonly #clock: Clock;
  readonly #clients = new Set<Client>();
  readonly #running = new Set<RunningWork>();
  #draining: Promise<void> | undefined;
  #onQuiet: (() => void) | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get draining(): boolean {
    return this.#draining !== undefined;
  }

  get clients(): number {
    return this.#clients.size;
  }

  get running(): number {
    return this.#running.size;
  }

  /** Refuses new work with 503 once the process is about to end. */
  check(): void {
    if (this.#draining === undefined) return;
    throw new HttpError(503, "UNAVAILABLE", SHUTTING_DOWN, {
      details: { reason: "shutdown" },
      headers: { connection: "close", "retry-after": "1" },
    });
  }

  /** Until what this returns is called. */
  serve(client: Client): () => void {
    this.#clients.add(client);
    return () => {
      this.#clients.delete(client);
      this.#checkQuiet();
    };
  }

  run(work: RunningWork): void {
    this.#running.add(work);
    const end = (): void => {
      this.#running.delete(work);
      this.#checkQuiet();
    };
    work.over.then(end, end);
  }

  /** Ends everything, in order. Resolves when nothing runs any more; the second call gets the first one's promise. */
  drain(options: DrainOptions = {}): Promise<void> {
    this.#draining ??= this.#drain(options);
    return this.#draining;
  }

  async #drain({ turns = "finish", deadlineMs = 10_000 }: DrainOptions): Promise<void> {
    // Whoever asked has its promise, and new work is refused, before anything ends.
    await undefined;
    for (const client of [...this.#clients]) {
      if (client.kind === "listener" || (turns === "detach" && client.rejoinable)) client.interrupt(goingAway());
      else client.finish?.(goingAway());
    }
    if (await this.#quiet(deadlineMs)) return;
    for (const work of [...this.#running, ...this.#clients]) work.abort?.(goingAway());
    if (await this.#quiet(LAST_WORDS_MS)) return;
    for (const client of [...this.#clients]) client.interrupt(goingAway());
  }

  /** Whether it got quiet in time. */
  #quiet(ms: number): Promise<boolean> {
    if (this.#clients.size + this.#running.size === 0) return Promise.resolve(true);
    return new Promise((resolve) => {
      const stopTimer = this.#clock.setTimer(ms, () => {
        this.#onQuiet = undefined;
        resolve(false);
      });
      this.#onQuiet = () => {
        this.#onQuiet = undefined;
        stopTimer();
        resolve(true);
      };
    });
  }

  #checkQuiet(): void {
    if (this.#clients.size + this.#running.size === 0) this.#onQuiet?.();
  }
}

const SHUTTING_DOWN = "The server is shutting down; connect again.";

function goingAway(): AgentError {
  return new AgentError("UNAVAILABLE", SHUTTING_DOWN, { details: { reason: "shutdown" } });
}
