import { readFileSync } from "node:fs";
import { Client } from "pg";
import { createClient } from "redis";
import { expect, inject, it } from "vitest";
import { launchChromium } from "./launch-chromium.ts";

it("provides a Postgres that answers over TCP", async () => {
  const client = new Client(inject("postgresUrl"));
  await client.connect();
  try {
    const { rows } = await client.query("select 1 + 1 as two, inet_server_port() as port");
    expect(rows).toEqual([{ two: 2, port: Number(new URL(inject("postgresUrl")).port) }]);
  } finally {
    await client.end();
  }
});

it.skipIf(process.env.POSTGRES_URL)(
  "provides a Postgres of its own, on a port of its own (skipped if POSTGRES_URL is set)",
  () => {
    expect(new URL(inject("postgresUrl")).hostname).toBe("127.0.0.1");
    expect(new URL(inject("postgresUrl")).port).toMatch(/^\d+$/);
    expect(new URL(inject("postgresUrl")).port).not.toBe("5432");
  },
);

it.skipIf(process.env.POSTGRES_URL || process.platform !== "linux")(
  "does not run Postgres as root (skipped if POSTGRES_URL is set, or off Linux)",
  async () => {
    const client = new Client(inject("postgresUrl"));
    await client.connect();
    try {
      const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
      const status = readFileSync(`/proc/${rows[0]?.pid}/status`, "utf8");
      const uids = /^Uid:\t(.*)$/m.exec(status)?.[1]?.split("\t");
      expect(uids).toHaveLength(4);
      expect(uids).not.toContain("0");
    } finally {
      await client.end();
    }
  },
);

it("provides a Redis that answers", async () => {
  const client = createClient({ url: inject("redisUrl") });
  await client.connect();
  try {
    expect(await client.ping()).toBe("PONG");
  } finally {
    client.destroy();
  }
});

it.skipIf(process.env.REDIS_URL)(
  "provides a Redis of its own, which writes nothing to disk (skipped if REDIS_URL is set)",
  async () => {
    expect(new URL(inject("redisUrl")).port).not.toBe("6379");
    const client = createClient({ url: inject("redisUrl") });
    await client.connect();
    try {
      expect(await client.configGet("save")).toEqual({ save: "" });
      expect(await client.configGet("appendonly")).toEqual({ appendonly: "no" });
    } finally {
      client.destroy();
    }
  },
);

it("provides a Chromium that opens a page and runs its script", async () => {
  const browser = await launchChromium(inject("chromePath"));
  try {
    const page = await browser.newPage();
    await page.goto("data:text/html,<title>before</title><script>document.title = 6 * 7</script>");
    expect(await page.title()).toBe("42");
  } finally {
    await browser.close();
  }
});
