import { AgentError } from "@agents/schema/error";
import { isPlainObject } from "@agents/schema/patch";
import type { Exchange } from "../edge/exchange.ts";
import { parseJson } from "../limit/parse-json.ts";
import { readBody } from "../limit/read-body.ts";
import type { Services } from "./services.ts";

export interface Envelope {
  readonly data: unknown;
  readonly init: unknown;
}

/** `{ data, init? }`: the body of every POST. What is inside is checked by whoever takes it. */
export async function readEnvelope(
  { inbound, route }: Pick<Exchange, "inbound" | "route">,
  { limits }: Pick<Services, "limits">,
): Promise<Envelope> {
  const what = `body of ${route}`;
  const body = parseJson(await readBody(inbound, limits.bodyBytes), { what, depth: limits.jsonDepth });
  if (!isPlainObject(body) || !Object.hasOwn(body, "data")) {
    throw new AgentError("INVALID_ARGUMENT", `The ${what} must be an object with the member "data".`);
  }
  return { data: body["data"], init: Object.hasOwn(body, "init") ? body["init"] : undefined };
}
