import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { SOURCE_CONDITION } from "@tooling/config/build";
import { buildPage } from "@tooling/config/build-page";
import { launchChromium } from "@tooling/services";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { createExplorer } from "./server/create-explorer.ts";

let browser: Browser;
let page: Page;
let url: string;
const cleanups: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  const pageDir = await mkdtemp(join(tmpdir(), "explorer-page-"));
  cleanups.push(() => rm(pageDir, { recursive: true }));
  await buildPage({
    pageDir: fileURLToPath(new URL("./page", import.meta.url)),
    outDir: pageDir,
    conditions: [SOURCE_CONDITION],
  });
  const server = createExplorer({ pageDir, paceMs: 0 });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  cleanups.push(async () => {
    server.closeAllConnections();
    server.close();
  });
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  browser = await launchChromium(inject("chromePath"));
  cleanups.push(() => browser.close());
  page = await browser.newPage();
});

afterAll(async () => {
  for (const cleanup of cleanups.reverse()) await cleanup();
});

describe("the explorer's page", () => {
  it("rebuilds the server's state from patches and draws it", async () => {
    const errors: string[] = [];
    page.on("pageerror", (error) => errors.push(error.message));
    await page.goto(url);
    await page.getByText(/^rebuilt state [0-9a-f]{12} from \d+ patches in \d+ events$/).waitFor();
    const contracts = Object.keys((await (await fetch(`${url}/contracts`)).json()) as object);
    expect(await page.locator("#chart li").count()).toBe(contracts.length);
    expect(await page.locator("#timeline circle").count()).toBeGreaterThan(contracts.length);
    expect(
      await page.locator("#progress").evaluate((progress) => (progress as unknown as { value: number }).value),
    ).toBe(contracts.length);
    expect(errors).toEqual([]);
  });

  it("says where a value does not fit its contract, and when it does", async () => {
    await page.goto(url);
    await page.getByText("INVALID_ARGUMENT: Invalid Message at /content/1/toolRequest/name").waitFor();
    await page.getByLabel("Value to check").fill('{"role":"user","content":[]}');
    await page.getByText("Fits Message.").waitFor();
    await page.getByLabel("Value to check").fill("{");
    await page.getByText("Not JSON").waitFor();
  });
});

describe("the explorer's server", () => {
  it.each([
    ["POST", "/check", "{", 400, "The body is not JSON"],
    ["POST", "/check", '{"contract":"__proto__","value":1}', 404, "There is no contract"],
    ["POST", "/check", JSON.stringify({ contract: "Message", value: "x".repeat(2 ** 20) }), 429, "larger than"],
    ["GET", "/..%2fpackage.json", undefined, 404, "Nothing is served"],
    ["POST", "/check", "null", 400, "Invalid body"],
    ["GET", "//", undefined, 404, "Nothing is served"],
    ["GET", "/nothing", undefined, 404, "Nothing is served"],
  ])("answers %s %s with a clear error", async (method, path, body, status, message) => {
    const response = await fetch(`${url}${path}`, { method, ...(body === undefined ? {} : { body }) });
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ message: expect.stringContaining(message) });
  });
});
