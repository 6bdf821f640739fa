/** Which conversation the page shows. It stands in the address, so that a reload or a link leads back to it. */
export interface Place {
  readonly agent: string;
  readonly session: string;
  /** Where a branch starts, while it has no turn of its own. */
  readonly from?: string;
}

export function readPlace(hash: string, agents: readonly string[]): Place {
  const given = new URLSearchParams(hash.replace(/^#/, ""));
  const agent = given.get("agent") ?? "";
  const session = given.get("session") ?? "";
  const from = given.get("from") ?? "";
  return {
    agent: agents.includes(agent) ? agent : (agents[0] ?? ""),
    session: session === "" ? crypto.randomUUID() : session,
    ...(from === "" ? {} : { from }),
  };
}

/** Replaces the address without a new entry in the history. */
export function writePlace({ agent, session, from }: Place): void {
  const given = new URLSearchParams({ agent, session, ...(from === undefined ? {} : { from }) });
  history.replaceState(null, "", `#${given}`);
}
