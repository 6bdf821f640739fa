import type { AgentInput } from "@agents/schema/agent";
import type { Entry } from "../stream/entry.ts";
import { type JoinState, onEntry, UNJOINED } from "../stream/join-state.ts";

/**
 * What a connection knows of its turns: enough to say, when the socket is lost, whether the rest can be had by joining the
 * turn in flight.
 */
export class TurnTrack {
  /** Of the newest turn that has a row. */
  #turn: JoinState = UNJOINED;
  #sent = 0;
  #ended = 0;
  #detached = false;

  get turnId(): string | undefined {
    return this.#turn.turnId;
  }

  /** Whether the server owes something: turns of inputs that were sent. */
  get busy(): boolean {
    return this.#detached || this.#ended < this.#sent;
  }

  onInput(input: AgentInput): void {
    if (input.detach === true) this.#detached = true;
    else this.#sent++;
  }

  onTurn(turnId: string | undefined): void {
    this.#turn = { ...UNJOINED, turnId };
  }

  /** False for one that was there already. */
  onEntry(entry: Entry): boolean {
    const { state, shown } = onEntry(this.#turn, entry);
    this.#turn = state;
    if (state.over && shown) this.#ended++;
    return shown;
  }

  /**
   * The turn to join in place of the lost socket; undefined when that would leave something out: inputs that have no row
   * yet, a wish to detach that may not have arrived, a turn without a log.
   */
  get rest(): JoinState | undefined {
    const { turnId, over, unlogged } = this.#turn;
    if (turnId === undefined || this.#detached) return undefined;
    const owed = this.#sent - this.#ended;
    if (over ? owed > 0 : owed > 1 || unlogged) return undefined;
    return this.#turn;
  }
}
