import type { WireError } from "@agents/schema/error";
import type { WriteReport, WriteTask } from "./write-turns.ts";

/** What a process does at a step: dies, or stands still until it is continued. */
export type StepEffect = "kill" | "stop";

export type StorePartName = "turns" | "events" | "hints" | "index";

/** What a process is asked to do. */
export type Order =
  /** Another instance of the store, over the same data. The first one is there from the start. */
  | { readonly type: "open" }
  | {
      readonly type: "call";
      readonly instance: number;
      readonly path: readonly string[];
      readonly args: readonly unknown[];
    }
  | { readonly type: "watch"; readonly instance: number; readonly args: readonly unknown[] }
  | { readonly type: "unwatch"; readonly watch: number }
  /** At the next step of this name. */
  | { readonly type: "arm"; readonly step: string; readonly effect: StepEffect }
  | { readonly type: "disarm" }
  /** The steps that were reached since this was asked last. */
  | { readonly type: "steps" }
  | { readonly type: "write"; readonly task: WriteTask };

/** Of an instance, for whoever stands in for it. */
export interface InstanceDescription {
  readonly instance: number;
  readonly name: string;
  readonly parts: readonly StorePartName[];
}

export type OrderAnswer = InstanceDescription | WriteReport | readonly string[] | number | unknown;

export interface OrderMessage {
  readonly id: number;
  readonly order: Order;
}

/** What a process says. */
export type Report =
  | { readonly type: "answer"; readonly id: number; readonly value: OrderAnswer }
  | { readonly type: "error"; readonly id: number; readonly error: WireError }
  | { readonly type: "ready"; readonly first: InstanceDescription }
  | { readonly type: "hint"; readonly watch: number }
  /** The process is about to stand still. */
  | { readonly type: "stopping"; readonly step: string };
