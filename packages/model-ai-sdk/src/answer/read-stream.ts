import type { ModelCall, ModelResponse } from "@agents/schema/port";
import { endedEarly, finishedWithError, toProviderError } from "../provider/provider-error.ts";
import type { StreamPart } from "../provider/provider-model.ts";
import { Answer } from "./answer.ts";
import type { ProviderCall } from "./provider-call.ts";
import { toResponse, warningText } from "./response.ts";

type Finish = Extract<StreamPart, { type: "finish" }>;

/**
 * An answer as it is written. The next piece is read when `sendChunk` has taken the last, so a slow reader slows the
 * provider down. An answer that does not get to its end lets go of the connection; one that does leaves it for the next.
 */
export async function readStream(call: ProviderCall, sendChunk: ModelCall["sendChunk"]): Promise<ModelResponse> {
  const { name, signal, keepAnswerMetadata } = call;
  const reader = (await open(call)).getReader();
  const letGo = (): void => void reader.cancel(signal.reason).catch(() => {});
  // A provider's package need not heed the signal, and `sendChunk` may never return.
  signal.addEventListener("abort", letGo, { once: true });
  const show = async (part: ReturnType<Answer["add"]>): Promise<void> => {
    if (part !== undefined) await sendChunk?.({ role: "model", content: [part] });
  };
  let whole = false;
  try {
    signal.throwIfAborted();
    const answer = new Answer(call.model.provider);
    const warnings = [...call.warnings];
    let finish: Finish | undefined;
    while (finish === undefined) {
      const piece = await next(reader, name);
      if (piece.type === "error") throw toProviderError(piece.error, { model: name, phase: "reading" });
      if (piece.type === "stream-start") warnings.push(...piece.warnings.map(warningText));
      if (piece.type === "finish") finish = piece;
      else await show(answer.add(piece));
    }
    checkFinish(finish, name);
    whole = true;
    for (const part of answer.end()) await show(part);
    return toResponse({
      content: answer.content(),
      finishReason: finish.finishReason,
      usage: finish.usage,
      warnings,
      metadata: keepAnswerMetadata ? finish.providerMetadata : undefined,
    });
  } finally {
    signal.removeEventListener("abort", letGo);
    if (whole) drain(reader);
    else letGo();
  }
}

async function open({ model, name, options }: ProviderCall): Promise<ReadableStream<StreamPart>> {
  try {
    return (await model.doStream(options)).stream as ReadableStream<StreamPart>;
  } catch (error) {
    throw toProviderError(error, { model: name, phase: "calling" });
  }
}

async function next(reader: ReadableStreamDefaultReader<StreamPart>, model: string): Promise<StreamPart> {
  let result: Awaited<ReturnType<typeof reader.read>>;
  try {
    result = await reader.read();
  } catch (error) {
    throw toProviderError(error, { model, phase: "reading" });
  }
  if (result.done) throw endedEarly(model);
  return result.value;
}

/** A connection can be used again once its last bytes are read. They come after the end of the answer; nobody waits. */
function drain(reader: ReadableStreamDefaultReader<unknown>): void {
  reader.read().then(
    ({ done }) => (done ? undefined : drain(reader)),
    () => {},
  );
}

/** Some packages end a stream that was cut off politely, with a reason that nobody gave. */
function checkFinish({ finishReason }: Finish, model: string): void {
  if (finishReason.unified === "error") throw finishedWithError(model, finishReason);
  if (finishReason.unified === "other" && finishReason.raw === undefined) throw endedEarly(model);
}
