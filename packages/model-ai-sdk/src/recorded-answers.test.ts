import { MessageSchema, type ModelChunk, type Part } from "@agents/schema/agent";
import type { Model } from "@agents/schema/port";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { inPieces, whole } from "../test/answers.ts";
import { type ProviderServer, startProviderServer } from "../test/provider-server.ts";
import { RECORDINGS } from "../test/recordings.ts";
import { stream } from "../test/stream.ts";
import { createAiSdkModel } from "./index.ts";

let server: ProviderServer;
beforeAll(async () => {
  server = await startProviderServer();
});
afterAll(() => server.close());

describe.each(RECORDINGS)("an answer of $provider", (recording) => {
  let model: Model;
  beforeAll(() => {
    model = createAiSdkModel(recording.model(server));
  });

  it("means the same streamed and whole", async () => {
    server.answer(whole(recording.streamed));
    const { response, chunks } = await stream(model, recording.request);
    expect(response).toEqual(recording.expected);
    expect(joined(chunks)).toEqual(recording.expected.message.content.map(withoutMetadata).filter(isShown));
    expect(chunks.every(({ role }) => role === "model")).toBe(true);
    expect(MessageSchema.parse(response.message)).toEqual(response.message);

    server.answer(whole(recording.whole));
    const { signal } = new AbortController();
    expect(await model.generate(recording.request, { signal })).toEqual(recording.expected);
  });

  it("means the same with every byte written alone", { timeout: 120_000 }, async () => {
    const { length } = recording.streamed.bytes;
    server.answer(
      inPieces(
        recording.streamed,
        Array.from({ length }, (_, index) => index + 1),
      ),
    );
    const { response, chunks } = await stream(model, recording.request);
    expect(response).toEqual(recording.expected);
    expect(joined(chunks)).toEqual(recording.expected.message.content.map(withoutMetadata).filter(isShown));
  });

  it("means the same wherever it is cut in two", { timeout: 120_000 }, async () => {
    const { streamed, expected } = recording;
    for (let offset = 1; offset < streamed.bytes.length; offset++) {
      server.answer(inPieces(streamed, [offset]));
      const { response } = await stream(model, recording.request);
      expect(response, `cut at ${offset}`).toEqual(expected);
    }
  });

  it("leaves the connection to the next call", async () => {
    server.answer(whole(recording.short));
    await stream(model, recording.request);
    const before = server.connections();
    for (let call = 0; call < 3; call++)
      expect((await stream(model, recording.request)).response.message.content).toEqual([{ text: "ok" }]);
    expect(server.connections()).toBe(before);
  });
});

/** What a reader of the chunks saw, as parts. */
function joined(chunks: readonly ModelChunk[]): Part[] {
  const parts: Part[] = [];
  for (const part of chunks.flatMap(({ content }) => content)) {
    const last = parts.at(-1);
    if (last?.text !== undefined && part.text !== undefined) parts[parts.length - 1] = { text: last.text + part.text };
    else if (last?.reasoning !== undefined && part.reasoning !== undefined) {
      parts[parts.length - 1] = { reasoning: last.reasoning + part.reasoning };
    } else parts.push(withoutMetadata(part));
  }
  return parts;
}

function withoutMetadata({ metadata: _, ...part }: Part): Part {
  return part as Part;
}

/** A redacted thought shows nothing. */
function isShown(part: Part): boolean {
  return part.reasoning !== "";
}
