import type { Message } from "@agents/schema/agent";

/** Says in words what tools answered. */
export function answerTools({ content }: Message): string {
  return content
    .map(({ toolResponse, metadata }) => {
      const { name = "the tool", output } = toolResponse ?? {};
      if (metadata?.isError === true) return `That did not work: ${messageOf(output)}`;
      return typeof output === "string" ? output : `${name} says ${JSON.stringify(output)}.`;
    })
    .join(" ");
}

function messageOf(output: unknown): string {
  const { error } = (output ?? {}) as { error?: { message?: string } };
  return error?.message ?? "no reason was given.";
}
