import { collect, createManualClock } from "@agents/testing";
import { describe, expect, it, onTestFinished } from "vitest";
import { WebSocket } from "ws";
import { type AgentServer, reply } from "../../test/agent-server.ts";
import { createGate, openWorld, texts } from "../../test/world.ts";

const open = (options: Parameters<typeof openWorld>[0] = {}) => openWorld({ WebSocket, ...options });

/** Says "a", waits where the input says "hold", says "b". */
function hold(server: AgentServer) {
  const gate = createGate();
  server.script = async (turn) => {
    turn.text("a");
    if (turn.input.message?.content[0]?.text === "hold") await gate.wait();
    if (!turn.aborted) turn.text("b");
    return [reply("ab")];
  };
  return gate;
}

const ends = (chunks: readonly object[]) => chunks.filter((chunk) => "turnEnd" in chunk).length;

describe("a connection", () => {
  it("takes several inputs, one turn each, and gives one output", async () => {
    const { agent } = await open();
    const named: string[] = [];
    const connection = agent.connect({ sessionId: "s", onTurn: (id) => named.push(id) });
    await connection.sendText("1");
    expect(texts(await collect(connection.receiveTurn()))).toEqual(["re: ", "1"]);
    await connection.sendText("2");
    await connection.sendResume({ respond: [] });
    connection.close();
    expect(ends(await collect(connection.receive()))).toBe(2);
    expect(connection.done).toBe(true);
    expect(await connection.output()).toMatchObject({ sessionId: "s", snapshotId: "turn-3" });
    expect(named).toEqual(["turn-1", "turn-2", "turn-3"]);
  });

  it("can be left and re-entered without losing a chunk, with positions where they are wanted", async () => {
    const { agent } = await open();
    const connection = agent.connect();
    await connection.sendText("hello there");
    const seen: object[] = [];
    for await (const chunk of connection.receive()) {
      seen.push(chunk);
      break;
    }
    for await (const { chunk, position } of connection.positioned()) {
      expect(position).toMatch(/^1-\d+$/);
      seen.push(chunk);
      break;
    }
    seen.push(...(await collect(connection.receiveTurn())));
    expect(texts(seen)).toEqual(["re: ", "hello ", "there"]);
    await connection.output();
  });

  it("follows custom state, and takes it from the snapshot where a patch does not apply", async () => {
    const { agent, server } = await open();
    server.script = (turn) => {
      turn.emit({ customPatch: [{ op: "replace", path: "/n", value: 2 }] });
      if (turn.snapshotId === "turn-2") turn.emit({ customPatch: [{ op: "remove", path: "/gone" }] });
      turn.settle({ status: "completed", finishReason: "stop", messages: [], custom: { n: 7 } });
      return undefined;
    };
    const connection = agent.connect({ state: { custom: { n: 1 } } });
    await connection.sendText("1");
    await collect(connection.receiveTurn());
    expect(connection.custom).toEqual({ n: 2 });
    await connection.sendText("2");
    await collect(connection.receiveTurn());
    expect(connection.custom).toEqual({ n: 7 });
    await connection.output();
  });

  it("detaches: the work goes on, and can be followed", async () => {
    const { agent, server } = await open();
    const gate = hold(server);
    const connection = agent.connect();
    await connection.sendText("hold");
    await gate.reached;
    const output = await connection.detach();
    expect(output).toMatchObject({ finishReason: "detached", snapshotId: "turn-1" });
    gate.open();
    expect(await agent.task("turn-1").wait()).toMatchObject({ status: "completed" });
  });

  it("aborts the turn that runs", async () => {
    const { agent, server } = await open();
    const gate = hold(server);
    const connection = agent.connect();
    await connection.sendText("hold");
    await gate.reached;
    await connection.abort();
    await server.turn(0).changed();
    gate.open();
    expect(await connection.output()).toMatchObject({ finishReason: "aborted" });
  });

  it("is aborted by the caller's signal, and ends with its reason where the server does not answer in time", async () => {
    const clock = createManualClock();
    const { agent, server } = await open({ clock });
    const gate = hold(server);
    const controller = new AbortController();
    const connection = agent.connect({ signal: controller.signal });
    await connection.sendText("hold");
    await gate.reached;
    controller.abort(new Error("enough"));
    await expect(connection.sendText("more")).rejects.toMatchObject({ status: "FAILED_PRECONDITION" });
    await server.turn(0).changed();
    expect(server.turn(0).aborted).toBe(true);
    const refused = expect(connection.output()).rejects.toThrow("enough");
    await clock.advance(5_000);
    await refused;
    expect(clock.pendingTimers).toBe(0);
    gate.open();
  });

  it("refuses what is sent after close or completion", async () => {
    const { agent } = await open();
    const connection = agent.connect();
    await connection.sendText("1");
    connection.close();
    await expect(connection.sendText("2")).rejects.toMatchObject({
      status: "FAILED_PRECONDITION",
      details: { reason: "closed" },
    });
    await connection.output();
    await expect(connection.sendText("2")).rejects.toMatchObject({ details: { reason: "completed" } });
  });

  it("ends with the server's own error", async () => {
    const { agent, server } = await open();
    const error = { status: "FAILED_PRECONDITION", message: "Cannot send 'state' to agent 'a'", details: { a: 1 } };
    server.onConnect = (socket) => {
      socket.on("message", () => socket.send(JSON.stringify({ type: "error", error })));
    };
    const connection = agent.connect();
    await expect(collect(connection.receive())).rejects.toMatchObject(error);
    await expect(connection.output()).rejects.toMatchObject(error);
  });

  it("sends the headers with it where the socket can", async () => {
    const { agent, server } = await open({ headers: { authorization: "Bearer 1" } });
    const seen = new Promise((resolve) => {
      server.onConnect = (_socket, { headers, url }) => resolve([headers.authorization, url]);
    });
    const connection = agent.connect();
    expect(await seen).toEqual(["Bearer 1", "/agents/a/connect"]);
    server.cut();
    await expect(connection.output()).rejects.toMatchObject({ status: "UNAVAILABLE" });
  });

  it("says what is missing where there is no WebSocket", async () => {
    const { agent } = await openWorld({ WebSocket: undefined as never });
    if ("WebSocket" in globalThis) return;
    await expect(agent.connect().output()).rejects.toMatchObject({ status: "FAILED_PRECONDITION" });
  });
});

describe("a connection whose socket is lost", () => {
  it("joins the turn in flight again, and takes the output from its snapshot", async () => {
    const { agent, server } = await open();
    const gate = hold(server);
    const connection = agent.connect();
    await connection.sendText("1");
    await collect(connection.receiveTurn());
    await connection.sendText("hold");
    const reader = connection.receive()[Symbol.asyncIterator]();
    const first = await reader.next();
    server.cut();
    gate.open();
    const rest = await collect({ [Symbol.asyncIterator]: () => reader });
    expect(texts([first.value as object, ...rest])).toEqual(["a", "b"]);
    expect(await connection.output()).toMatchObject({ finishReason: "stop", snapshotId: "turn-2" });
    await expect(connection.sendText("more")).rejects.toMatchObject({ status: "FAILED_PRECONDITION" });
  });

  it("also when the server says that it goes down", async () => {
    const { agent, server } = await open();
    const { turn, done } = server.begin({});
    await done;
    server.onConnect = (socket) => {
      socket.on("message", (text) => {
        if (!String(text).includes('"input"')) return;
        socket.send(JSON.stringify({ type: "turn", turnId: turn.snapshotId, turnIndex: 0 }));
        socket.send(JSON.stringify({ type: "error", error: { status: "UNAVAILABLE", message: "going down" } }));
        socket.close(1001);
      });
    };
    const connection = agent.connect();
    await connection.sendText("1");
    expect(texts(await collect(connection.receive()))).toEqual(["re: "]);
    expect(await connection.output()).toMatchObject({ snapshotId: "turn-1" });
  });

  it("ends with UNAVAILABLE where an input has no turn yet, and while nothing runs", async () => {
    const { agent, server } = await open();
    const gate = hold(server);
    const busy = agent.connect();
    await busy.sendText("hold");
    await busy.sendText("waits");
    await gate.reached;
    server.cut();
    await expect(busy.output()).rejects.toMatchObject({ status: "UNAVAILABLE" });
    gate.open();
    const idle = agent.connect();
    await idle.sendText("1");
    await collect(idle.receiveTurn());
    server.cut();
    await expect(collect(idle.receive())).rejects.toMatchObject({ status: "UNAVAILABLE" });
  });

  it("takes a silent socket for a lost one while something is owed", async () => {
    const clock = createManualClock();
    const { agent, server } = await open({ clock, patience: { silentTurnMs: 1_000 } });
    const gate = hold(server);
    const connection = agent.connect();
    await connection.sendText("hold");
    const reader = connection.receive()[Symbol.asyncIterator]();
    await reader.next();
    const next = reader.next();
    await clock.advance(1_000);
    await server.seen(({ method }) => method === "GET");
    gate.open();
    expect(texts([(await next).value as object])).toEqual(["b"]);
    await connection.output();
  });
});

describe("a slow reader of a connection", () => {
  it("slows the socket where it can be asked to wait, and still gets every chunk", async () => {
    const { agent, server } = await open();
    let pauses = 0;
    const pause = WebSocket.prototype.pause;
    WebSocket.prototype.pause = function (this: WebSocket) {
      pauses++;
      return pause.call(this);
    };
    onTestFinished(() => {
      WebSocket.prototype.pause = pause;
    });
    server.script = (turn) => {
      turn.text(...Array.from({ length: 5_000 }, (_, index) => `${index}`));
      return undefined;
    };
    const connection = agent.connect();
    await connection.sendText("go");
    const seen: string[] = [];
    for await (const chunk of connection.receiveTurn()) {
      if (seen.length === 0) while (pauses === 0) await new Promise((resolve) => setImmediate(resolve));
      seen.push(...texts([chunk]));
    }
    expect(seen).toEqual(Array.from({ length: 5_000 }, (_, index) => `${index}`));
    await connection.output();
  });

  it("fails with RESOURCE_EXHAUSTED instead of filling memory where it cannot", async () => {
    class Deaf extends WebSocket {
      override pause(): void {}
    }
    const { agent, server } = await open({ WebSocket: Deaf });
    server.script = (turn) => {
      turn.text(...Array.from({ length: 17_000 }, () => "x"));
      return undefined;
    };
    const connection = agent.connect();
    await connection.sendText("go");
    const reader = connection.receive()[Symbol.asyncIterator]();
    await reader.next();
    while (!connection.done) await new Promise((resolve) => setImmediate(resolve));
    connection.close();
    await expect(connection.output()).rejects.toMatchObject({ status: "RESOURCE_EXHAUSTED" });
  });
});
