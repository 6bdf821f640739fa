import { AgentError } from "@agents/schema/error";
import type { Clock, Store } from "@agents/schema/port";
import { jsonReply, type Reply } from "../edge/reply.ts";
import type { Services } from "./services.ts";

/** How long a store may take to say that it is there, in milliseconds. */
const PATIENCE_MS = 5_000;
const HEADERS = { "cache-control": "no-store" };

/** `GET /healthz`: the process answers. */
export function healthReply(): Reply {
  return jsonReply({ status: "ok" }, { headers: HEADERS });
}

/**
 * `GET /readyz`: whether new work is welcome and every store answers; 503 if not. It says which store, and neither why nor
 * where it is: anybody may ask.
 */
export async function readyReply({ stores, work, clock }: Pick<Services, "stores" | "work" | "clock">): Promise<Reply> {
  const checked = await Promise.all(stores.map((store) => checkStore(store, clock)));
  const ready = !work.draining && checked.every(({ status }) => status === "ok");
  const status = work.draining ? "shutting down" : ready ? "ready" : "unavailable";
  return jsonReply({ status, stores: checked }, { status: ready ? 200 : 503, headers: HEADERS });
}

async function checkStore(store: Store, clock: Clock): Promise<{ name: string; status: "ok" | "unavailable" }> {
  let stopTimer = (): void => {};
  const tooLate = new Promise<never>((_, reject) => {
    stopTimer = clock.setTimer(PATIENCE_MS, () => reject(new AgentError("DEADLINE_EXCEEDED", "No answer.")));
  });
  try {
    await Promise.race([store.health(), tooLate]);
    return { name: store.name, status: "ok" };
  } catch {
    return { name: store.name, status: "unavailable" };
  } finally {
    stopTimer();
  }
}
