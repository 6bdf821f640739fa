import type { AgentInit, AgentInput, AgentOutput } from "@agents/schema/agent";
import type { WebSocket } from "ws";
import type { ServerTurn } from "./turn-table.ts";

export interface TurnBeginner {
  begin(input: AgentInput, init: AgentInit): { turn: ServerTurn; done: Promise<AgentOutput> };
}

/** One invocation over a socket: a turn for each input, one after the other, and one result. */
export function serveConnection(server: TurnBeginner, socket: WebSocket): void {
  const send = (frame: unknown): void => socket.send(JSON.stringify(frame));
  let init: AgentInit = {};
  let index = 0;
  let work: Promise<AgentOutput | undefined> = Promise.resolve(undefined);
  let running: ServerTurn | undefined;
  const run = async (input: AgentInput): Promise<AgentOutput> => {
    const { turn, done } = server.begin(input, init);
    running = turn;
    init = { sessionId: turn.sessionId };
    send({ type: "turn", turnId: turn.snapshotId, turnIndex: index++ });
    for (let next = 0; ; next++) {
      while (turn.log[next] === undefined && !turn.settled) await turn.changed();
      const entry = turn.log[next];
      if (entry === undefined) break;
      send("restarted" in entry ? { type: "restarted", ...entry } : { type: "chunk", ...entry });
    }
    return done;
  };
  socket.on("message", (text) => {
    const frame = JSON.parse(String(text)) as { type: string; init?: AgentInit; input: AgentInput };
    if (frame.type === "start") init = frame.init ?? {};
    if (frame.type === "abort" && running !== undefined) {
      running.aborted = true;
      running.emit({});
    }
    if (frame.type === "input" && frame.input.detach === true) {
      const { turn } = running === undefined ? server.begin(frame.input, init) : { turn: running };
      const { sessionId, snapshotId } = turn;
      send({ type: "result", result: { sessionId, snapshotId, finishReason: "detached" } });
      socket.close(1000);
    } else if (frame.type === "input") {
      work = work.then(() => run(frame.input));
    }
    if (frame.type === "close") {
      void work.then((output) => {
        if (socket.readyState !== socket.OPEN) return;
        send({ type: "result", result: output ?? { sessionId: "empty", finishReason: "stop" } });
        socket.close(1000);
      });
    }
  });
}
