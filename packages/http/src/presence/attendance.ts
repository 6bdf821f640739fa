import type { Clock } from "@agents/schema/port";

/** A turn that runs here for a client. */
export interface AttendedTurn {
  /** Under which it can be followed. Undefined: never. */
  turnId(): Promise<string | undefined>;
  /** Settles when the turn is over. */
  readonly over: Promise<unknown>;
  /** Whether there is a log, so that a client can come back. */
  readonly rejoinable: boolean;
  abort(): void;
}

interface Absence {
  turnId?: string;
  stopTimer?: () => void;
  readonly turn: AttendedTurn;
}

/**
 * Who listens to turns whose client has left. A turn that nobody follows for a while is aborted; at once where nobody
 * could come back. Costs nothing while clients stay. Knows followers of this process alone.
 */
export class Attendance {
  readonly #clock: Clock;
  readonly #abortAfterMs: number;
  readonly #followers = new Map<string, number>();
  readonly #absences = new Map<string, Absence>();

  constructor(clock: Clock, abortAfterMs: number) {
    this.#clock = clock;
    this.#abortAfterMs = abortAfterMs;
  }

  /** Followers and abandoned turns that are known: nothing is left of those that ended. */
  get size(): number {
    return this.#followers.size + this.#absences.size;
  }

  /** The client has left and the turn is not over. */
  leave(turn: AttendedTurn): void {
    const { rejoinable } = turn;
    if (!rejoinable || (this.#abortAfterMs === 0 && this.#followers.size === 0)) {
      turn.abort();
      return;
    }
    const absence: Absence = { turn };
    let over = false;
    const end = (): void => {
      over = true;
      absence.stopTimer?.();
      if (absence.turnId !== undefined && this.#absences.get(absence.turnId) === absence) {
        this.#absences.delete(absence.turnId);
      }
    };
    turn.over.then(end, end);
    // The timer runs from now on, also for a turn that has still to begin.
    this.#startTimer(absence);
    void turn.turnId().then((turnId) => {
      if (over || turnId === undefined) return;
      absence.turnId = turnId;
      this.#absences.set(turnId, absence);
      if (this.#followers.has(turnId)) absence.stopTimer?.();
    });
  }

  /** Somebody listens to the turn, until what this returns is called; calling that again does nothing. */
  follow(turnId: string): () => void {
    this.#followers.set(turnId, (this.#followers.get(turnId) ?? 0) + 1);
    this.#absences.get(turnId)?.stopTimer?.();
    let following = true;
    return () => {
      if (!following) return;
      following = false;
      const left = (this.#followers.get(turnId) ?? 1) - 1;
      if (left > 0) {
        this.#followers.set(turnId, left);
        return;
      }
      this.#followers.delete(turnId);
      const absence = this.#absences.get(turnId);
      if (absence !== undefined) this.#startTimer(absence);
    };
  }

  #startTimer(absence: Absence): void {
    absence.stopTimer?.();
    absence.stopTimer = this.#clock.setTimer(this.#abortAfterMs, () => absence.turn.abort());
  }
}
