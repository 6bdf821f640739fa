import type { State } from "../state/state.ts";
import type { RecordedEnd, RecordedStart, TurnOutcome, TurnRecorder } from "./turn-recorder.ts";

/** Client-managed: there are no rows. The output carries the state of the last turn that kept one. */
export class CarriedRecorder<Custom> implements TurnRecorder<Custom> {
  readonly sessionId: string;
  readonly log = undefined;
  readonly snapshots = undefined;
  readonly #start: () => State<Custom>;
  #last: State<Custom> | undefined;
  #isOpen = false;

  /** @param start Makes the state that the session starts from. May throw: then the first turn fails. */
  constructor(sessionId: string, start: () => State<Custom>) {
    this.sessionId = sessionId;
    this.#start = start;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  get lastStored(): State<Custom> | undefined {
    this.#last ??= this.#start();
    return this.#last;
  }

  async begin(): Promise<RecordedStart<Custom>> {
    this.#isOpen = true;
    const load = (): State<Custom> | undefined => (this.#last === undefined ? this.lastStored : undefined);
    return { snapshotId: undefined, parentSnapshotId: undefined, load };
  }

  beginEnd(): Promise<RecordedStart<Custom>> {
    return this.begin();
  }

  async settle({ status, kept }: TurnOutcome<Custom>): Promise<RecordedEnd> {
    this.#isOpen = false;
    if (kept !== undefined) this.#last = kept.state;
    return { status, snapshotId: undefined, position: undefined, stored: kept !== undefined };
  }

  abandon(): void {
    this.#isOpen = false;
  }
}
