import type {
  Caller,
  EventLog,
  Hints,
  SessionIndex,
  StateContent,
  Store,
  TurnRecord,
  TurnStore,
} from "@agents/schema/port";
import { describe, expect, it } from "vitest";
import { storeContract } from "./contract/store-contract.ts";
import { present } from "./kit/store-kit.ts";
import { testRandomCommands } from "./random/test-random-commands.ts";
import { createReferenceStore } from "./reference/reference-store.ts";
import { runContractTest } from "./test-store.ts";

/** A correct store, made wrong in one place. */
type Fault = (store: Required<Store>) => Store;

interface FaultyStore {
  readonly fault: Fault;
  /** The sentences that it breaks; each of them must find it. */
  readonly breaks: readonly string[];
  /** Whether random sequences can find it as well. */
  readonly random?: boolean;
}

const FAULTS: Readonly<Record<string, FaultyStore>> = {
  "lets an old epoch settle": {
    fault: turnsFault((turns) => ({
      async settle(caller, lease, request) {
        const row = await turns.read(caller, { snapshotId: lease.snapshotId }, "meta");
        return turns.settle(caller, { ...lease, epoch: row?.turn.epoch ?? lease.epoch }, request);
      },
    })),
    breaks: [
      "refuses an epoch that is not the row's, and says how the row is",
      "refuses the old epoch after a claim",
      "refuses the first process once its turn was taken over",
    ],
    random: true,
  },
  "completes a turn that was aborting": {
    fault: turnsFault((turns) => ({
      settle: (caller, lease, request) =>
        turns.settle(caller, lease, { ...request, aborting: request.pending as typeof request.aborting }),
    })),
    breaks: [
      "ends an aborting row only as aborted, with the outcome for that",
      "leaves one terminal status when abort and settle race, and all answers agree with the row",
    ],
    random: true,
  },
  "refuses a repeated settle": {
    fault: turnsFault((turns) => ({
      async settle(caller, lease, request) {
        const row = await turns.read(caller, { snapshotId: lease.snapshotId }, "meta");
        const isFinal = row !== undefined && row.turn.heartbeatAt === undefined;
        return isFinal ? { ok: false, turn: row.turn } : turns.settle(caller, lease, request);
      },
    })),
    breaks: ["answers ok to the very same settle again, and changes nothing"],
    random: true,
  },
  "moves the head for every status": {
    fault: turnsFault((turns) => ({
      settle: (caller, lease, request) =>
        turns.settle(caller, lease, { ...request, heads: ["completed", "failed", "aborted"] }),
    })),
    breaks: ["moves the head only for the statuses named", "leaves the head where it is when no status is named"],
    random: true,
  },
  "lets two sends run at once": {
    fault: turnsFault((turns) => ({
      begin(caller, request) {
        const from = "create" in request.from ? { ...request.from, ifActive: "fork" as const } : request.from;
        return turns.begin(caller, { ...request, from });
      },
    })),
    breaks: [
      "reject: answers busy with the live turn, and writes nothing",
      "begins exactly one of 50 concurrent sends to a new session, and answers busy to the others",
      "begins exactly one of many sends from two processes",
    ],
    random: true,
  },
  "looks before it locks": {
    fault: turnsFault((turns) => ({
      async begin(caller, request) {
        const { from } = request;
        if (!("create" in from)) return turns.begin(caller, request);
        const live = { sessionId: from.sessionId, among: ["pending"] as const };
        const row = await turns.read(caller, live, "meta");
        await Promise.resolve();
        if (row !== undefined && !row.turn.stale && from.ifActive === "reject") return { type: "busy", turn: row.turn };
        return turns.begin(caller, { ...request, from: { ...from, ifActive: "fork" } });
      },
    })),
    breaks: ["begins exactly one of 50 concurrent sends to a new session, and answers busy to the others"],
  },
  "sends a state that the caller holds": {
    fault: turnsFault((turns) => ({
      begin: (caller, request) => turns.begin(caller, { ...request, known: [] }),
    })),
    breaks: ["sends nothing when the caller holds the very state"],
  },
  "takes every id for a known one": {
    fault: turnsFault((turns) => ({
      async read(caller, at, want) {
        const read = await turns.read(caller, at, want);
        if (want === "meta" || want.known.length === 0 || read?.chain === undefined) return read;
        return { ...read, chain: { ...read.chain, rows: read.chain.rows.slice(1) } };
      },
    })),
    breaks: ["ignores known ids that are not in the lineage"],
  },
  "answers heartbeats in an order of its own": {
    fault: turnsFault((turns) => ({
      heartbeat: async (...call) => (await turns.heartbeat(...call)).toReversed(),
    })),
    breaks: ["answers heartbeats in the order of the leases, each for itself", "renews a hundred leases in one call"],
    random: true,
  },
  "reads the latest whatever its status": {
    fault: turnsFault((turns) => ({
      read: (caller, at, want) =>
        turns.read(
          caller,
          "sessionId" in at ? { ...at, among: ["pending", "aborting", "completed", "failed", "aborted"] } : at,
          want,
        ),
    })),
    breaks: ["reads the newest turn, by ordinal, among the statuses asked for"],
    random: true,
  },
  "forgets the owner": {
    fault: callerFault(({ scope }) => ({ scope })),
    breaks: [
      "hides the turns of one owner from another",
      "hides events from other scopes and owners, for reading and for writing",
      "hides sessions from other scopes and owners",
      "lists for an owner what is theirs and what is nobody's",
    ],
  },
  "forgets the scope": {
    fault: callerFault((caller) => ({ ...caller, scope: "all" })),
    breaks: [
      "hides the turns of one scope from another, as if they never were",
      "keeps two scopes apart that use the same ids",
      "leaves other sessions, and the same id in another scope, alone",
    ],
  },
  "loses an event": {
    fault: eventsFault((events) => ({
      async readEvents(...call) {
        const page = await events.readEvents(...call);
        return page && { ...page, events: page.events.filter(({ seq }) => seq !== 2) };
      },
    })),
    breaks: [
      "numbers the events of begin, append and settle from 1, in order and without gaps",
      "starts a page inside a batch",
    ],
    random: true,
  },
  "appends wherever the log stands": {
    fault: eventsFault((events, { turns }) => ({
      async append(caller, lease, request) {
        const row = await turns.read(caller, { snapshotId: lease.snapshotId }, "meta");
        const batch = { ...request.batch, firstSeq: (row?.turn.lastSeq ?? 0) + 1 };
        return events.append(caller, lease, { ...request, batch });
      },
    })),
    breaks: [
      "refuses a batch that leaves a gap or overlaps, and says where the log stands",
      "answers ok to its own repeated batch, and stores it once",
    ],
    random: true,
  },
  "forgets who wrote an event": {
    fault: eventsFault((events) => ({
      async readEvents(...call) {
        const page = await events.readEvents(...call);
        return page && { ...page, events: page.events.map((event) => ({ ...event, epoch: 1 })) };
      },
    })),
    breaks: ["marks events with the epoch of their writer, and goes on after a takeover"],
    random: true,
  },
  "goes on hinting": {
    fault: hintsFault((hints) => ({
      async watch(...call) {
        await hints.watch(...call);
        return async () => {};
      },
    })),
    breaks: ["stops the hints of a watcher that has left, and only those"],
  },
  "repeats an item on the next page": {
    fault: indexFault((index) => ({
      async listSessions(caller, page) {
        const [first] = (await index.listSessions(caller, { limit: 1 })).items;
        const result = await index.listSessions(caller, page);
        if (page.cursor === undefined || first === undefined) return result;
        return { ...result, items: [first, ...result.items.slice(1)] };
      },
    })),
    breaks: ["lists 250 sessions in pages, each once"],
  },
  "takes any cursor": {
    fault: indexFault((index) => ({
      listSessions: (caller, page) =>
        index.listSessions(caller, page).catch(() => index.listSessions(caller, { limit: page.limit })),
    })),
    breaks: ["refuses a cursor that it did not make"],
  },
  "only hides what it deletes": {
    fault: indexFault((index) => ({
      async deleteSession(caller, sessionId) {
        return (await index.updateSession(caller, sessionId, { state: "archived" })) !== undefined;
      },
    })),
    breaks: [
      "leaves nothing of the session to read",
      "takes the lease of live turns: their writes are refused, without a row",
      "frees the id: a session made anew starts from nothing",
    ],
    random: true,
  },
  "forgets metadata when it archives": {
    fault: indexFault((index) => ({
      updateSession: (caller, sessionId, change) =>
        index.updateSession(caller, sessionId, { metadata: "{}", ...change }),
    })),
    breaks: ["updates what is given and leaves the rest"],
    random: true,
  },
  "prunes without a bound": {
    fault: indexFault((index) => ({
      prune: (caller, sessionId, rule) => index.prune(caller, sessionId, rule, 1_000),
    })),
    breaks: ["drops at most as many as asked for at once, and says whether there is more"],
  },
  "prunes by age alone": {
    fault: indexFault((index) => ({
      prune: (caller, sessionId, { keepLast: _, ...rule }, limit) =>
        index.prune(caller, sessionId, { olderThanMs: 0, ...rule }, limit),
    })),
    breaks: ["keeps the newest rows of a chain", "drops a row only if number and age allow it"],
  },
  "exports to whoever knows the id": {
    fault: indexFault((index) => ({
      exportSession: ({ scope }, sessionId) => index.exportSession({ scope }, sessionId),
    })),
    breaks: ["exports nothing that does not exist for the caller"],
  },
  "imports over what is there": {
    fault: indexFault((index) => ({
      async importSession(caller, record) {
        await index.deleteSession({ scope: caller.scope }, record.session.sessionId);
        return index.importSession(caller, record);
      },
    })),
    breaks: ["answers conflict where the session exists, also another owner's, and writes nothing"],
  },
  "looks for the session alone before it imports": {
    fault: indexFault((index) => ({
      async importSession(caller, record) {
        const answer = await index.importSession(caller, record);
        if (answer.type === "imported") return answer;
        return index.importSession(caller, { ...record, turns: record.turns.slice(0, 1) });
      },
    })),
    breaks: ["answers conflict where one of the turns exists in another session, and writes nothing"],
  },
  "forgets trunks on the way": {
    fault: importFault(({ trunkId: _, ...turn }) => turn),
    breaks: ["keeps whether a session is forked, and what makes it so later"],
  },
  "forgets on the way who waits": {
    fault: importFault((turn) => ({ ...turn, waiting: false })),
    breaks: ["keeps a turn waiting, until a child has answered"],
  },
  "forgets fingerprints on the way": {
    fault: importFault(({ fingerprint: _, ...turn }) => turn),
    breaks: ["tells a turn that is begun again from another, as before"],
  },
  "numbers turns anew on the way": {
    fault: importFault((turn, index) => ({ ...turn, turn: { ...turn.turn, ordinal: index + 1 } })),
    breaks: ["moves a session whose oldest turns were pruned"],
  },
  "numbers epochs of events anew on the way": {
    fault: importFault((turn) => ({ ...turn, events: turn.events.map((event) => ({ ...event, epoch: 1 })) })),
    breaks: ["moves the events of every turn, with the epochs of their writers"],
  },
  "imports live turns as failed ones": {
    fault: importFault((turn) => {
      const isLive = turn.turn.status === "pending" || turn.turn.status === "aborting";
      return isLive ? { ...turn, turn: { ...turn.turn, status: "failed" } } : turn;
    }),
    breaks: ["exports live turns as they are, and imports none"],
  },
  "keeps the owner of the record": {
    fault: indexFault((index) => ({ importSession: ({ scope }, record) => index.importSession({ scope }, record) })),
    breaks: ["gives the session to the owner who imports it, else leaves it with its own"],
  },
  "archives nothing that it imports": {
    fault: indexFault((index) => ({
      importSession: (caller, { session, turns }) =>
        index.importSession(caller, { session: { ...session, state: "active" }, turns }),
    })),
    breaks: ["keeps an archived session archived"],
  },
  "leaves states behind": {
    fault: importFault(({ content, ...turn }) =>
      content?.kind === "patch" ? turn : { ...turn, ...(content && { content }) },
    ),
    breaks: [
      "gives to another tenant exactly what was exported",
      "brings back a session that was deleted, and it goes on where it was",
      "loses no state of a row that has none of its own when its ancestors were pruned",
    ],
  },
  "leaves sessions without turns behind": {
    fault: indexFault((index) => ({
      importSession: async (caller, record) =>
        record.turns.length === 0 ? { type: "imported" } : await index.importSession(caller, record),
    })),
    breaks: ["keeps a session that was created and has no turns, with its fingerprint and metadata"],
  },
  "refuses turns without the events that they count": {
    fault: importFault((turn) => {
      if (turn.events.length !== turn.turn.lastSeq) throw new Error("events are missing");
      return turn;
    }),
    breaks: ["moves a turn whose events were pruned"],
  },
};

describe("testStore", () => {
  for (const [name, { fault, breaks, random }] of Object.entries(FAULTS)) {
    for (const sentence of breaks) {
      it(`finds a store that ${name}, by "${sentence}"`, async () => {
        const test = present(
          storeContract.find((each) => each.name === sentence),
          sentence,
        );
        await expect(runContractTest(sourceOf(fault), test)).rejects.toThrow();
      });
    }
    if (random !== true) continue;
    it(`finds a store that ${name}, by random sequences`, async () => {
      const found = testRandomCommands({ source: sourceOf(fault), runs: 300, seed: 42 });
      await expect(found).rejects.toThrow("Counterexample");
    });
  }

  it("finds a store that forgets everything when its process dies", async () => {
    const test = present(
      storeContract.find(({ name }) => name === "finds everything that was acknowledged"),
      "the sentence",
    );
    const reopen = () => createReferenceStore({ clock: Date });
    const source = { create: () => createReferenceStore({ clock: Date }), reopen };
    await expect(runContractTest(source, test)).rejects.toThrow();
  });

  it("says every sentence once", () => {
    const sentences = storeContract.map(({ area, name }) => `${area}: ${name}`);
    expect(new Set(sentences).size).toBe(sentences.length);
  });
});

function sourceOf(fault: Fault) {
  return {
    create: ({ clock }: { clock: { now(): number } }) => fault(createReferenceStore({ clock })),
    reopen: (store: Store): Store => ({ ...store, close: async () => {} }),
    advance: "clock" as const,
  };
}

function turnsFault(wrong: (turns: TurnStore) => Partial<TurnStore>): Fault {
  return (store) => ({ ...store, turns: { ...store.turns, ...wrong(store.turns) } });
}

function eventsFault(wrong: (events: EventLog, store: Store) => Partial<EventLog>): Fault {
  return (store) => ({ ...store, events: { ...store.events, ...wrong(store.events, store) } });
}

function hintsFault(wrong: (hints: Hints) => Hints): Fault {
  return (store) => ({ ...store, hints: wrong(store.hints) });
}

function indexFault(wrong: (index: SessionIndex) => Partial<SessionIndex>): Fault {
  return (store) => ({ ...store, index: { ...store.index, ...wrong(store.index) } });
}

/** What is imported is not what was given. */
function importFault(wrong: (turn: TurnRecord<StateContent>, index: number) => TurnRecord<StateContent>): Fault {
  return indexFault((index) => ({
    importSession: async (caller, record) =>
      await index.importSession(caller, { ...record, turns: record.turns.map(wrong) }),
  }));
}

/** Every method of every part is called for somebody else. */
function callerFault(wrong: (caller: Caller) => Caller): Fault {
  const part = <Part extends object>(methods: Part): Part =>
    Object.fromEntries(
      Object.entries(methods).map(([name, method]) => [
        name,
        (caller: Caller, ...rest: unknown[]) => method(wrong(caller), ...rest),
      ]),
    ) as Part;
  return ({ turns, events, hints, index, ...store }) => ({
    ...store,
    turns: part(turns),
    events: part(events),
    hints: part(hints),
    index: part(index),
  });
}
