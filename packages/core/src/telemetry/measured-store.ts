import type { Clock, EventLog, Hints, SessionIndex, Store, Telemetry, TurnStore } from "@agents/schema/port";
import { countOperation, STORE_OPERATION } from "./measure-operation.ts";

/** Every method of each part: a part may be an object of any class, whose methods cannot be listed. */
const METHODS = {
  turns: every<TurnStore>()(["begin", "settle", "heartbeat", "requestAbort", "claim", "read"]),
  events: every<EventLog>()(["append", "readEvents"]),
  hints: every<Hints>()(["watch"]),
  index: every<SessionIndex>()([
    "createSession",
    "getSession",
    "listSessions",
    "listTurns",
    "updateSession",
    "deleteSession",
    "prune",
    "exportSession",
    "importSession",
  ]),
} as const;

/** The store with its operations counted and timed: `agents.store.operation.{count,error_count,duration}`. */
export function measuredStore(store: Store, { telemetry, clock }: { telemetry: Telemetry; clock: Clock }): Store {
  function measured<Part extends object>(part: Part, methods: readonly (keyof Part & string)[]): Part {
    const wrapped: Partial<Record<string, Method>> = {};
    for (const name of methods) {
      const attributes = { "agents.store.name": store.name, "agents.store.operation.name": name };
      const options = { telemetry, clock, metrics: STORE_OPERATION, attributes };
      wrapped[name] = (...args) => countOperation(options, () => answerOf(part, part[name] as Method, args));
    }
    return wrapped as Part;
  }

  return {
    name: store.name,
    turns: measured(store.turns, METHODS.turns),
    ...(store.events === undefined ? {} : { events: measured(store.events, METHODS.events) }),
    ...(store.hints === undefined ? {} : { hints: measured(store.hints, METHODS.hints) }),
    ...(store.index === undefined ? {} : { index: measured(store.index, METHODS.index) }),
    health: () => store.health(),
    close: () => store.close(),
  };
}

type Method = (...args: unknown[]) => Promise<unknown>;

/** A store that throws before it returns a promise, or returns none, is one that rejects or resolves. */
function answerOf(part: object, method: Method, args: unknown[]): Promise<unknown> {
  try {
    return Promise.resolve(method.apply(part, args));
  } catch (error) {
    return Promise.reject(error);
  }
}

/** A list of names that does not compile while one is missing. */
function every<Part>() {
  return <const Names extends readonly (keyof Part & string)[]>(
    names: keyof Part extends Names[number] ? Names : never,
  ): Names => names;
}
