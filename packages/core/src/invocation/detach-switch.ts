export interface OpenRow {
  readonly sessionId: string;
  readonly snapshotId: string;
}

/** The client leaves; the work goes on. */
export class DetachSwitch {
  readonly #onLeave: (row: OpenRow) => void;
  #requested = false;
  #left = false;
  #row: OpenRow | undefined;

  /** @param onLeave Called once, with the row that will tell how the work ended. */
  constructor(onLeave: (row: OpenRow) => void) {
    this.#onLeave = onLeave;
  }

  get requested(): boolean {
    return this.#requested;
  }

  /** The wish arrived. It is carried out as soon as there is a row to name. */
  request(): void {
    this.#requested = true;
    this.#check();
  }

  /** A row is there, or was replaced by another. */
  offer(row: OpenRow): void {
    this.#row = row;
    this.#check();
  }

  /** No row is open any more. */
  withdraw(): void {
    this.#row = undefined;
  }

  #check(): void {
    if (!this.#requested || this.#left || this.#row === undefined) return;
    this.#left = true;
    this.#onLeave(this.#row);
  }
}
