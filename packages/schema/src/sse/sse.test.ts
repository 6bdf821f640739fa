import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { AgentError } from "../error/index.ts";
import { createSseDecoder, decodeSse, encodeSse, encodeSseComment, type SseFrame } from "./index.ts";

const utf8 = new TextEncoder();

function decodeAll(pieces: readonly Uint8Array[]) {
  const frames: SseFrame[] = [];
  const comments: string[] = [];
  const decoder = createSseDecoder({
    onFrame: (frame) => frames.push(frame),
    onComment: (text) => comments.push(text),
  });
  for (const piece of pieces) decoder.push(piece);
  return { frames, comments, end: decoder.end() };
}

const decodeText = (text: string) => decodeAll([utf8.encode(text)]);

function cutAt(bytes: Uint8Array, cuts: readonly number[]): Uint8Array[] {
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  return places.slice(1).map((place, i) => bytes.subarray(places[i], place));
}

describe("encoding", () => {
  it.each<[string, SseFrame, string]>([
    ["data alone is one line and a blank line", { data: '{"a":1}' }, 'data: {"a":1}\n\n'],
    ["id and event come before the data", { id: "1-2", event: "x", data: "d" }, "id: 1-2\nevent: x\ndata: d\n\n"],
    ["each line of the data is a field of its own", { data: "a\nb\r\nc\rd" }, "data: a\ndata: b\ndata: c\ndata: d\n\n"],
    ["empty data is still a frame", { data: "" }, "data: \n\n"],
  ])("%s", (_name, frame, text) => {
    expect(encodeSse(frame)).toBe(text);
  });

  it("writes a comment that no decoder takes for a frame", () => {
    expect(encodeSseComment("keepalive")).toBe(": keepalive\n\n");
    expect(decodeText(encodeSseComment("keepalive"))).toEqual({
      frames: [],
      comments: ["keepalive"],
      end: { truncated: false },
    });
  });

  it.each(["a\nb", "a\rb", "a\0b"])(
    "refuses an id, event or comment that could write frames of its own: %j",
    (value) => {
      for (const encode of [
        () => encodeSse({ data: "", id: value }),
        () => encodeSse({ data: "", event: value }),
        () => encodeSseComment(value),
      ]) {
        expect(encode).toThrow(
          expect.objectContaining({
            status: "INVALID_ARGUMENT",
            message: expect.stringContaining(JSON.stringify(value)),
          }),
        );
      }
    },
  );
});

describe("decoding", () => {
  it.each<[string, string, SseFrame[]]>([
    ["joins several data lines", "data: a\ndata: b\n\n", [{ data: "a\nb" }]],
    ["takes \\r\\n and \\r as line ends", "data: a\r\n\r\ndata: b\r\r", [{ data: "a" }, { data: "b" }]],
    ["passes over comments inside a frame", ": one\ndata: a\n: two\n\n", [{ data: "a" }]],
    [
      "removes one space after the colon and keeps the others",
      "data:a\n\ndata:  b \n\n",
      [{ data: "a" }, { data: " b " }],
    ],
    ["skips a byte order mark", "\uFEFFdata: a\n\n", [{ data: "a" }]],
    ["ignores fields it does not know and retry", "foo: 1\nretry: 10\ndata: a\n\n", [{ data: "a" }]],
    ["makes no frame of an id without data", "id: 7\n\ndata: a\n\n", [{ data: "a" }]],
  ])("%s", (_name, text, frames) => {
    expect(decodeText(text)).toMatchObject({ frames, end: { truncated: false } });
  });

  it.each<[string, string, SseFrame[], SseFrame | undefined]>([
    ["a final frame without its blank line", "data: a\n\ndata: b\n", [{ data: "a" }], { data: "b" }],
    ["a final frame cut in its data", 'id: 4\ndata: {"a', [], { id: "4", data: '{"a' }],
    ["a frame cut after its id", "data: a\n\nid: 5\n", [{ data: "a" }], { id: "5", data: "" }],
    ["a frame cut inside a field name", "data: a\n\ndat", [{ data: "a" }], undefined],
    ["a frame cut after several data lines", "data: a\ndata: b", [], { data: "a\nb" }],
    ["a frame with empty data and no blank line", "data:", [], { data: "" }],
    ["data that happens to be our own end mark", "data: end\n", [], { data: "end" }],
  ])("reports truncation: %s", (_name, text, frames, partial) => {
    const decoded = decodeText(text);
    expect(decoded.frames).toEqual(frames);
    expect(decoded.end).toEqual(partial === undefined ? { truncated: true } : { truncated: true, partial });
  });

  it("reports truncation inside a multi-byte character", () => {
    const bytes = utf8.encode("data: a\n\ndata: 🦀");
    expect(decodeAll([bytes.subarray(0, bytes.length - 2)]).end).toMatchObject({ truncated: true });
  });

  it.each(["", ": comment", ": comment\n", "data: a\n\n", "data: a\r\r", "data: a\r\n\r\n", "data: end\n\n"])(
    "takes a whole stream for whole: %j",
    (text) => {
      expect(decodeText(text).end).toEqual({ truncated: false });
    },
  );

  it("gives a frame out as soon as its blank line is there, whatever the line ends", () => {
    for (const lineBreak of ["\n", "\r\n", "\r"]) {
      const frames: SseFrame[] = [];
      const decoder = createSseDecoder({ onFrame: (frame) => frames.push(frame) });
      decoder.push(utf8.encode(`data: a${lineBreak}${lineBreak}`));
      expect(frames).toEqual([{ data: "a" }]);
    }
  });

  it("stops with RESOURCE_EXHAUSTED at a frame that never ends, instead of buffering it", () => {
    const decoder = createSseDecoder({ onFrame: () => {}, maxFrameLength: 1000 });
    const push = () => {
      for (let i = 0; i < 100; i++) decoder.push(utf8.encode("data: 0123456789\n"));
    };
    const tooLong = expect.objectContaining({ status: "RESOURCE_EXHAUSTED", details: { limit: 1000 } });
    expect(push).toThrow(tooLong);
    expect(() => decoder.push(utf8.encode("\n\n"))).toThrow(tooLong);
  });
});

const line = fc.string({ unit: "grapheme", maxLength: 12 }).map((text) => text.replace(/[\r\n\0]/g, ""));
const frame = fc.record(
  {
    data: fc.array(line, { minLength: 1, maxLength: 3 }).map((lines) => lines.join("\n")),
    id: line,
    event: line.filter((text) => text !== ""),
  },
  { requiredKeys: ["data"] },
);
const stream = fc.record({
  items: fc.array(
    fc.oneof(
      frame,
      line.map((comment) => ({ comment })),
    ),
    { maxLength: 8 },
  ),
  lineBreak: fc.constantFrom("\n", "\r\n", "\r"),
  missing: fc.oneof(fc.constant(0), fc.nat({ max: 40 })),
});
const cuts = fc.array(fc.nat(), { maxLength: 30 });

describe("any split of the bytes", () => {
  it("finds the same frame too long, after giving out the same frames before it", () => {
    const outcome = (pieces: readonly Uint8Array[], maxFrameLength: number) => {
      const frames: SseFrame[] = [];
      const decoder = createSseDecoder({ onFrame: (next) => frames.push(next), maxFrameLength });
      try {
        for (const piece of pieces) decoder.push(piece);
        return { frames, end: decoder.end() };
      } catch (error) {
        return { frames, end: (error as AgentError).status };
      }
    };
    fc.assert(
      fc.property(stream, cuts, fc.integer({ min: 1, max: 60 }), ({ items, lineBreak }, places, limit) => {
        const text = items
          .map((item) => ("comment" in item ? encodeSseComment(item.comment) : encodeSse(item)))
          .join("");
        const bytes = utf8.encode(text.replaceAll("\n", lineBreak));
        expect(outcome(cutAt(bytes, places), limit)).toEqual(outcome([bytes], limit));
      }),
      { numRuns: 1000 },
    );
  });

  it("decodes any sequence of frames to the same frames, comments and end", () => {
    fc.assert(
      fc.property(stream, cuts, ({ items, lineBreak, missing }, places) => {
        const text = items
          .map((item) => ("comment" in item ? encodeSseComment(item.comment) : encodeSse(item)))
          .join("");
        const whole = utf8.encode(text.replaceAll("\n", lineBreak));
        const bytes = whole.subarray(0, Math.max(0, whole.length - missing));
        const byByte = Array.from(bytes, (_, i) => bytes.subarray(i, i + 1));
        const expected = decodeAll([bytes]);
        expect(decodeAll(cutAt(bytes, places))).toEqual(expected);
        expect(decodeAll(byByte)).toEqual(expected);
        if (missing === 0) {
          expect(expected.frames).toEqual(items.filter((item) => !("comment" in item)));
          expect(expected.end).toEqual({ truncated: false });
        }
      }),
      { numRuns: 1000 },
    );
  });
});

async function collect<T>(source: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of source) items.push(item);
  return items;
}

describe("decodeSse", () => {
  async function* bytesOf(...texts: string[]) {
    for (const text of texts) yield utf8.encode(text);
  }

  it("yields frames as they arrive and ends with the bytes", async () => {
    const frames = await collect(decodeSse(bytesOf("data: a\n\nda", "ta: b\n\n")));
    expect(frames).toEqual([{ data: "a" }, { data: "b" }]);
  });

  it("throws DATA_LOSS with what had arrived when the bytes end inside a frame", async () => {
    const seen: SseFrame[] = [];
    const read = async () => {
      for await (const next of decodeSse(bytesOf("data: a\n\n", "id: 2\ndata: {"))) seen.push(next);
    };
    const error = await read().catch((thrown: unknown) => thrown);
    expect(AgentError.is(error) && error).toMatchObject({
      status: "DATA_LOSS",
      details: { partial: { id: "2", data: "{" } },
    });
    expect(seen).toEqual([{ data: "a" }]);
  });

  it("yields what was whole before a frame that is too long", async () => {
    const seen: SseFrame[] = [];
    const read = async () => {
      const source = bytesOf(`data: a\n\ndata: b\n\ndata: ${"x".repeat(500)}`);
      for await (const next of decodeSse(source, { maxFrameLength: 20 })) seen.push(next);
    };
    await expect(read()).rejects.toMatchObject({ status: "RESOURCE_EXHAUSTED" });
    expect(seen).toEqual([{ data: "a" }, { data: "b" }]);
  });

  it("reads a web stream, and cancels it when the reader leaves", async () => {
    let cancelled = false;
    const stream = () =>
      new ReadableStream<Uint8Array>({
        pull: (controller) => controller.enqueue(utf8.encode("data: a\n\n")),
        cancel: () => {
          cancelled = true;
        },
      });
    for await (const next of decodeSse({ getReader: () => stream().getReader() })) {
      expect(next).toEqual({ data: "a" });
      break;
    }
    expect(cancelled).toBe(true);
    const whole = new Response("data: a\n\ndata: b\n\n").body as ReadableStream<Uint8Array>;
    expect(await collect(decodeSse(whole))).toEqual([{ data: "a" }, { data: "b" }]);
  });

  it("closes the source when the reader leaves", async () => {
    let closed = false;
    async function* endless() {
      try {
        for (;;) yield utf8.encode("data: a\n\n");
      } finally {
        closed = true;
      }
    }
    for await (const _ of decodeSse(endless())) break;
    expect(closed).toBe(true);
  });

  it("passes the source's own failure on", async () => {
    async function* failing() {
      yield utf8.encode("data: a\n\n");
      throw new Error("connection reset");
    }
    await expect(collect(decodeSse(failing()))).rejects.toThrow("connection reset");
  });
});
