import { collect, collectUntil } from "@agents/testing";
import { describe, expect, it } from "vitest";
import { isAbort, isFollow, openHeld } from "../../test/held-turn.ts";
import { openWorld, texts } from "../../test/world.ts";

describe("following a turn", () => {
  it("replays from a position and goes on live, over cuts, to the end", async () => {
    const { agent, server, gate } = await openHeld();
    await agent.streamText("x").turnId();
    await gate.reached;
    const seen: string[] = [];
    for await (const entry of agent.follow("turn-1", { after: "1-2" })) {
      if ("chunk" in entry) seen.push(texts([entry.chunk])[0] ?? "end");
      if (seen.length === 1) server.cut();
      if (seen.length === 1) gate.open();
    }
    expect(seen).toEqual(["b", "c", "end"]);
  });

  it("of an unknown turn is NOT_FOUND, and without a log the server's own refusal", async () => {
    const { agent, server } = await openWorld();
    await expect(collect(agent.follow("nobody"))).rejects.toMatchObject({ status: "NOT_FOUND" });
    await agent.runText("x");
    server.mode = "unlogged";
    await expect(collect(agent.follow("turn-1"))).rejects.toMatchObject({
      status: "FAILED_PRECONDITION",
      message: "Cannot use follow: there is no log.",
    });
  });

  it.each([true, false])(
    "from its end gives nothing, with a last word of the server or without: %s",
    async (lastWord) => {
      const { agent, server } = await openWorld();
      await agent.runText("x");
      server.lastWord = lastWord;
      const { position } = server.turn(0).log.at(-1) as { position: string };
      expect(await collect(agent.follow("turn-1", { after: position }))).toEqual([]);
    },
  );

  it("closes its connection when it is left or its signal aborted", async () => {
    const { agent, server, gate } = await openHeld();
    await agent.streamText("x").turnId();
    const controller = new AbortController();
    const left = await collectUntil(agent.follow("turn-1"), () => true);
    expect(left).toHaveLength(1);
    expect(await (await server.seen(isFollow)).closed).toBe("cut");
    server.requests.length = 0;
    const following = collect(agent.follow("turn-1", { signal: controller.signal }));
    const request = await server.seen(isFollow);
    controller.abort(new Error("enough"));
    await expect(following).rejects.toThrow("enough");
    expect(await request.closed).toBe("cut");
    expect(server.count(isAbort)).toBe(0);
    gate.open();
  });
});
