import { AgentError } from "@agents/schema/error";

/** Postgres cuts longer names off without a word, so that two would become one. */
const NAME_BYTES = 63;

/** A schema's name as SQL text that nothing can break out of. Throws INVALID_ARGUMENT for one that Postgres would not keep. */
export function quoteName(name: string): string {
  const bytes = Buffer.byteLength(name);
  if (name === "" || bytes > NAME_BYTES || /[\0\p{Surrogate}]/u.test(name)) {
    throw new AgentError(
      "INVALID_ARGUMENT",
      `schema is ${JSON.stringify(name.slice(0, 80))} (${bytes} bytes); it takes a name of 1 to ${NAME_BYTES} bytes that is valid Unicode without U+0000.`,
      { details: { option: "schema", bytes } },
    );
  }
  return `"${name.replaceAll('"', '""')}"`;
}

/** A function's body between dollar quotes that do not occur in it: it contains the schema's name, which is not ours. */
export function dollarQuote(body: string): string {
  let tag = "$agents$";
  for (let count = 1; body.includes(tag); count++) tag = `$agents${count}$`;
  return `${tag}${body}${tag}`;
}
