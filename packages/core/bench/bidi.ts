import type { Comparison } from "@tooling/bench";
import * as z from "zod";
import { defineBidiAction } from "../src/bidi/define-bidi-action.ts";
import { createChannel } from "../src/channel/create-channel.ts";

const CHUNKS = 50_000;
const ROUND_TRIPS = 20_000;
const CALLS = 2_000;

interface Chunk {
  readonly text: string;
}
const CHUNK: Chunk = { text: "token" };

export const bidiComparisons = (): Comparison[] => [
  {
    name: "chunks through a channel / bare async generator",
    work: { count: CHUNKS, unit: "chunks" },
    ours: async () => {
      const channel = createChannel<Chunk>({ capacity: 64 });
      const sending = (async () => {
        for (let n = 0; n < CHUNKS; n++) await channel.send(CHUNK);
        channel.end();
      })();
      await drain(channel.values());
      await sending;
    },
    baseline: () => drain(bare()),
    atMost: 10,
  },
  { ...chunks("chunks through a bidi action / bare async generator"), atMost: 10 },
  { ...chunks("the same, checked by a zod schema", z.object({ text: z.string() })), atMost: 20 },
  roundTrips(),
  calls(),
];

function chunks(name: string, streamSchema?: z.ZodType<Chunk, Chunk>): Omit<Comparison, "atMost"> {
  const action = defineBidiAction<undefined, string, Chunk, number>(
    { name: "chunks", ...(streamSchema === undefined ? {} : { streamSchema }) },
    async ({ sendChunk }) => {
      for (let n = 0; n < CHUNKS; n++) await sendChunk(CHUNK);
      return CHUNKS;
    },
  );
  return {
    name,
    work: { count: CHUNKS, unit: "chunks" },
    ours: async () => {
      const stream = action.stream("go");
      await drain(stream);
      return stream.output();
    },
    baseline: () => drain(bare()),
  };
}

/** One input, one chunk back, then the next. The baseline is a generator that is given each input by `next(input)`. */
function roundTrips(): Comparison {
  const action = defineBidiAction<undefined, Chunk, Chunk, undefined>(
    { name: "echo" },
    async ({ inputs, sendChunk }) => {
      for await (const input of inputs) await sendChunk(input);
      return undefined;
    },
  );
  return {
    name: "send and receive, in turns / generator.next(input)",
    work: { count: ROUND_TRIPS, unit: "round trips" },
    ours: async () => {
      const connection = action.connect();
      const chunks = connection.receive()[Symbol.asyncIterator]();
      for (let n = 0; n < ROUND_TRIPS; n++) {
        await connection.send(CHUNK);
        await chunks.next();
      }
      return connection.output();
    },
    baseline: async () => {
      const echo = bareEcho();
      await echo.next(CHUNK);
      for (let n = 0; n < ROUND_TRIPS; n++) await echo.next(CHUNK);
    },
    atMost: 10,
  };
}

/** What an invocation costs before anything is streamed, against the two streams that the platform offers for it. */
function calls(): Comparison {
  const action = defineBidiAction<undefined, Chunk, never, Chunk>({ name: "call" }, async ({ inputs }) => {
    for await (const input of inputs) return input;
    return CHUNK;
  });
  return {
    name: "run with one input / two TransformStreams",
    work: { count: CALLS, unit: "calls" },
    ours: async () => {
      for (let n = 0; n < CALLS; n++) await action.run(CHUNK);
    },
    baseline: async () => {
      for (let n = 0; n < CALLS; n++) await callOverStreams();
    },
    atMost: 1,
  };
}

async function callOverStreams(): Promise<Chunk | undefined> {
  const [inputs, outputs] = [new TransformStream<Chunk, Chunk>(), new TransformStream<Chunk, Chunk>()];
  const piped = inputs.readable.pipeTo(outputs.writable);
  const writer = inputs.writable.getWriter();
  void writer.write(CHUNK);
  void writer.close();
  const { value } = await outputs.readable.getReader().read();
  await piped;
  return value;
}

async function* bare(): AsyncGenerator<Chunk> {
  for (let n = 0; n < CHUNKS; n++) yield CHUNK;
}

async function* bareEcho(): AsyncGenerator<Chunk, void, Chunk> {
  let input = yield CHUNK;
  for (;;) input = yield input;
}

/** Reads everything; the sum keeps the reading from being optimised away. */
async function drain(values: AsyncIterable<Chunk>): Promise<number> {
  let length = 0;
  for await (const { text } of values) length += text.length;
  return length;
}
