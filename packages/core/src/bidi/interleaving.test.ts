import { AgentError } from "@agents/schema/error";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { BidiConnection } from "./bidi-connection.ts";
import { type ConnectionServer, openConnection } from "./open-connection.ts";

/** What a server may do with a connection; none of them knows what the caller does. */
const SERVERS = {
  echoes: async ({ inputs, sendChunk }) => {
    for await (const input of inputs) await sendChunk(input);
    return "output";
  },
  "returns at once": async () => "output",
  "returns in the middle": async ({ inputs, sendChunk }) => {
    for await (const input of inputs) {
      await sendChunk(input);
      break;
    }
    return "output";
  },
  "throws at once": async () => {
    throw new Error("failure");
  },
  "throws in the middle": async ({ inputs, sendChunk }) => {
    for await (const input of inputs) {
      await sendChunk(input);
      throw new Error("failure");
    }
    return "output";
  },
  "sends without waiting": async ({ inputs, sendChunk }) => {
    for (let n = 0; n < 10; n++) void sendChunk(n);
    for await (const input of inputs) void sendChunk(input);
    return "output";
  },
  "survives cancellation": async ({ inputs }) => {
    try {
      for await (const _ of inputs);
    } catch {}
    return "output";
  },
} satisfies Record<string, (server: ConnectionServer<number, number>) => Promise<string>>;

type Connection = BidiConnection<number, number, string>;

/** Every call a caller can make; promises are left alone on purpose, as careless callers do. */
const OPERATIONS = {
  send: (connection: Connection) => void connection.send(1),
  "send twice": (connection: Connection) => {
    void connection.send(2);
    void connection.send(3);
  },
  close: (connection: Connection) => connection.close(),
  cancel: (connection: Connection) => connection.cancel(),
  output: (connection: Connection) => void connection.output(),
  "read one": (connection: Connection) => void readOne(connection).catch(() => {}),
  tick: () => {},
  "macro tick": () => new Promise<void>((resolve) => setImmediate(resolve)),
} satisfies Record<string, (connection: Connection) => unknown>;

async function readOne(connection: Connection): Promise<void> {
  for await (const _ of connection.receive()) break;
}

const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

describe("close, completion, cancellation and failure, in any order", () => {
  const unhandled: unknown[] = [];
  const note = (reason: unknown) => void unhandled.push(reason);
  beforeAll(() => {
    process.on("unhandledRejection", note);
  });
  afterAll(() => {
    process.off("unhandledRejection", note);
  });

  it.each(Object.entries(SERVERS))("end one way only and leave nothing hanging: a server that %s", async (_, serve) => {
    const operation = fc.constantFrom(...(Object.keys(OPERATIONS) as (keyof typeof OPERATIONS)[]));
    await fc.assert(
      fc.asyncProperty(
        fc.array(operation, { maxLength: 12 }),
        fc.integer({ min: 1, max: 3 }),
        async (steps, capacity) => {
          const connection = openConnection({ what: "the test", capacity, acceptInput: (n: number) => n, serve });
          for (const step of steps) await OPERATIONS[step](connection);
          await expectSettled(connection, steps.includes("cancel"));
          await settle();
          expect(unhandled).toEqual([]);
        },
      ),
      { numRuns: 300, timeout: 2_000 },
    );
  });
});

/** However it came about: an output or an error, the same for everybody, and refusals from then on. */
async function expectSettled(connection: Connection, cancelled: boolean): Promise<void> {
  const outcome = await outcomeOf(connection.output());
  expect(connection.done).toBe(true);
  expect(await outcomeOf(connection.output())).toEqual(outcome);
  connection.cancel();
  connection.close();
  expect(await outcomeOf(connection.output())).toEqual(outcome);
  if ("value" in outcome) expect(outcome.value).toBe("output");
  else if (AgentError.is(outcome.error)) expect([cancelled, outcome.error.status]).toEqual([true, "CANCELLED"]);
  else expect(outcome.error).toMatchObject({ message: "failure" });

  const refused = await outcomeOf(connection.send(9));
  expect(refused).toMatchObject({ error: { status: "FAILED_PRECONDITION", details: { reason: "completed" } } });
  const rest = await outcomeOf(readRest(connection));
  if ("error" in rest) expect(rest).toEqual(outcome);
}

async function readRest(connection: Connection): Promise<void> {
  for await (const chunk of connection.receive()) expect(chunk).toBeTypeOf("number");
}

function outcomeOf<T>(promise: Promise<T>): Promise<{ value: T } | { error: unknown }> {
  return promise.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
}
