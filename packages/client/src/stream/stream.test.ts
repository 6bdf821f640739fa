import { collect, collectUntil } from "@agents/testing";
import { describe, expect, it } from "vitest";
import { createGate, openWorld, texts } from "../../test/world.ts";

describe("a stream", () => {
  it("gives the chunks of a turn, its id before the first, and its output", async () => {
    const { agent, server } = await openWorld();
    const stream = agent.streamText("hello there", { sessionId: "s" });
    expect(await stream.turnId()).toBe("turn-1");
    const chunks = await collect(stream);
    expect(texts(chunks)).toEqual(["re: ", "hello ", "there"]);
    expect(chunks.at(-1)).toEqual({ turnEnd: { finishReason: "stop", snapshotId: "turn-1" } });
    expect(await stream.output()).toMatchObject({ sessionId: "s", snapshotId: "turn-1", finishReason: "stop" });
    expect(server.requests.map(({ method, url }) => `${method} ${url}`)).toEqual(["POST /agents/a"]);
    expect(server.requests[0]?.body).toEqual({
      data: { message: { role: "user", content: [{ text: "hello there" }] } },
      init: { sessionId: "s" },
    });
  });

  it("goes on behind the last chunk when the connection is cut, and takes the output from the snapshot", async () => {
    const { agent, server } = await openWorld();
    const gate = createGate();
    server.script = async (turn) => {
      turn.text("a", "b");
      await gate.wait();
      turn.text("c");
      return [{ role: "model", content: [{ text: "abc" }] }];
    };
    const stream = agent.streamText("x");
    const first = await collectUntil(stream.positioned(), ({ chunk }) => texts([chunk])[0] === "b");
    server.cut();
    gate.open();
    const rest = await collect(stream.positioned());
    expect(texts([...first, ...rest].map(({ chunk }) => chunk))).toEqual(["a", "b", "c"]);
    expect(await stream.output()).toEqual({
      sessionId: "session-1",
      finishReason: "stop",
      snapshotId: "turn-1",
      snapshotIds: ["turn-1"],
      message: { role: "model", content: [{ text: "abc" }] },
    });
  });
});
