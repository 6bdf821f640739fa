import { createRegistry, defineFlow } from "@agents/core";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { createHttpWorld, eventually, open, post, rawClient, rawPost } from "../../test/http-world.ts";

function createFlow() {
  const gate = resolvers();
  const state = { stopped: false, gate };
  const flow = defineFlow(
    {
      registry: createRegistry(),
      name: "shout",
      inputSchema: z.string(),
      streamSchema: z.string(),
      outputSchema: z.number(),
    },
    async ({ inputs, sendChunk, signal }) => {
      signal.addEventListener("abort", () => {
        state.stopped = true;
        gate.resolve();
      });
      let count = 0;
      for await (const input of inputs) {
        await sendChunk(input.toUpperCase());
        if (input === "block") await gate.promise;
        count += 1;
      }
      return count;
    },
  );
  return { flow, state };
}

function resolvers() {
  let resolve = (): void => {};
  const promise = new Promise<void>((given) => {
    resolve = given;
  });
  return { promise, resolve };
}

describe("POST /flows/{name}", () => {
  it("runs a flow in the same envelope, at once or as a stream", async () => {
    const { url } = await open(createHttpWorld(), { flows: [createFlow().flow] });
    expect(await (await post(`${url}/flows/shout`, { data: "hi" })).json()).toEqual({ result: 1 });
    expect(await (await post(`${url}/flows/shout?stream=true`, { data: "hi" })).text()).toBe(
      'data: {"message":"HI"}\n\ndata: {"result":1}\n\n',
    );
  });

  it.each(["", "?stream=true"])("refuses an input that does not fit before anything runs (%s)", async (query) => {
    const { url, handler } = await open(createHttpWorld(), { flows: [createFlow().flow] });
    const response = await post(`${url}/flows/shout${query}`, { data: 1 });
    expect([response.status, await response.json()]).toEqual([
      400,
      expect.objectContaining({ status: "INVALID_ARGUMENT" }),
    ]);
    expect(handler.activity.openStreams).toBe(0);
    expect((await post(`${url}/flows/none${query}`, { data: 1 })).status).toBe(404);
  });

  it.each(["", "accept: text/event-stream\r\n"])("is stopped when its client leaves (%j)", async (headers) => {
    const { flow, state } = createFlow();
    const { port, handler } = await open(createHttpWorld(), { flows: [flow] });
    const client = rawClient(port, rawPost("/flows/shout", '{"data":"block"}', headers));
    await eventually(() => handler.activity.clients === 1);
    client.socket.destroy();
    await eventually(() => state.stopped);
    await eventually(() => handler.activity.clients === 0);
    expect(handler.activity).toEqual({ openStreams: 0, clients: 0, running: 0, attended: 0 });
  });
});
