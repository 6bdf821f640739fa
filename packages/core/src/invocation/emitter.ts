import type { AgentChunk, SessionState } from "@agents/schema/agent";
import { diff } from "@agents/schema/patch";
import type { Clock, PositionedChunk } from "@agents/schema/port";
import { quietRejection } from "../channel/quiet-rejection.ts";
import type { SessionEmission } from "../session/live-session.ts";
import type { State } from "../state/state.ts";
import { eventOfChunk, splitChunk } from "../turn/chunk-event.ts";
import type { TurnLog } from "../turn/turn-log.ts";
import { untilAnswered } from "../turn/until-answered.ts";
import type { BoundTransform } from "./client-transform.ts";
import type { StopSwitch } from "./stop-switch.ts";

export interface EmitterOptions<Custom, Status> {
  readonly transform: Pick<BoundTransform<Custom, Status>, "state" | "chunk">;
  readonly clock: Clock;
  /** How long the store may be away before a chunk that must be stored first fails the turn, in milliseconds. */
  readonly patienceMs: number;
  /** The log of the turn in flight, if there is one. */
  readonly log: () => TurnLog | undefined;
  /** To the connected client; waits while it is slow. */
  readonly sendChunk: (chunk: PositionedChunk<Status>) => Promise<void>;
  /** Once it has a cause, nobody waits and nothing more goes out. */
  readonly stop: Pick<StopSwitch, "cause" | "race">;
}

/** Shared by everything that comes after a stop. */
const NOT_SENT = Promise.resolve();

/**
 * The one way out of a turn: transform, log, client, in the order in which things were emitted. While nothing has to wait,
 * a chunk goes out in the call that emits it. An asynchronous transform, or a chunk that must be stored before it is seen,
 * makes those behind it wait.
 */
export class Emitter<Custom, Status> {
  readonly #options: EmitterOptions<Custom, Status>;
  #tail: Promise<void> | undefined;
  /** Stores the chunk that was logged last and has to be stored before it is seen, then sends it. */
  #storing: Promise<unknown> | undefined;
  #broken: { readonly error: unknown } | undefined;
  /** The document that clients have, where patches are taken between transformed states. */
  #shown: { readonly custom: unknown } | undefined;

  constructor(options: EmitterOptions<Custom, Status>) {
    this.#options = options;
  }

  /** Something is not out yet. */
  get isBusy(): boolean {
    return this.#tail !== undefined;
  }

  /** A chunk of one field. Resolves when there is room for more. Rejects if a transform or the log failed. */
  send(chunk: AgentChunk<Status>): Promise<void> {
    const { transform, log, sendChunk, stop } = this.#options;
    if (stop.cause !== undefined) return NOT_SENT;
    if (this.#broken !== undefined) return quietRejection(this.#broken.error);
    if (transform.chunk !== undefined || this.#tail !== undefined) return this.#enqueue(() => Promise.resolve(chunk));
    const current = log();
    if (current === undefined) return sendChunk({ chunk });
    const event = eventOfChunk(chunk);
    if (!event.early) return this.#enqueue(() => Promise.resolve(chunk));
    let position: string;
    try {
      position = current.add(event.type as "custom.chunk", event.data);
    } catch (error) {
      // Nothing that JSON can hold: the turn fails with it, whether or not anybody awaits the chunk.
      return this.break(error);
    }
    return sendChunk({ chunk, position });
  }

  /** A change of the session: nobody can wait for it, so the next `send` does. */
  changed(emission: SessionEmission, state: State<Custom>): void {
    const { transform } = this.#options;
    if (emission.type === "artifact") void this.send({ artifact: emission.artifact }).catch(() => {});
    else if (transform.state === undefined) void this.send({ customPatch: [...emission.patch] }).catch(() => {});
    else void this.#enqueue(() => this.#transformedPatch(state)).catch(() => {});
  }

  /** A turn starts: its first patch is the whole document. */
  startTurn(): void {
    this.#shown = undefined;
  }

  /**
   * Resolves when everything is out, or nothing more will be. It ends with the stop, whatever a transform or a reader
   * does; what is in the log by then goes out first, so that the log holds what the client saw.
   */
  async idle(): Promise<void> {
    const { stop } = this.#options;
    while (this.#tail !== undefined && stop.cause === undefined)
      await stop.race(
        this.#tail.catch(() => {}),
        () => Promise.resolve(),
      );
    if (stop.cause?.lost !== true) await this.#storing;
  }

  /** What was to be sent cannot be: nothing more is, and the turn fails with it, whether or not somebody awaits this. */
  break(error: unknown): Promise<never> {
    this.#broken ??= { error };
    return quietRejection(this.#broken.error);
  }

  /** Throws the first failure: nobody may swallow it. */
  throwIfBroken(): void {
    if (this.#broken !== undefined) throw this.#broken.error;
  }

  #enqueue(make: () => Promise<AgentChunk<Status> | undefined>): Promise<void> {
    const { stop } = this.#options;
    const mine = (this.#tail ?? Promise.resolve()).then(async () => {
      if (this.#broken !== undefined) throw this.#broken.error;
      if (stop.cause !== undefined) return;
      const chunk = await make();
      if (chunk !== undefined) await this.#deliver(chunk);
    });
    this.#tail = mine;
    const done = (): void => {
      if (this.#tail === mine) this.#tail = undefined;
    };
    mine.then(done, (error: unknown) => {
      this.#broken ??= { error };
      done();
    });
    return mine;
  }

  async #deliver(raw: AgentChunk<Status>): Promise<void> {
    const { transform, stop } = this.#options;
    const chunk = transform.chunk === undefined ? raw : await transform.chunk(raw);
    // A transform may add fields, and one chunk is one event.
    for (const part of chunk === undefined ? [] : splitChunk(chunk)) {
      if (stop.cause !== undefined) return;
      await this.#logAndSend(part);
    }
  }

  #logAndSend(chunk: AgentChunk<Status>): Promise<void> {
    const { clock, patienceMs, log, sendChunk } = this.#options;
    const current = log();
    if (current === undefined) return sendChunk({ chunk });
    const event = eventOfChunk(chunk);
    const position = current.add(event.type as "custom.chunk", event.data);
    if (event.early) return sendChunk({ chunk, position });
    const stored = untilAnswered(() => current.flush(), { clock, forMs: patienceMs });
    const sent = stored.then(() => ({ room: sendChunk({ chunk, position }) }));
    this.#storing = sent.catch(() => {});
    return sent.then(({ room }) => room);
  }

  async #transformedPatch(state: State<Custom>): Promise<AgentChunk<Status> | undefined> {
    const seen = await this.#options.transform.state?.(state.value as SessionState<Custom>);
    if (seen?.custom === undefined) return undefined;
    const before = this.#shown;
    this.#shown = { custom: seen.custom };
    if (before === undefined) return { customPatch: [{ op: "replace", path: "", value: seen.custom }] };
    const customPatch = diff(before.custom, seen.custom);
    return customPatch.length === 0 ? undefined : { customPatch };
  }
}
