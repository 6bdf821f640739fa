import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cutOff } from "../test/answers.ts";
import { type ProviderServer, startProviderServer } from "../test/provider-server.ts";
import { RECORDINGS } from "../test/recordings.ts";
import { stream } from "../test/stream.ts";
import { createAiSdkModel } from "./index.ts";

let server: ProviderServer;
beforeAll(async () => {
  server = await startProviderServer();
});
afterAll(() => server.close());

describe.each(RECORDINGS)("an answer of $provider", ({ model: connect, request, streamed, expected }) => {
  const places = tellingPlaces(streamed.bytes);

  it.each(["destroyed", "ended"] as const)(
    "is whole or UNAVAILABLE wherever its connection is %s",
    { timeout: 60_000 },
    async (how) => {
      const model = createAiSdkModel(connect(server));
      let whole = 0;
      for (const bytes of places) {
        server.answer(cutOff(streamed, bytes, how));
        const outcome = await stream(model, request).catch((error: unknown) => error as Error);
        if (outcome instanceof Error) {
          expect(outcome, `cut off after ${bytes}`).toMatchObject({ name: "AgentError", status: "UNAVAILABLE" });
        } else {
          whole++;
          const { message, finishReason } = outcome.response;
          expect({ message, finishReason }, `cut off after ${bytes}`).toEqual({
            message: expected.message,
            finishReason: expected.finishReason,
          });
        }
      }
      // Once the last words are read, what is missing after them does not matter.
      expect(whole).toBeLessThan(places.length / 4);
    },
  );
});

/** Around the line ends, where an event is complete or nearly so, and within each line. */
function tellingPlaces(bytes: Buffer): number[] {
  const places = new Set<number>();
  let start = 0;
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at] !== 0x0a) continue;
    for (const place of [at - 1, at, at + 1, at + 2, (start + at) >> 1]) places.add(place);
    start = at;
  }
  return [...places].filter((place) => place > 0 && place < bytes.length);
}
