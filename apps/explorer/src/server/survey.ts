import { setTimeout } from "node:timers/promises";
import { stateHash } from "@agents/schema/hash";
import { diff } from "@agents/schema/patch";
import { type EventData, type KnownEventType, type TurnEvent, wireJsonSchemas } from "@agents/schema/wire";

/** The custom state of the survey; the page rebuilds it from the patches alone. */
export interface Survey {
  total: number;
  done: number;
  /** Bytes of each contract's JSON Schema. */
  sizes: Record<string, number>;
}

export interface SurveyOptions {
  /** Pause between two contracts, so that people see it happen, in milliseconds. */
  paceMs: number;
  signal: AbortSignal;
}

/**
 * Measures every contract, and tells of it the way a turn does: numbered events, state as patches. No agent runs here;
 * the events are made by hand from the contracts that agents will use.
 */
export async function* survey({ paceMs, signal }: SurveyOptions): AsyncGenerator<TurnEvent> {
  const turnId = `survey.${Date.now().toString(36)}`;
  let seq = 0;
  const event = <Type extends KnownEventType>(type: Type, data: EventData<Type>) =>
    ({
      turnId,
      seq: ++seq,
      type,
      source: "survey",
      visibility: "public",
      createdAt: new Date().toISOString(),
      data,
    }) as TurnEvent;

  const schemas = Object.entries(wireJsonSchemas());
  let state: Survey = { total: schemas.length, done: 0, sizes: {} };
  yield event("turn.started", { turnIndex: 0 });
  yield event("state.patched", { patch: [{ op: "replace", path: "", value: state }] });
  for (const [name, schema] of schemas) {
    const next = { ...state, done: state.done + 1, sizes: { ...state.sizes, [name]: JSON.stringify(schema).length } };
    yield event("state.patched", { patch: diff(state, next) });
    state = next;
    if (state.done % 20 === 0) yield event("status.updated", { status: `${state.done} of ${state.total} measured` });
    await pause(paceMs, signal);
    if (signal.aborted) return;
  }
  const hash = stateHash({ messages: [], custom: state, artifacts: [] });
  yield event("artifact.added", {
    artifact: { name: "survey", parts: [{ data: state }], metadata: { stateHash: hash } },
  });
  yield event("turn.completed", { turnEnd: { finishReason: "stop" } });
}

/** Rejections are for failures; a client that left is none, so an abort only ends the pause. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return ms === 0 ? Promise.resolve() : setTimeout(ms, undefined, { signal }).catch(() => {});
}
