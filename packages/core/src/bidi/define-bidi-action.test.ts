import { describe, expect, expectTypeOf, it } from "vitest";
import * as z from "zod";
import type { BidiAction } from "./bidi-action.ts";
import type { BidiStream } from "./bidi-connection.ts";
import { defineBidiAction } from "./define-bidi-action.ts";

async function readAll<T>(values: AsyncIterable<T>): Promise<T[]> {
  const read: T[] = [];
  for await (const value of values) read.push(value);
  return read;
}

const summarize = () =>
  defineBidiAction(
    {
      name: "summarize",
      description: "Sums lengths",
      metadata: { team: "text" },
      initSchema: z.object({ factor: z.number(), label: z.string().default("sum") }),
      inputSchema: z.object({ text: z.string(), times: z.number().default(1) }),
      streamSchema: z.object({ length: z.number() }),
      outputSchema: z.object({ label: z.string(), total: z.number() }),
    },
    async ({ inputs, sendChunk, init }) => {
      let total = 0;
      for await (const { text, times } of inputs) {
        const length = text.length * times * init.factor;
        total += length;
        await sendChunk({ length });
      }
      return { label: init.label, total };
    },
  );

describe("a bidi action", () => {
  it("runs with any number of inputs, with defaults of its schemas filled in", async () => {
    const connection = summarize().connect({ init: { factor: 10 } });
    const chunks = readAll(connection.receive());
    await connection.send({ text: "ab" });
    await connection.send({ text: "abc", times: 2 });
    expect(await connection.output()).toEqual({ label: "sum", total: 80 });
    expect(await chunks).toEqual([{ length: 20 }, { length: 60 }]);
  });

  it("runs once with one input, discarding the chunks", async () => {
    const action = defineBidiAction<undefined, number, number, string>(
      { name: "count", capacity: 1 },
      async ({ inputs, sendChunk }) => {
        for await (const input of inputs) for (let n = 0; n < input; n++) await sendChunk(n);
        return "counted";
      },
    );
    expect(await action.run(100)).toBe("counted");
  });

  it("streams the chunks of one input and then gives the output", async () => {
    const stream = summarize().stream({ text: "abc" }, { init: { factor: 1 } });
    expect(await readAll(stream)).toEqual([{ length: 3 }]);
    expect(await stream.output()).toEqual({ label: "sum", total: 3 });
  });

  it("hands context and signal to the handler", async () => {
    const action = defineBidiAction({ name: "who" }, async ({ context, signal }) => [context.subject, signal.aborted]);
    expect(await action.run("?", { context: { subject: "ann" } })).toEqual(["ann", false]);
    expect(await action.run("?")).toEqual([undefined, false]);
  });

  it("runs its invocation, the check of the output included, inside `around`", async () => {
    const seen: unknown[] = [];
    const action = defineBidiAction(
      {
        name: "wrapped",
        outputSchema: z.string(),
        around: async (run) => {
          try {
            return await run();
          } catch (error) {
            seen.push(error);
            throw error;
          }
        },
      },
      async () => 5 as never,
    );
    await expect(action.run("x")).rejects.toMatchObject({ status: "INTERNAL" });
    expect(seen).toMatchObject([{ status: "INTERNAL" }]);
  });

  it("can be cancelled while it streams", async () => {
    const action = defineBidiAction<undefined, string, number, never>(
      { name: "endless" },
      async ({ sendChunk, signal }) => {
        for (let n = 0; ; n++) {
          signal.throwIfAborted();
          await sendChunk(n);
        }
      },
    );
    const stream = action.stream("go");
    for await (const n of stream) if (n === 100) break;
    stream.cancel();
    await expect(stream.output()).rejects.toMatchObject({ status: "CANCELLED" });
  });

  it("does not begin if the call was cancelled before", async () => {
    let begun = false;
    const action = defineBidiAction({ name: "never" }, async () => {
      begun = true;
    });
    const signal = AbortSignal.abort(new Error("before"));
    await expect(action.run("x", { signal })).rejects.toThrow("before");
    await expect(action.connect({ signal }).output()).rejects.toThrow("before");
    expect(begun).toBe(false);
  });
});

describe("what does not fit", () => {
  const strict = () => {
    const calls = { count: 0 };
    const action = defineBidiAction(
      {
        name: "strict",
        initSchema: z.object({ user: z.object({ age: z.number() }) }),
        inputSchema: z.object({ text: z.string() }),
      },
      async ({ inputs }) => {
        calls.count++;
        return readAll(inputs);
      },
    );
    return { action, calls };
  };
  const badInit = { init: { user: { age: "old" as never } } };
  const goodInit = { init: { user: { age: 7 } } };

  it("as init is refused by connect, run and stream, with its path, before the handler runs", async () => {
    const { action, calls } = strict();
    const refused = expect.objectContaining({
      status: "INVALID_ARGUMENT",
      message: expect.stringMatching(/init of action "strict" at \/user\/age/),
      details: { issues: [expect.objectContaining({ path: "/user/age" })] },
    });
    expect(() => action.connect(badInit)).toThrow(refused);
    expect(() => action.stream({ text: "a" }, badInit)).toThrow(refused);
    await expect(action.run({ text: "a" }, badInit)).rejects.toEqual(refused);
    expect(() => (action.connect as () => unknown)()).toThrow(/init of action "strict"/);
    expect(calls.count).toBe(0);
  });

  it("as input rejects that send; the connection goes on with the others", async () => {
    const { action } = strict();
    const connection = action.connect(goodInit);
    await expect(connection.send({ text: 5 as never })).rejects.toMatchObject({
      status: "INVALID_ARGUMENT",
      message: expect.stringContaining("/text"),
    });
    await connection.send({ text: "a" });
    expect(await connection.output()).toEqual([{ text: "a" }]);
  });

  it("as the one input is refused by run and stream before the handler runs", async () => {
    const { action, calls } = strict();
    await expect(action.run({} as never, goodInit)).rejects.toMatchObject({ status: "INVALID_ARGUMENT" });
    expect(() => action.stream({} as never, goodInit)).toThrow(/input of action "strict" at \/text/);
    expect(calls.count).toBe(0);
  });

  it("because it is missing is refused by run and stream, with or without a schema", async () => {
    const action = defineBidiAction({ name: "any" }, async () => "ran");
    await expect(action.run(undefined)).rejects.toMatchObject({ status: "INVALID_ARGUMENT" });
    expect(() => action.stream(undefined)).toThrow(/missing/);
    expect(await action.run(null)).toBe("ran");
  });

  it("as output is INTERNAL, naming the path", async () => {
    const outputSchema = z.object({ n: z.number() });
    const action = defineBidiAction({ name: "wrong", outputSchema }, async () => ({ n: "1" }) as never);
    await expect(action.run("x")).rejects.toMatchObject({
      status: "INTERNAL",
      message: expect.stringMatching(/output of action "wrong" at \/n/),
    });
  });

  it.each(["awaited", "not awaited", "swallowed"])("as chunk is INTERNAL and fails the invocation, %s", async (how) => {
    const action = defineBidiAction(
      { name: "wrong", streamSchema: z.object({ n: z.number() }), outputSchema: z.string() },
      async ({ sendChunk }) => {
        await sendChunk({ n: 1 });
        const sending = sendChunk({ n: "2" } as never);
        if (how === "awaited") await sending;
        else if (how === "swallowed") await sending.catch(() => {});
        return "output";
      },
    );
    const stream = action.stream("x");
    await expect(stream.output()).rejects.toMatchObject({
      status: "INTERNAL",
      message: expect.stringMatching(/chunk of action "wrong" at \/n/),
    });
  });

  it("to an asynchronous schema is a mistake of the definition, and says so", async () => {
    const inputSchema = z.string().refine(async () => true);
    const action = defineBidiAction({ name: "slow", inputSchema }, async () => "ran");
    await expect(action.run("x")).rejects.toMatchObject({
      status: "INTERNAL",
      message: expect.stringContaining("synchronous"),
    });
  });
});

describe("the types of a bidi action", () => {
  it("are those of its schemas: before defaults where the caller gives, after them where it gets", () => {
    const action = summarize();
    type Init = { factor: number; label?: string | undefined };
    type In = { text: string; times?: number | undefined };
    expectTypeOf(action).toEqualTypeOf<BidiAction<Init, In, { length: number }, { label: string; total: number }>>();
    expectTypeOf(action.stream).returns.toEqualTypeOf<
      BidiStream<{ length: number }, { label: string; total: number }>
    >();
  });

  it("demand an init exactly if the schema does", () => {
    const free = defineBidiAction({ name: "free", initSchema: z.number().optional() }, async () => 1);
    expectTypeOf(free.connect).toBeCallableWith();
    // @ts-expect-error init is required
    expect(() => summarize().connect()).toThrow();
    // @ts-expect-error the handler must return what outputSchema takes
    defineBidiAction({ name: "x", outputSchema: z.object({ n: z.number() }) }, async () => ({ n: "1" }));
    // @ts-expect-error chunks must be what streamSchema takes
    defineBidiAction({ name: "x", streamSchema: z.number() }, async ({ sendChunk }) => sendChunk("1"));
  });

  it("fit the action of unknown types that a registry gives", () => {
    const actions: BidiAction[] = [summarize()];
    expect(actions[0]?.name).toBe("summarize");
  });
});
