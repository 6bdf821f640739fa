import type { AgentInit, InitialState } from "@agents/schema/agent";
import type { AgentContext, IdSource } from "@agents/schema/port";
import { State } from "../state/state.ts";
import type { TurnOrigin } from "../turn/turn-origin.ts";
import type { AgentSpec } from "./agent-spec.ts";

/** Server-managed: what the first turn continues. Nothing given is a fresh session. */
export function originOf({ sessionId, snapshotId }: AgentInit, ids: IdSource): TurnOrigin {
  if (snapshotId === undefined) return { type: "session", sessionId: sessionId ?? ids.uuid() };
  return { type: "branch", snapshotId, ...(sessionId === undefined ? {} : { sessionId }) };
}

/** Client-managed: the session that the client carries. A blank id, as older clients send it, counts as none. */
export function carriedSessionId({ state }: AgentInit, ids: IdSource): string {
  const sessionId = state?.sessionId ?? "";
  return sessionId.trim() === "" ? ids.uuid() : sessionId;
}

/** The state of a session that has none yet, on top of what the client brought. */
export function startingState<Custom>(
  { initialCustom }: Pick<AgentSpec<Custom>, "initialCustom">,
  context: AgentContext,
  { sessionId, given = {} }: { sessionId: string; given?: InitialState<Custom> | undefined },
): State<Custom> {
  const { messages, artifacts, custom = valueFor(initialCustom, context) } = given;
  return State.import<Custom>(sessionId, { messages, artifacts, custom });
}

function valueFor<Custom>(initial: AgentSpec<Custom>["initialCustom"], context: AgentContext): Custom | undefined {
  return typeof initial === "function" ? (initial as (context: AgentContext) => Custom)(context) : initial;
}
