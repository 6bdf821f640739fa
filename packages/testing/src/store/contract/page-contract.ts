import type { PageOf } from "@agents/schema/port";
import { expect } from "vitest";
import { contractArea } from "../contract-test.ts";
import type { StoreKit } from "../kit/store-kit.ts";
import { tick } from "../kit/time.ts";

const AGENT = "agent";
const FOREIGN_CURSORS = ["nonsense", "..", "e30=", "\u0000", "9".repeat(40), "🙂"];

export const pageContract = contractArea(
  "pages",
  { needs: ["index"], timeoutMs: 60_000 },
  {
    "lists 250 sessions in pages, each once": async (kit) => {
      const index = kit.part("index");
      const made = Array.from({ length: 250 }, (_, number) => `s${number}`);
      for (const sessionId of made) await index.createSession(kit.caller, { sessionId, agent: AGENT });
      for (const limit of [7, 50, 250, 1_000]) {
        const listed = await allPages(limit, (page) => index.listSessions(kit.caller, page));
        expect(listed.map(({ sessionId }) => sessionId).toSorted(), `limit ${limit}`).toEqual(made.toSorted());
      }
    },

    "loses and repeats no session that does not change while pages are read": async (kit) => {
      const index = kit.part("index");
      const made = Array.from({ length: 40 }, (_, number) => `s${number}`);
      for (const sessionId of made) await index.createSession(kit.caller, { sessionId, agent: AGENT });
      const first = await index.listSessions(kit.caller, { limit: 20 });
      await tick(kit.time);
      await index.createSession(kit.caller, { sessionId: "new", agent: AGENT });
      const changed = first.items[3]?.sessionId ?? "";
      await index.updateSession(kit.caller, changed, { metadata: "{}" });
      const rest = await allPages(6, (page) => index.listSessions(kit.caller, page), first.cursor);
      const seen = [...first.items, ...rest].map(({ sessionId }) => sessionId);
      const quiet = seen.filter((id) => id !== changed && id !== "new");
      expect(quiet.toSorted()).toEqual(made.filter((id) => id !== changed).toSorted());
    },

    "lists the newest change first": async (kit) => {
      const index = kit.part("index");
      for (const sessionId of ["a", "b", "c"]) {
        await index.createSession(kit.caller, { sessionId, agent: AGENT });
        await tick(kit.time);
      }
      expect(await listedIds(kit)).toEqual(["c", "b", "a"]);
      await index.updateSession(kit.caller, "a", { metadata: '"changed"' });
      await tick(kit.time);
      expect(await listedIds(kit)).toEqual(["a", "c", "b"]);
      const { lease } = await kit.begun({ sessionId: "b" });
      await tick(kit.time);
      expect(await listedIds(kit)).toEqual(["b", "a", "c"]);
      await index.updateSession(kit.caller, "c", { state: "archived" });
      await tick(kit.time);
      await kit.settle(lease, { status: "completed" });
      expect(await listedIds(kit)).toEqual(["b", "c", "a"]);
    },

    "lists the sessions of one agent": async (kit) => {
      const index = kit.part("index");
      for (let number = 0; number < 30; number++) {
        const agent = number % 3 === 0 ? "third" : "others";
        await index.createSession(kit.caller, { sessionId: `s${number}`, agent });
      }
      const third = await allPages(4, (page) => index.listSessions(kit.caller, { ...page, agent: "third" }));
      expect(third).toHaveLength(10);
      expect(new Set(third.map(({ agent }) => agent))).toEqual(new Set(["third"]));
      expect(await index.listSessions(kit.caller, { limit: 5, agent: "nobody" })).toEqual({ items: [] });
    },

    "lists the sessions of one state": async (kit) => {
      const index = kit.part("index");
      for (let number = 0; number < 12; number++) {
        await index.createSession(kit.caller, { sessionId: `s${number}`, agent: AGENT });
        if (number % 4 === 0) await index.updateSession(kit.caller, `s${number}`, { state: "archived" });
      }
      const archived = await allPages(2, (page) => index.listSessions(kit.caller, { ...page, state: "archived" }));
      expect(archived.map(({ sessionId }) => sessionId).toSorted()).toEqual(["s0", "s4", "s8"]);
      const active = await allPages(4, (page) => index.listSessions(kit.caller, { ...page, state: "active" }));
      expect(active).toHaveLength(9);
    },

    "lists turns by ordinal, newest first, in pages, each once": async (kit) => {
      const sessionId = kit.newSession();
      const trunk = await kit.complete({ sessionId });
      for (let number = 0; number < 24; number++) await kit.begun({ branchOf: trunk.id });
      const index = kit.part("index");
      const expected = Array.from({ length: 25 }, (_, number) => 25 - number);
      for (const limit of [1, 7, 25, 100]) {
        const turns = await allPages(limit, (page) => index.listTurns(kit.caller, sessionId, page));
        expect(
          turns.map(({ ordinal }) => ordinal),
          `limit ${limit}`,
        ).toEqual(expected);
      }
      const page = await index.listTurns(kit.caller, sessionId, { limit: 1 });
      expect(page.items[0]).toEqual(await kit.meta(page.items[0]?.snapshotId ?? ""));
    },

    "has no cursor on the last page": async (kit) => {
      const index = kit.part("index");
      for (const sessionId of ["a", "b", "c"]) await index.createSession(kit.caller, { sessionId, agent: AGENT });
      const page = await index.listSessions(kit.caller, { limit: 10 });
      expect([page.items.length, page.cursor]).toEqual([3, undefined]);
    },

    "refuses a cursor that it did not make": async (kit) => {
      const index = kit.part("index");
      const sessionId = kit.newSession();
      await kit.complete({ sessionId });
      for (const cursor of FOREIGN_CURSORS) {
        const refused = { status: "INVALID_ARGUMENT" };
        await expect(index.listSessions(kit.caller, { cursor, limit: 5 }), cursor).rejects.toMatchObject(refused);
        const turns = index.listTurns(kit.caller, sessionId, { cursor, limit: 5 });
        await expect(turns, cursor).rejects.toMatchObject(refused);
      }
    },

    "shows nothing of another scope by a cursor from there": async (kit) => {
      const index = kit.part("index");
      for (const sessionId of ["a", "b", "c"]) await index.createSession(kit.caller, { sessionId, agent: AGENT });
      const { cursor } = await index.listSessions(kit.caller, { limit: 1 });
      expect(cursor).toBeTypeOf("string");
      const elsewhere = { scope: "tenant-b" };
      const page = { limit: 5, ...(cursor === undefined ? {} : { cursor }) };
      // To refuse the cursor is as good as to find nothing.
      const listed = await index.listSessions(elsewhere, page).catch(() => ({ items: [] }));
      expect(listed.items).toEqual([]);
    },
  },
);

async function allPages<Item>(
  limit: number,
  read: (page: { limit: number; cursor?: string }) => Promise<PageOf<Item>>,
  from?: string,
): Promise<Item[]> {
  const items: Item[] = [];
  let cursor = from;
  for (let pages = 0; pages === 0 || cursor !== undefined; pages++) {
    expect(pages, "pages").toBeLessThan(1_000);
    const page = await read({ limit, ...(cursor === undefined ? {} : { cursor }) });
    expect(page.items.length, "items of a page").toBeLessThanOrEqual(limit);
    items.push(...page.items);
    cursor = page.cursor;
  }
  return items;
}

async function listedIds(kit: StoreKit): Promise<string[]> {
  const page = await kit.part("index").listSessions(kit.caller, { limit: 10 });
  return page.items.map(({ sessionId }) => sessionId);
}
