import type { CreateSession, SessionMeta } from "@agents/schema/port";
import { expect } from "vitest";
import { contractArea } from "../contract-test.ts";
import { present, type StoreKit } from "../kit/store-kit.ts";

const AGENT = "agent";

export const sessionContract = contractArea(
  "sessions",
  { needs: ["index"] },
  {
    "creates a session that has no turn yet": async (kit) => {
      const sessionId = kit.newSession();
      const metadata = JSON.stringify({ title: "a\u0000b 🙂" });
      const index = kit.part("index");
      const session = await created(kit, { sessionId, agent: AGENT, metadata });
      expect(session).toMatchObject({ sessionId, agent: AGENT, state: "active", metadata });
      expect([session.headId, session.activeId, session.owner]).toEqual([undefined, undefined, undefined]);
      expect(await index.getSession(kit.caller, sessionId)).toEqual(session);
      expect(await index.listTurns(kit.caller, sessionId, { limit: 10 })).toEqual({ items: [] });
      expect((await kit.begun({ sessionId, create: false })).turn.ordinal).toBe(1);
    },

    "answers existing for the same fingerprint and conflict for another, and changes nothing": async (kit) => {
      const index = kit.part("index");
      const request = { sessionId: kit.newSession(), agent: AGENT, metadata: '"first"', fingerprint: "f1" };
      const session = await created(kit, request);
      expect(await index.createSession(kit.caller, request)).toEqual({ type: "existing", session });
      const other = { ...request, metadata: '"second"', fingerprint: "f2" };
      expect(await index.createSession(kit.caller, other)).toEqual({ type: "conflict" });
      expect(await index.getSession(kit.caller, request.sessionId)).toEqual(session);
    },

    "shows a session that a turn has made, with its head and active turn": async (kit) => {
      const sessionId = kit.newSession();
      const index = kit.part("index");
      const first = await kit.begun({ sessionId, agent: "helper" });
      const { snapshotId } = first.lease;
      const running = await index.getSession(kit.caller, sessionId);
      expect(running).toMatchObject({ sessionId, agent: "helper", state: "active", activeId: snapshotId });
      expect(running?.headId).toBeUndefined();
      await kit.settle(first.lease, { status: "completed" });
      const done = await index.getSession(kit.caller, sessionId);
      expect(done).toMatchObject({ headId: snapshotId });
      expect(done?.activeId).toBeUndefined();
      const second = await kit.begun({ sessionId, agent: "other" });
      expect(await index.getSession(kit.caller, sessionId)).toMatchObject({
        agent: "helper",
        headId: snapshotId,
        activeId: second.lease.snapshotId,
      });
    },

    "keeps the active turn of a session when a branch or a fork runs beside it": async (kit) => {
      const sessionId = kit.newSession();
      const first = await kit.complete({ sessionId });
      const active = await kit.begun({ sessionId });
      await kit.begun({ branchOf: first.id });
      await kit.begun({ sessionId, ifActive: "fork" });
      const session = await kit.part("index").getSession(kit.caller, sessionId);
      expect(session?.activeId).toBe(active.lease.snapshotId);
    },

    "answers undefined, false or an empty page for unknown sessions": async (kit) => {
      const index = kit.part("index");
      const nobody = kit.newSession();
      expect(await index.getSession(kit.caller, nobody)).toBeUndefined();
      expect(await index.updateSession(kit.caller, nobody, { metadata: "{}" })).toBeUndefined();
      expect(await index.getSession(kit.caller, nobody), "update makes none").toBeUndefined();
      expect(await index.deleteSession(kit.caller, nobody)).toBe(false);
      expect(await index.listTurns(kit.caller, nobody, { limit: 10 })).toEqual({ items: [] });
      expect(await index.prune(kit.caller, nobody, { keepLast: 1 }, 10)).toEqual({ dropped: 0, more: false });
    },

    "updates what is given and leaves the rest": async (kit) => {
      const index = kit.part("index");
      const sessionId = kit.newSession();
      const turn = await kit.complete({ sessionId });
      await index.updateSession(kit.caller, sessionId, { metadata: '"one"' });
      const archived = await index.updateSession(kit.caller, sessionId, { state: "archived" });
      expect(archived).toMatchObject({ metadata: '"one"', state: "archived", headId: turn.id, agent: AGENT });
      const renamed = await index.updateSession(kit.caller, sessionId, { metadata: '"two"' });
      expect(renamed).toMatchObject({ metadata: '"two"', state: "archived" });
      expect(await index.getSession(kit.caller, sessionId)).toEqual(renamed);
    },

    "takes no further turns once archived, by session or by snapshot, until it is active again": async (kit) => {
      const index = kit.part("index");
      const sessionId = kit.newSession();
      const turn = await kit.complete({ sessionId });
      await index.updateSession(kit.caller, sessionId, { state: "archived" });
      expect(await kit.begin({ sessionId })).toEqual({ type: "archived" });
      expect(await kit.begin({ branchOf: turn.id })).toEqual({ type: "archived" });
      const repeated = await kit.begin({ sessionId, snapshotId: turn.id });
      expect(repeated.type, "an existing id comes first").toBe("existing");
      await index.updateSession(kit.caller, sessionId, { state: "active" });
      await kit.begun({ sessionId });
    },

    "lets turns that run go on in an archived session": async (kit) => {
      const sessionId = kit.newSession();
      const { lease } = await kit.begun({ sessionId });
      await kit.part("index").updateSession(kit.caller, sessionId, { state: "archived" });
      const [beat] = await kit.heartbeat([lease], 60_000);
      expect(beat?.ok).toBe(true);
      expect((await kit.settle(lease, { status: "completed" })).ok).toBe(true);
      const session = await kit.part("index").getSession(kit.caller, sessionId);
      expect(session).toMatchObject({ state: "archived", headId: lease.snapshotId });
    },

    "hides sessions from other scopes and owners": async (kit) => {
      const index = kit.part("index");
      const alice = kit.as({ ...kit.caller, owner: "alice" });
      const sessionId = kit.newSession();
      await index.createSession(alice.caller, { sessionId, agent: AGENT });
      const { lease } = await alice.begun({ sessionId });
      for (const { caller } of [kit.as({ scope: "tenant-b" }), kit.as({ ...kit.caller, owner: "bob" })]) {
        expect(await index.getSession(caller, sessionId)).toBeUndefined();
        expect(await index.listSessions(caller, { limit: 10 })).toEqual({ items: [] });
        expect(await index.listTurns(caller, sessionId, { limit: 10 })).toEqual({ items: [] });
        expect(await index.updateSession(caller, sessionId, { state: "archived" })).toBeUndefined();
        expect(await index.deleteSession(caller, sessionId)).toBe(false);
      }
      expect(await index.getSession(alice.caller, sessionId)).toMatchObject({
        owner: "alice",
        state: "active",
        activeId: lease.snapshotId,
      });
    },

    "answers conflict, and no more, for an id that is another owner's": async (kit) => {
      const alice = kit.as({ ...kit.caller, owner: "alice" });
      const bob = kit.as({ ...kit.caller, owner: "bob" });
      const request = { sessionId: kit.newSession(), agent: AGENT, metadata: '"hers"', fingerprint: "f" };
      const session = await created(alice, request);
      expect(await kit.part("index").createSession(bob.caller, request)).toEqual({ type: "conflict" });
      expect(await bob.begin({ sessionId: request.sessionId })).toEqual({ type: "notFound" });
      expect(await kit.part("index").getSession(alice.caller, request.sessionId)).toEqual(session);
    },

    "gives a session the owner of the call that makes it, and its turns the session's": async (kit) => {
      const sessionId = kit.newSession();
      await kit.as({ ...kit.caller, owner: "alice" }).complete({ sessionId });
      const { turn } = await kit.begun({ sessionId });
      expect(turn.owner).toBe("alice");
      expect((await kit.part("index").getSession(kit.caller, sessionId))?.owner).toBe("alice");
    },

    "lists for an owner what is theirs and what is nobody's": async (kit) => {
      const index = kit.part("index");
      const callers = { alice: { ...kit.caller, owner: "alice" }, bob: { ...kit.caller, owner: "bob" } };
      await index.createSession(callers.alice, { sessionId: "hers", agent: AGENT });
      await index.createSession(callers.bob, { sessionId: "his", agent: AGENT });
      await index.createSession(kit.caller, { sessionId: "nobody's", agent: AGENT });
      const listed = async (caller: typeof kit.caller) =>
        (await index.listSessions(caller, { limit: 10 })).items.map(({ sessionId }) => sessionId).sort();
      expect(await listed(callers.alice)).toEqual(["hers", "nobody's"]);
      expect(await listed(callers.bob)).toEqual(["his", "nobody's"]);
      expect(await listed(kit.caller)).toEqual(["hers", "his", "nobody's"]);
    },
  },
);

async function created(kit: StoreKit, request: CreateSession): Promise<SessionMeta> {
  const result = await kit.part("index").createSession(kit.caller, request);
  return present(result.type === "created" ? result.session : undefined, "the session that was created");
}
