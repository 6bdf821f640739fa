import type { AgentInput, Message } from "@agents/schema/agent";
import { AgentError } from "@agents/schema/error";
import type { BeginRequest, Store } from "@agents/schema/port";
import { describe, expect, it } from "vitest";
import { createWorld, model, storedEvents, user, withTurns } from "../../test/agent-world.ts";
import type { MediaOffload, MediaPlace } from "../index.ts";

const BIG = `data:image/png;base64,${"A".repeat(8_192)}`;
const SMALL = "data:image/png;base64,AAAA";

const withMedia = (url: string): AgentInput => ({
  message: { role: "user", content: [{ text: "look" }, { media: { url, contentType: "image/png" } }] },
});
const pictured = (url: string): Message => ({ role: "model", content: [{ media: { url } }] });
const urls = (messages: readonly Message[] = []): (string | undefined)[] =>
  messages.flatMap(({ content }) => content.flatMap(({ media }) => (media ? [media.url] : [])));

/** Gives each medium a number. */
function createShelf(): MediaOffload & { readonly stored: string[]; readonly places: MediaPlace[] } {
  const stored: string[] = [];
  const places: MediaPlace[] = [];
  return {
    stored,
    places,
    async store(media, place) {
      places.push(place);
      return { ...media, url: `shelf:${stored.push(media.url)}` };
    },
  };
}

interface OpenOptions {
  readonly media: MediaOffload;
  readonly answer?: Message;
  readonly artifact?: string;
  readonly options?: object;
}

/** Answers with a message and an artifact. What begins its turns is kept for the test to see. */
function open({ media, answer = model("ok"), artifact, options = {} }: OpenOptions) {
  const world = createWorld();
  const begun: BeginRequest[] = [];
  const store: Store = withTurns(world.store, {
    begin(caller, request) {
      begun.push(request);
      return world.store.turns.begin(caller, request);
    },
  });
  const agent = world.agents.defineCustomAgent({ name: "a", store, media, ...options }, async (session) => {
    await session.run(async (input) => {
      const text = input.message?.content[0]?.text;
      session.addMessages(answer);
      if (artifact !== undefined) session.addArtifacts({ name: "picture", parts: [{ media: { url: artifact } }] });
      if (text === "rewrite") session.setMessages([user("again"), pictured(BIG)]);
    });
    return session.result();
  });
  const head = async () => (await agent.getLatestSnapshot("s")).state;
  return { ...world, agent, begun, head };
}

describe("large media", () => {
  it("of the user are replaced before the row is made: neither row, log nor state ever holds them", async () => {
    const media = createShelf();
    const { agent, begun, head, store } = open({ media });
    const { snapshotId } = await agent.run(withMedia(BIG), { sessionId: "s" });
    expect(media.stored).toEqual([BIG]);
    expect(JSON.parse(begun[0]?.input ?? "")).toEqual({
      message: { role: "user", content: [{ text: "look" }, { media: { url: "shelf:1", contentType: "image/png" } }] },
    });
    expect(urls((await head())?.messages)).toEqual(["shelf:1"]);
    const log = JSON.stringify([begun, await storedEvents(store, snapshotId as string)]);
    expect(log).toContain("shelf:1");
    expect(log).not.toContain("data:");
  });

  it("are replaced before the agent sees them", async () => {
    const seen: unknown[] = [];
    const { agents } = createWorld();
    const agent = agents.defineCustomAgent({ name: "a", media: createShelf() }, async (session) => {
      await session.run(async ({ message }) => void seen.push(message, session.getMessages()[0]));
    });
    await agent.run(withMedia(BIG));
    const lean = { role: "user", content: [{ text: "look" }, { media: { url: "shelf:1", contentType: "image/png" } }] };
    expect(seen).toEqual([lean, lean]);
  });

  it("of every input of a connection are replaced", async () => {
    const media = createShelf();
    const { agent, head } = open({ media });
    const connection = agent.connect({ sessionId: "s" });
    for (const input of [withMedia(BIG), withMedia(`${BIG}2`)]) await connection.send(input);
    await connection.output();
    expect(urls((await head())?.messages)).toEqual(["shelf:1", "shelf:2"]);
  });

  it("of the agent are replaced before they are saved, in messages, artifacts and the output", async () => {
    const media = createShelf();
    const { agent, head } = open({ media, answer: pictured(BIG), artifact: `${BIG}a` });
    const output = await agent.runText("hi", { sessionId: "s" });
    const state = await head();
    expect(urls(state?.messages)).toEqual(["shelf:1"]);
    expect(state?.artifacts).toEqual([{ name: "picture", parts: [{ media: { url: "shelf:2" } }] }]);
    expect(output).toMatchObject({ message: pictured("shelf:1"), artifacts: state?.artifacts });
    expect(await agent.verifySnapshot(output.snapshotId as string)).toMatchObject({ status: "completed" });
  });

  it("are replaced once: what an earlier turn has saved is not looked at again", async () => {
    const media = createShelf();
    const { agent, head } = open({ media, answer: pictured(BIG), artifact: BIG });
    for (let n = 0; n < 3; n++) await agent.runText("hi", { sessionId: "s" });
    expect(urls((await head())?.messages)).toEqual(["shelf:1", "shelf:3", "shelf:5"]);
    expect(media.stored).toHaveLength(6);
  });

  it("are replaced in a history that the agent rewrote", async () => {
    const media = createShelf();
    const { agent, head } = open({ media });
    await agent.runText("hi", { sessionId: "s" });
    await agent.runText("rewrite", { sessionId: "s" });
    expect(urls((await head())?.messages)).toEqual(["shelf:1"]);
  });

  it("that come after the loop are replaced before the invocation's end is saved", async () => {
    const { agents } = createWorld();
    const agent = agents.defineCustomAgent({ name: "a", media: createShelf(), snapshot: "always" }, async (session) => {
      await session.run(async () => {});
      session.addMessages(pictured(BIG));
    });
    const { snapshotId } = await agent.runText("hi");
    expect(urls((await agent.getSnapshot(snapshotId as string)).state?.messages)).toEqual(["shelf:1"]);
  });

  it("of a client-managed agent are replaced in the state that it gives", async () => {
    const { agents } = createWorld();
    const agent = agents.defineCustomAgent(
      { name: "a", media: createShelf(), stateManagement: "client" },
      async (session) => session.run(async () => session.addMessages(pictured(BIG))),
    );
    expect(urls((await agent.run(withMedia(BIG))).state?.messages)).toEqual(["shelf:1", "shelf:2"]);
  });
});

describe("media that stay inline", () => {
  it("are small ones, and those that are somewhere already", async () => {
    const media = createShelf();
    const { agent, head } = open({ media, answer: pictured(`https://example.org/${"a".repeat(9_000)}`) });
    await agent.run(withMedia(SMALL), { sessionId: "s" });
    expect(media.stored).toEqual([]);
    expect(urls((await head())?.messages)[0]).toBe(SMALL);
  });

  it.each([
    [BIG.slice(0, 8_192), ["shelf:1"]],
    [BIG.slice(0, 8_191), [BIG.slice(0, 8_191)]],
  ])("are by default those below 8,192 characters", async (url, kept) => {
    const { agent, head } = open({ media: createShelf() });
    await agent.run(withMedia(url), { sessionId: "s" });
    expect(urls((await head())?.messages)).toEqual(kept);
  });

  it("are those below minLength", async () => {
    const media = { ...createShelf(), minLength: SMALL.length };
    const { agent, head } = open({ media, answer: pictured(SMALL.slice(0, -1)) });
    await agent.run(withMedia(SMALL), { sessionId: "s" });
    expect(urls((await head())?.messages)).toEqual(["shelf:1", SMALL.slice(0, -1)]);
  });
});

describe("the hook", () => {
  it("is told the session and the caller's context; a branch is not known to be of a session yet", async () => {
    const media = createShelf();
    const { agent } = open({ media, answer: pictured(BIG) });
    const context = { subject: "me" };
    const first = await agent.run(withMedia(BIG), { sessionId: "s", context });
    await agent.run(withMedia(BIG), { snapshotId: first.snapshotId as string, context });
    expect(media.places).toEqual([
      { sessionId: "s", context },
      { sessionId: "s", context },
      { sessionId: undefined, context },
      { sessionId: "s", context },
    ]);
  });

  it("is told the session of a fresh one, too", async () => {
    const media = createShelf();
    const { agent } = open({ media });
    const { sessionId } = await agent.run(withMedia(BIG));
    expect(media.places).toEqual([{ sessionId, context: {} }]);
  });

  const failing: MediaOffload = {
    store: () => Promise.reject(new AgentError("UNAVAILABLE", "The shelf is full.")),
  };

  it("that fails for an input fails the turn with its error, and no row is made", async () => {
    const { agent, begun } = open({ media: failing });
    expect(await agent.run(withMedia(BIG), { sessionId: "s" })).toEqual({
      sessionId: "s",
      finishReason: "failed",
      error: { status: "UNAVAILABLE", message: "The shelf is full." },
      snapshotIds: [],
    });
    expect(begun).toEqual([]);
  });

  it("that fails for a later input fails the invocation, also where the agent catches it and ends", async () => {
    const { agents } = createWorld();
    const agent = agents.defineCustomAgent({ name: "a", media: failing }, async (session) => {
      await session.run(async () => {}).catch(() => {});
    });
    const connection = agent.connect();
    await connection.sendText("fine");
    await connection.send(withMedia(BIG));
    const output = await connection.output();
    expect(output).toMatchObject({ finishReason: "failed", error: { status: "UNAVAILABLE" } });
    expect(output.snapshotIds).toHaveLength(1);
  });

  it("that fails for what the agent made fails the turn, and nothing of it is stored", async () => {
    const { agent } = open({ media: failing, answer: pictured(BIG) });
    const stream = agent.streamText("hi", { sessionId: "s" });
    expect(await stream.output()).toMatchObject({ finishReason: "failed", error: { status: "UNAVAILABLE" } });
    expect(await agent.getSnapshot((await stream.turnId()) as string)).toMatchObject({
      status: "failed",
      error: { message: "The shelf is full." },
    });
    await expect(agent.getLatestSnapshot("s")).rejects.toMatchObject({ status: "NOT_FOUND" });
  });
});
