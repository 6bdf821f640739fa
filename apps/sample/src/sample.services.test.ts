import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { SOURCE_CONDITION } from "@tooling/config/build";
import { buildPage } from "@tooling/config/build-page";
import { launchChromium } from "@tooling/services";
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from "vitest";
import { type SampleProcess, startSample } from "../test/sample-process.ts";
import { readSettings, type Settings } from "./server/read-settings.ts";

let browser: Browser;
let page: Page;
let pageDir: string;
let app: SampleProcess;
let directory: string;
const errors: string[] = [];
const cleanups: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  pageDir = await temporaryFolder();
  await buildPage({
    pageDir: fileURLToPath(new URL("./page", import.meta.url)),
    outDir: pageDir,
    conditions: [SOURCE_CONDITION],
  });
  browser = await launchChromium(inject("chromePath"));
  cleanups.push(() => browser.close());
}, 60_000);

afterAll(async () => {
  for (const cleanup of cleanups.reverse()) await cleanup();
});

beforeEach(async () => {
  errors.length = 0;
  page = await browser.newPage();
  page.on("pageerror", (error) => errors.push(error.message));
});

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "sample-"));
  cleanups.push(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

async function start(env: Record<string, string>, { port = 0, sectionMs = 50 } = {}): Promise<SampleProcess> {
  const settings: Settings = { ...readSettings({ PORT: "0", ...env }), port };
  const started = await startSample({ settings, pageDir, sectionMs });
  cleanups.push(() => started.kill());
  return started;
}

async function open(agent: string, session?: string): Promise<string> {
  const id = session ?? `${agent}-${Math.random().toString(36).slice(2)}`;
  await page.goto("about:blank");
  await page.goto(`${app.url}/#agent=${agent}&session=${id}`);
  await page.locator(`nav button[aria-pressed="true"]`, { hasText: agent }).waitFor();
  return id;
}

async function say(text: string): Promise<void> {
  await page.getByLabel("Message").fill(text);
  await page.getByRole("button", { name: "Send" }).click();
}

const message = (text: string | RegExp): Locator => page.locator("#messages li", { hasText: text });
const ready = (): Promise<void> => page.locator('#connection[data-state="idle"]').waitFor();
const turns = (status: string): Locator => page.locator(`#tree circle[data-status="${status}"]`);
const custom = async (): Promise<unknown> =>
  JSON.parse((await page.locator("#state").getAttribute("data-custom")) ?? "null");

describe("the page, on the file store", { timeout: 60_000 }, () => {
  beforeAll(async () => {
    directory = await temporaryFolder();
    app = await start({ STORE: "file", STORE_DIRECTORY: directory });
  }, 60_000);

  it("shows what is said while it is said, tool calls, live state, the turn's events and the tree of turns", async () => {
    await open("assistant");
    await say("remember that tea is at five");
    await message("note({").waitFor();
    await message("note → Noted: tea is at five").waitFor();
    await ready();
    expect(await custom()).toEqual({ notes: ["tea is at five"] });
    await page.locator("#state .row", { hasText: "tea is at five" }).waitFor();
    await say("What is 2 * (3 + 4)?");
    await message("2 * (3 + 4) = 14").last().waitFor();
    await turns("completed").nth(1).waitFor();
    expect(await page.locator("#timeline circle").count()).toBeGreaterThan(3);
    expect(errors).toEqual([]);
  });

  it("asks a person, also after a reload and after the server was restarted, and carries out the answer", async () => {
    const session = await open("banker");
    await say("transfer $250 to ann");
    await page.getByRole("button", { name: "Approve" }).waitFor();
    await page.reload();
    await page.getByRole("button", { name: "Approve" }).waitFor();
    await app.stop();
    app = await start({ STORE: "file", STORE_DIRECTORY: directory }, { port: app.port });
    await open("banker", session);
    await page.getByText("Transfer $250 to ann?").waitFor();
    await page.getByRole("button", { name: "Approve" }).click();
    await message("Transferred $250 to ann.").last().waitFor();
    await ready();
    expect(await custom()).toMatchObject({ balance: 750 });
    expect(await page.getByRole("button", { name: "Approve" }).count()).toBe(0);
    expect(errors).toEqual([]);
  });

  it("moves nothing when a person declines", async () => {
    await open("banker");
    await say("transfer $10 to bob");
    await page.getByRole("button", { name: "Decline" }).click();
    await message("declined").last().waitFor();
    expect(await custom()).toMatchObject({ balance: 1_000 });
  });

  it("shows the researcher's progress as it works, and its report", async () => {
    await open("researcher");
    await say("tides");
    await page.locator("#state progress").waitFor();
    await page.locator("#artifacts summary").waitFor();
    await ready();
    expect(await custom()).toMatchObject({ topic: "tides", phase: "done" });
    expect(await page.locator("#artifacts summary").textContent()).toBe(
      await page.locator("#tree circle").getAttribute("data-snapshot"),
    );
  });

  it("follows background work again after a reload, and stops it when asked to", async () => {
    await open("reporter");
    await say("Whales");
    await message("Section 3 of").waitFor();
    await page.reload();
    await message("Whales").first().waitFor();
    await message("Section 6 of").waitFor();
    await page.getByRole("button", { name: "Stop" }).click();
    await turns("aborted").waitFor();
    await ready();
    expect(errors).toEqual([]);
  });

  it("goes on from an earlier turn on a branch of its own", async () => {
    await open("assistant");
    for (const text of ["one", "two"]) {
      await say(text);
      await message(`You said: ${text}`).waitFor();
      await ready();
    }
    await turns("completed").nth(1).waitFor();
    await page.locator("#tree circle").first().click();
    await page.getByText("The next message starts a branch").waitFor();
    await message("You said: two").waitFor({ state: "detached" });
    await say("three");
    await message("You said: three").waitFor();
    await turns("completed").nth(2).waitFor();
    const rows = await page
      .locator("#tree circle")
      .evaluateAll((nodes) =>
        nodes.map((node) => (node as unknown as { getAttribute(name: string): string }).getAttribute("cy")),
      );
    expect(new Set(rows).size).toBe(2);
    expect(errors).toEqual([]);
  });

  it("shows words as words, whatever they are", async () => {
    await open("assistant");
    await say('<img src=x onerror="document.title=1"><b>hi</b>');
    await message("You said: <img").waitFor();
    expect(await page.locator("#messages img").count()).toBe(0);
    expect(await page.title()).toBe("Agents");
  });
});

describe("a server that is killed during background work, on Postgres", { timeout: 150_000 }, () => {
  it("never ends the page's stream in silence: it reads as expired once the lease is over, and the session goes on", async () => {
    const env = { STORE: "postgres", POSTGRES_URL: inject("postgresUrl") };
    app = await start(env, { sectionMs: 200 });
    await open("reporter");
    await say("Whales");
    await message("Section 2 of").waitFor();
    await app.kill();
    app = await start(env, { port: app.port, sectionMs: 20 });
    // The page asks again after growing waits, up to ten seconds each.
    await page.locator("#problem", { hasText: "expired" }).waitFor({ timeout: 100_000 });
    await turns("expired").waitFor();
    await say("Dolphins");
    await message("Section 40 of").waitFor();
    await turns("completed").waitFor();
    expect(errors).toEqual([]);
  });
});
