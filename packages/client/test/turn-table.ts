import type { AgentChunk, AgentInput, AgentOutput, FinishReason, Message, Snapshot } from "@agents/schema/agent";
import type { WireError } from "@agents/schema/error";

export type LogEntry = { readonly position?: string; readonly message: AgentChunk } | RestartedEntry;
interface RestartedEntry {
  readonly position: string;
  readonly restarted: true;
}

/** A turn of the test server: its log, who listens to it, and how it ended. */
export class ServerTurn {
  readonly snapshotId: string;
  readonly sessionId: string;
  readonly input: AgentInput;
  readonly log: LogEntry[] = [];
  snapshot: Snapshot;
  aborted = false;
  readonly #logged: boolean;
  #epoch = 1;
  #seq = 1;
  #listeners = new Set<() => void>();

  constructor(snapshot: Snapshot, input: AgentInput, logged: boolean) {
    this.snapshotId = snapshot.snapshotId;
    this.sessionId = snapshot.sessionId;
    this.snapshot = snapshot;
    this.input = input;
    this.#logged = logged;
  }

  get settled(): boolean {
    return this.snapshot.status !== "pending";
  }

  emit(message: AgentChunk): void {
    // Not every event is a chunk, so numbers have gaps.
    this.#seq += this.#seq % 3 === 0 ? 2 : 1;
    this.log.push(this.#logged ? { position: `${this.#epoch}-${this.#seq}`, message } : { message });
    this.#notify();
  }

  text(...texts: string[]): void {
    for (const text of texts) this.emit({ modelChunk: { content: [{ text }] } });
  }

  /** Another process takes the turn over. */
  restart(): void {
    this.#epoch++;
    this.#seq++;
    this.log.push({ restarted: true, position: `${this.#epoch}-${this.#seq}` });
    this.#notify();
  }

  settle(how: {
    status: "completed" | "failed" | "aborted";
    finishReason: FinishReason;
    error?: WireError;
    messages: Message[];
    custom?: unknown;
  }): void {
    const { status, finishReason, error, messages, custom } = how;
    const { sessionId } = this;
    const state = { sessionId, messages, artifacts: [], ...(custom === undefined ? {} : { custom }) };
    this.snapshot = {
      ...this.snapshot,
      status,
      finishReason,
      ...(error && { error }),
      ...(status === "completed" && { state, stateHash: "0".repeat(64) }),
    };
    const named = status === "completed" ? { snapshotId: this.snapshotId } : {};
    this.emit({ turnEnd: { finishReason, ...named } });
  }

  output(): AgentOutput {
    const { sessionId, snapshotId } = this;
    const { status, finishReason = "unknown", parentId, error, state } = this.snapshot;
    const message = state?.messages.findLast(({ role }) => role === "model");
    const last = status === "completed" ? snapshotId : parentId;
    return {
      sessionId,
      finishReason,
      ...(message && { message }),
      ...(error && { error }),
      ...(last && { snapshotId: last }),
      snapshotIds: status === "completed" ? [snapshotId] : [],
    };
  }

  /** Entries behind a position. */
  after(position: string | undefined): number {
    if (position === undefined || position === "") return 0;
    const at = this.log.findIndex((entry) => entry.position === position);
    return at + 1;
  }

  /** Resolves at the next change. */
  changed(): Promise<void> {
    return new Promise((resolve) => {
      const listener = (): void => {
        this.#listeners.delete(listener);
        resolve();
      };
      this.#listeners.add(listener);
    });
  }

  #notify(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}
