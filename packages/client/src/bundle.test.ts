import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { buildPage } from "@tooling/config/build-page";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";

/** All of the client, minified and compressed. Raise it knowingly. */
const BUDGET_BYTES = 16_384;

describe("the client in a page", () => {
  let script = "";
  let sources: string[] = [];

  beforeAll(async () => {
    const outDir = mkdtempSync(join(tmpdir(), "client-bundle-"));
    try {
      const pageDir = join(import.meta.dirname, "../test/page");
      await buildPage({ pageDir, outDir, conditions: ["@agents/source"], minify: true });
      script = readFileSync(join(outDir, "main.js"), "utf8");
      ({ sources } = JSON.parse(readFileSync(join(outDir, "main.js.map"), "utf8")));
    } finally {
      rmSync(outDir, { recursive: true });
    }
  });

  it("stays within its size", () => {
    const bytes = gzipSync(script).length;
    expect(bytes).toBeLessThanOrEqual(BUDGET_BYTES);
    expect(bytes).toBeGreaterThan(BUDGET_BYTES / 2);
  });

  it("has neither zod nor anything of Node in it", () => {
    expect(sources.some((source) => source.includes("/client/src/"))).toBe(true);
    const installed = sources.filter((source) => source.includes("node_modules"));
    expect(installed.every((source) => source.includes("/eventsource-parser/"))).toBe(true);
    expect(/["'`]node:|\bBuffer\.|\bprocess\.|\brequire\(/.exec(script)?.[0]).toBeUndefined();
  });

  it("runs where there is nothing but what a browser has", async () => {
    const url = `data:text/javascript,${encodeURIComponent(script)}`;
    await import(/* @vite-ignore */ url);
    onTestFinished(() => {
      for (const name of ["remoteAgent", "listAgents"]) Reflect.deleteProperty(globalThis, name);
    });
    const { remoteAgent } = globalThis as unknown as typeof import("./index.ts");
    const fetch = async () =>
      new Response('data: {"result":{"sessionId":"s","finishReason":"stop"}}\n\n', {
        headers: { "content-type": "text/event-stream" },
      });
    expect(await remoteAgent({ url: "", name: "a", fetch }).runText("x")).toEqual({
      sessionId: "s",
      finishReason: "stop",
    });
  });
});
