import type { AgentChunk } from "@agents/schema/agent";
import { collect } from "@agents/testing";
import { describe, expect, it, onTestFinished } from "vitest";
import { ChaosProxy, seededRandom } from "../../test/chaos-proxy.ts";
import { openWorld } from "../../test/world.ts";

const CUTS = 1_000;
const CHARACTERS = ["a", "ß", "語", "🦀", "👩‍👩‍👧", "\n", '"', "\u2028", "é", "data: ", "\r\n\r\n", ""];

/** A turn of its own: texts of characters of one to many bytes. */
function randomChunks(random: () => number): AgentChunk[] {
  const word = () => CHARACTERS[Math.floor(random() * CHARACTERS.length)] as string;
  return Array.from({ length: 1 + Math.floor(random() * 30) }, (_, index) => ({
    modelChunk: { index, content: [{ text: Array.from({ length: Math.floor(random() * 8) }, word).join("") }] },
  }));
}

describe("a proxy that cuts, delays, truncates and splits the stream at random places a thousand times", () => {
  it("does not keep a chunk from arriving exactly once, in order", async () => {
    const random = seededRandom(20_260_101);
    const { server, another } = await openWorld();
    const proxy = new ChaosProxy({
      target: () => server.port,
      random,
      // A start whose answer never comes is an error of its own: nobody knows whether it was done.
      mayCutHead: (request) => !request.startsWith("POST /agents/a HTTP"),
    });
    const port = await proxy.start();
    onTestFinished(() => proxy.stop());
    server.closeAfterEachAnswer();
    const agent = another({ url: `http://127.0.0.1:${port}`, patience: { baseMs: 0, maxMs: 0, maxAttempts: 50 } });
    let turns = 0;
    while (proxy.cuts < CUTS) {
      const chunks = randomChunks(random);
      server.script = async (turn) => {
        for (const chunk of chunks) {
          turn.emit(chunk);
          if (random() < 0.4) await new Promise((resolve) => setImmediate(resolve));
        }
        return [{ role: "model", content: [{ text: `${turns}` }] }];
      };
      server.lastWord = random() < 0.5;
      proxy.cutsLeft = 2 + Math.floor(random() * 14);
      const stream = agent.streamText("go");
      const received = await collect(stream);
      const turnId = `turn-${turns + 1}`;
      expect(received).toEqual([...chunks, { turnEnd: { finishReason: "stop", snapshotId: turnId } }]);
      const message = { content: [{ text: `${turns}` }] };
      expect(await stream.output()).toMatchObject({ finishReason: "stop", snapshotId: turnId, message });
      expect(server.turns.size).toBe(++turns);
    }
    expect(proxy.cuts).toBeGreaterThanOrEqual(CUTS);
  }, 120_000);
});
