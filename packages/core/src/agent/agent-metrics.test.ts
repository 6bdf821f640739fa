import { AgentError } from "@agents/schema/error";
import type { Attributes } from "@agents/schema/port";
import { createMemoryTelemetry } from "@agents/testing";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { createWorld, says, withTurns } from "../../test/agent-world.ts";
import { openWatched, type WatchedOptions } from "../../test/watched-agent.ts";

const ACTIVE = "agents.turn.active";

/** With every change of the number of active turns, in order. */
function open(options: WatchedOptions = {}) {
  const world = openWatched(options);
  const active = (): readonly number[] =>
    world.telemetry.counts.filter(({ metric }) => metric === ACTIVE).map(({ value }) => value);
  return { ...world, active };
}

describe("the metrics of invocations", () => {
  const of = { "gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "echo" };

  it("count each, and how long it took, in seconds", async () => {
    const { agent, telemetry, gate, clock } = open();
    await agent.runText("1");
    const slow = agent.runText("block");
    await gate.reached();
    await clock.advance(1_500);
    gate.open();
    await slow;
    expect(telemetry.total("agents.operation.count", of)).toBe(2);
    expect(telemetry.values("agents.operation.duration", of)).toEqual([0, 1.5]);
    expect(telemetry.total("agents.operation.error_count")).toBe(0);
  });

  it("count a failure once, by its status and with the same attributes, whether it is an outcome or thrown", async () => {
    const { agent, telemetry, gate } = open();
    await agent.runText("bad");
    await agent.runText("1", { snapshotId: "0123abcd.x" });
    const running = agent.runText("block", { sessionId: "s" });
    await gate.reached();
    await expect(agent.runText("2", { sessionId: "s" })).rejects.toMatchObject({ status: "ABORTED" });
    gate.open();
    await running;
    expect(telemetry.counts.filter(({ metric }) => metric === "agents.operation.error_count")).toEqual(
      ["OUT_OF_RANGE", "NOT_FOUND", "ABORTED"].map((type) => ({
        metric: "agents.operation.error_count",
        value: 1,
        attributes: { ...of, "error.type": type },
      })),
    );
    expect(telemetry.total("agents.operation.count", of)).toBe(4);
    expect(telemetry.values("agents.operation.duration", of)).toHaveLength(4);
  });

  it("count one failure where the output could not be shown after the turn had failed", async () => {
    const denies = () => {
      throw new AgentError("PERMISSION_DENIED", "no");
    };
    const { agent, telemetry } = open({
      options: { stateManagement: "client", store: undefined, clientTransform: { state: denies } },
    });
    await agent.runText("bad");
    expect(telemetry.total("agents.operation.error_count")).toBe(1);
  });

  it("count no failure where a turn was aborted", async () => {
    const { agent, telemetry, gate } = open();
    const stream = agent.streamText("block");
    await gate.reached();
    await agent.abort((await stream.turnId()) as string);
    await stream.output();
    expect(telemetry.total("agents.operation.error_count")).toBe(0);
    expect(telemetry.spans[0]?.attributes).toMatchObject({ "gen_ai.response.finish_reasons": ["aborted"] });
  });
});

describe("the metrics of the store", () => {
  const asked = (name: string): Attributes => ({ "agents.store.name": "memory", "agents.store.operation.name": name });

  it("count its operations by name, and how long each took", async () => {
    const { agent, telemetry } = open();
    const { snapshotId } = await agent.runText("1");
    await agent.getSnapshot(snapshotId as string);
    for (const name of ["begin", "append", "settle", "read"]) {
      expect(telemetry.total("agents.store.operation.count", asked(name))).toBeGreaterThanOrEqual(1);
      expect(telemetry.values("agents.store.operation.duration", asked(name)).length).toBeGreaterThanOrEqual(1);
    }
    expect(telemetry.total("agents.store.operation.error_count")).toBe(0);
  });

  it("are two operations for a turn that streams nothing: begin and settle", async () => {
    const telemetry = createMemoryTelemetry();
    const { agents } = createWorld({ telemetry });
    const agent = agents.defineCustomAgent({ name: "a" }, async (session) => session.run(async () => {}));
    await agent.runText("1");
    expect(telemetry.total("agents.store.operation.count")).toBe(2);
  });

  it("count its failures by status", async () => {
    let away = true;
    const { agent, telemetry, clock } = open({
      change: (store) =>
        withTurns(store, {
          async settle(...args) {
            if (away) throw new AgentError("UNAVAILABLE", "The store is away.");
            return store.turns.settle(...args);
          },
        }),
    });
    const output = agent.runText("1");
    await clock.advance(60);
    away = false;
    await clock.advance(1_000);
    expect(await output).toMatchObject({ finishReason: "stop" });
    const failed = { ...asked("settle"), "error.type": "UNAVAILABLE" };
    expect(telemetry.total("agents.store.operation.error_count", failed)).toBeGreaterThanOrEqual(1);
    expect(telemetry.total("agents.operation.error_count")).toBe(0);
  });
});

describe("the number of active turns", () => {
  it("is one while a turn runs, under the agent's name", async () => {
    const { agent, telemetry, gate } = open();
    const output = agent.runText("block");
    await gate.reached();
    expect(telemetry.total(ACTIVE, { "gen_ai.agent.name": "echo" })).toBe(1);
    gate.open();
    await output;
    expect(telemetry.total(ACTIVE)).toBe(0);
  });

  it("returns to none after success and failure, turn by turn", async () => {
    const { agent, active } = open();
    const connection = agent.connect();
    for (const text of ["1", "2", "bad"]) await connection.sendText(text);
    await connection.output();
    expect(active()).toEqual([1, -1, 1, -1, 1, -1]);
  });

  it("returns to none after an abort by id, and after one by the caller's signal", async () => {
    const { agent, gate, active } = open();
    const byId = agent.streamText("block");
    await gate.reached();
    await agent.abort((await byId.turnId()) as string);
    await byId.output();
    const controller = new AbortController();
    const bySignal = agent.runText("block", { signal: controller.signal });
    await gate.reached();
    controller.abort();
    await bySignal.catch(() => {});
    expect(active()).toEqual([1, -1, 1, -1]);
  });

  it("returns to none when a detached turn has ended, and not when its client leaves", async () => {
    const { agent, gate, telemetry, clock } = open();
    const { snapshotId } = await agent.run({ ...says("block"), detach: true });
    await gate.reached();
    expect(telemetry.total(ACTIVE)).toBe(1);
    expect(telemetry.spans[0]?.ended).toBe(false);
    gate.open();
    await agent.waitForSnapshot(snapshotId as string);
    await clock.advance(0);
    expect(telemetry.total(ACTIVE)).toBe(0);
    expect(telemetry.spans[0]?.ended).toBe(true);
  });

  it("returns to none after a lost lease", async () => {
    const { agent, gate, clock, active } = open({
      change: (store) => withTurns(store, { heartbeat: () => Promise.reject(new AgentError("UNAVAILABLE", "away")) }),
    });
    const lost = agent.runText("block");
    await gate.reached();
    await clock.advance(61_000);
    expect(await lost).toMatchObject({ finishReason: "failed", error: { status: "UNAVAILABLE" } });
    expect(active()).toEqual([1, -1]);
  });

  it("returns to none after a time-out", async () => {
    const { agent, gate, clock, active } = open({ options: { limits: { timeMs: 10 } } });
    const late = agent.runText("block");
    await gate.reached();
    await clock.advance(10);
    expect(await late).toMatchObject({ finishReason: "failed", error: { status: "DEADLINE_EXCEEDED" } });
    expect(active()).toEqual([1, -1]);
  });

  it("returns to none after a turn whose state does not fit", async () => {
    const { agent, active } = open({ options: { stateSchema: z.object({ word: z.literal("secret") }) } });
    expect(await agent.runText("1")).toMatchObject({ finishReason: "failed", error: { status: "INVALID_ARGUMENT" } });
    expect(active()).toEqual([1, -1]);
  });
});
