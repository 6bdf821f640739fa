import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Client, type OwnRedis, startOwnRedis } from "../test/own-redis.ts";
import { begun, complete, NOBODY, sendRequest, turn } from "../test/turn-driver.ts";
import { createRedisStore } from "./create-redis-store.ts";

let own: OwnRedis;
let client: Client;
beforeEach(async () => {
  own = await startOwnRedis();
  client = await own.client();
});
afterEach(() => own.stop());

function open(url = own.url) {
  return createRedisStore({ url, prefix: `${randomUUID()}:`, onWarning: () => {} });
}

const set = (name: string, value: string) => client.sendCommand(["CONFIG", "SET", name, value]);

describe("health", () => {
  it("says that nothing is written to disk, or only now and then, or that all is well", async () => {
    const store = open();
    expect(await store.health()).toEqual({
      durable: false,
      warnings: [expect.stringContaining("a restart loses all sessions")],
    });
    await set("save", "3600 1");
    expect(await store.health()).toEqual({ durable: false, warnings: [expect.stringContaining("now and then only")] });
    await set("appendonly", "yes");
    expect(await store.health()).toEqual({
      durable: false,
      warnings: [expect.stringContaining("in the last seconds")],
    });
    await set("appendfsync", "always");
    expect(await store.health()).toEqual({ durable: true, warnings: [] });
    await store.close();
  });

  it("says that the server evicts, which is not durable", async () => {
    const store = open();
    await set("appendonly", "yes");
    await set("appendfsync", "always");
    await set("maxmemory-policy", "allkeys-lru");
    expect((await store.health()).durable, "without a limit nothing is evicted").toBe(true);
    await set("maxmemory", "1gb");
    expect(await store.health()).toEqual({ durable: false, warnings: [expect.stringContaining("allkeys-lru")] });
    await store.close();
  });

  it("makes do without CONFIG where it is forbidden", async () => {
    await client.sendCommand(["ACL", "SETUSER", "app", "on", ">secret", "~*", "&*", "+@all", "-config"]);
    const store = open(`redis://app:secret@127.0.0.1:${own.port}`);
    expect(await store.health()).toEqual({
      durable: false,
      warnings: [expect.stringContaining("no append-only file")],
    });
    await turn(store, "s");
    await store.close();
  });

  it("is told once at the start, through the option and telemetry", async () => {
    const warnings: string[] = [];
    const counted: string[] = [];
    const store = createRedisStore({
      url: own.url,
      prefix: `${randomUUID()}:`,
      onWarning: (warning) => {
        warnings.push(warning);
      },
      telemetry: { count: (metric) => counted.push(metric) },
    });
    await turn(store, "s");
    await turn(store, "t");
    await expect.poll(() => warnings).toEqual([expect.stringContaining("a restart loses all sessions")]);
    expect(counted).toEqual(["agents.store.warning"]);
    await store.close();
  });
});

describe("a server that refuses", () => {
  it("for lack of memory is RESOURCE_EXHAUSTED, with nothing half done, and the turn ends once there is room", async () => {
    const store = open();
    const { lease } = await begun(store, sendRequest("s"));
    await set("maxmemory", "1");
    await expect(begun(store, sendRequest("t"))).rejects.toMatchObject({ status: "RESOURCE_EXHAUSTED" });
    await expect(complete(store, lease)).rejects.toMatchObject({ status: "RESOURCE_EXHAUSTED" });
    await set("maxmemory", "0");
    expect(await store.index.getSession(NOBODY, "t")).toBeUndefined();
    expect((await store.index.listSessions(NOBODY, { limit: 9 })).items.map(({ sessionId }) => sessionId)).toEqual([
      "s",
    ]);
    expect((await complete(store, lease)).ok).toBe(true);
    await store.close();
  });

  it("because it is a replica is UNAVAILABLE", async () => {
    const store = open();
    await turn(store, "s");
    await client.sendCommand(["REPLICAOF", "127.0.0.1", "1"]);
    await expect(begun(store, sendRequest("s"))).rejects.toMatchObject({ status: "UNAVAILABLE" });
    await store.close();
  });

  it("a password is UNAUTHENTICATED, a command is PERMISSION_DENIED, and no message holds the password", async () => {
    await client.sendCommand(["ACL", "SETUSER", "app", "on", ">secret-word", "~*", "&*", "+@all", "-evalsha"]);
    const store = open(`redis://app:secret-word@127.0.0.1:${own.port}`);
    await expect(turn(store, "s")).rejects.toMatchObject({ status: "PERMISSION_DENIED" });
    await store.close();
    const wrong = open(`redis://app:wrong-word@127.0.0.1:${own.port}`);
    await expect(turn(wrong, "s")).rejects.toMatchObject({
      status: "UNAUTHENTICATED",
      message: expect.not.stringContaining("wrong-word"),
    });
    await wrong.close();
  });

  it("to publish still lets turns run", async () => {
    await client.sendCommand(["ACL", "SETUSER", "app", "on", ">secret", "~*", "resetchannels", "+@all"]);
    const store = open(`redis://app:secret@127.0.0.1:${own.port}`);
    expect((await turn(store, "s")).turn.status).toBe("completed");
    await store.close();
  });

  it("all connections, or is not there, is UNAVAILABLE, also for health", async () => {
    await own.kill();
    const store = open();
    await expect(store.health()).rejects.toMatchObject({ status: "UNAVAILABLE" });
    await expect(turn(store, "s")).rejects.toMatchObject({ status: "UNAVAILABLE" });
    await own.start();
    await expect
      .poll(() =>
        store.health().then(
          () => true,
          () => false,
        ),
      )
      .toBe(true);
    await store.close();
  });
});
