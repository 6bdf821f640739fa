import { setTimeout as delay } from "node:timers/promises";
import { describeFailure } from "./describe-failure.ts";
import { freePort } from "./free-port.ts";
import type { Keeper, KeptProcess, KeptProcessOptions } from "./keep.ts";

export interface StartOnFreePortOptions {
  keeper: Keeper;
  /** The server's command for a port. */
  command(port: number): KeptProcessOptions;
  /**
   * Resolves when this very server answers on the port. Must take bounded time and must tell it from another server,
   * since a port that someone else took in the meantime may be answered by a server of the same kind.
   */
  probe(port: number): Promise<void>;
  /** How long the server may take to answer, in milliseconds. @default 30_000 */
  deadlineMs?: number;
  /** Source of ports; tests bring one that is taken. */
  nextPort?: () => Promise<number>;
}

/** Ports tried when other processes are quicker to take them. */
const PORT_ATTEMPTS = 5;
const PROBE_INTERVAL_MS = 25;

/** Starts a server and returns the port on which it answers. */
export async function startOnFreePort({
  keeper,
  command,
  probe,
  deadlineMs = 30_000,
  nextPort = freePort,
}: StartOnFreePortOptions): Promise<number> {
  for (let attempt = 1; ; attempt++) {
    const port = await nextPort();
    const options = command(port);
    const server = await keeper.start(options);
    const result = await untilAnswering(server, () => probe(port), deadlineMs);
    if (result.type === "answers") return port;

    const log = server.logTail();
    const portTaken = result.type === "exited" && /address already in use/i.test(log);
    if (portTaken && attempt < PORT_ATTEMPTS) continue;
    throw new Error(
      `${options.name} on port ${port} ${result.reason}${portTaken ? ` (attempt ${attempt} of ${PORT_ATTEMPTS})` : ""}. ` +
        `Its log ends with:\n${log || "(nothing)"}`,
    );
  }
}

type Readiness = { type: "answers" } | { type: "exited"; reason: string } | { type: "late"; reason: string };

async function untilAnswering(server: KeptProcess, probe: () => Promise<void>, deadlineMs: number): Promise<Readiness> {
  const deadline = Date.now() + deadlineMs;
  let result: Readiness | undefined;
  const exited = server.exited.then(({ reason }): Readiness => {
    result ??= { type: "exited", reason: `ended with ${reason} before it answered` };
    return result;
  });
  const answering = async (): Promise<Readiness> => {
    let failure: unknown = "it was not asked";
    while (!result && Date.now() < deadline) {
      try {
        await probe();
        result ??= { type: "answers" };
      } catch (error) {
        failure = error;
        await delay(PROBE_INTERVAL_MS);
      }
    }
    result ??= { type: "late", reason: `did not answer within ${deadlineMs} ms: ${describeFailure(failure)}` };
    return result;
  };
  return Promise.race([exited, answering()]);
}
