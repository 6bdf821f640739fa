import { AgentError } from "@agents/schema/error";

export function refuseBadLimit(limit: number): void {
  if (Number.isInteger(limit) && limit >= 1) return;
  throw new AgentError("INVALID_ARGUMENT", `A limit of ${limit} is of no use; it takes a whole number of at least 1.`);
}
