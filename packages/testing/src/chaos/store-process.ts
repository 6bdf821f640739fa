import type { ChildProcess } from "node:child_process";
import { fromWireError } from "@agents/schema/error";
import type { Store } from "@agents/schema/port";
import type { InstanceDescription, Order, Report, StepEffect } from "../chaos-process/message.ts";
import type { WriteReport, WriteTask } from "../chaos-process/write-turns.ts";
import { type Deferred, deferred } from "./deferred.ts";
import { forkProcess } from "./fork-process.ts";
import { DEFAULT_PATIENCE_MS, type ProcessOptions } from "./process-options.ts";
import { remoteStore } from "./remote-store.ts";

/** The process was gone before it answered: the caller knows nothing of what was done. */
export class AnswerLost extends Error {
  override readonly name = "AnswerLost";
}

/** A real process that has the store open. */
export interface StoreProcess {
  /** The store in it: each call goes there and back. Rejects with `AnswerLost` when the process dies meanwhile. */
  readonly store: Store;
  /** Another instance in the same process: it has nothing in its memory. */
  reopen(): Promise<Store>;
  /** What the process does when it next reaches a step. */
  arm(step: string, effect: StepEffect): Promise<void>;
  disarm(): Promise<void>;
  /** The steps that were reached since this was asked last. */
  steps(): Promise<readonly string[]>;
  write(task: WriteTask): Promise<WriteReport>;
  /** Resolves once the process stands still at the step that was armed last. */
  stopped(): Promise<void>;
  signal(name: "SIGSTOP" | "SIGCONT" | "SIGKILL"): void;
  /** Resolves once the process is gone. */
  readonly ended: Promise<void>;
  readonly isAlive: boolean;
}

/** Starts a process and waits until its store is open. Rejects with what the process complained of when it is not. */
export async function startStoreProcess(options: ProcessOptions, config: unknown): Promise<StoreProcess> {
  const child = forkProcess(options, config);
  const line = new ProcessLine(child, options.patienceMs ?? DEFAULT_PATIENCE_MS);
  const first = await line.ready;
  const watched = (onHint: () => void) => (watch: number) => void line.hints.set(watch, onHint);
  const storeOf = (instance: InstanceDescription): Store => remoteStore(instance, (order) => line.ask(order), watched);
  return {
    store: storeOf(first),
    reopen: async () => storeOf((await line.ask({ type: "open" })) as InstanceDescription),
    async arm(step, effect) {
      line.stopped = deferred();
      await line.ask({ type: "arm", step, effect });
    },
    disarm: async () => void (await line.ask({ type: "disarm" })),
    steps: async () => (await line.ask({ type: "steps" })) as string[],
    write: async (task) => (await line.ask({ type: "write", task }, 60_000)) as WriteReport,
    stopped: () => line.stopped.promise,
    signal: (name) => void child.kill(name),
    ended: line.ended,
    get isAlive() {
      return line.isAlive;
    },
  };
}

/** Orders out, answers in, by number. */
class ProcessLine {
  readonly ready: Promise<InstanceDescription>;
  readonly ended: Promise<void>;
  stopped = deferred<void>();
  readonly hints = new Map<number, () => void>();
  isAlive = true;
  readonly #child: ChildProcess;
  readonly #patienceMs: number;
  readonly #asked = new Map<number, Deferred<unknown>>();
  #lastId = 0;
  #complaints = "";

  constructor(child: ChildProcess, patienceMs: number) {
    this.#child = child;
    this.#patienceMs = patienceMs;
    const ready = deferred<InstanceDescription>();
    const ended = deferred<void>();
    this.ready = ready.promise;
    this.ended = ended.promise;
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.#complaints = (this.#complaints + text).slice(-4_000);
    });
    child.on("message", (report: Report) => {
      if (report.type === "ready") ready.resolve(report.first);
      else if (report.type === "stopping") this.stopped.resolve();
      else if (report.type === "hint") this.hints.get(report.watch)?.();
      else this.#answered(report);
    });
    // Not "exit": what the process said before its end may still be on the way.
    child.on("close", (code, signal) => {
      this.isAlive = false;
      const end = `The process of the store ended (${signal ?? `exit code ${code}`}). ${this.#complaints}`;
      ready.reject(new Error(end));
      for (const asked of this.#asked.values()) asked.reject(new AnswerLost(end));
      this.#asked.clear();
      ended.resolve();
    });
    this.ready.catch(() => {});
  }

  async ask(order: Order, patienceMs = this.#patienceMs): Promise<unknown> {
    if (!this.isAlive) throw new AnswerLost("The process of the store is gone.");
    const id = ++this.#lastId;
    const asked = deferred<unknown>();
    this.#asked.set(id, asked);
    const timer = setTimeout(() => {
      this.#asked.delete(id);
      asked.reject(new Error(`${describe(order)} was not answered within ${patienceMs} ms: something holds it up.`));
    }, patienceMs);
    // An order that does not reach the process is one whose answer is lost: "close" says so.
    this.#child.send({ id, order }, () => {});
    try {
      return await asked.promise;
    } finally {
      clearTimeout(timer);
    }
  }

  #answered(report: Extract<Report, { type: "answer" | "error" }>): void {
    const asked = this.#asked.get(report.id);
    this.#asked.delete(report.id);
    if (report.type === "answer") asked?.resolve(report.value);
    else asked?.reject(fromWireError(report.error));
  }
}

function describe(order: Order): string {
  return order.type === "call" ? order.path.join(".") : `"${order.type}"`;
}
