import type { FinishReason, Message, ModelChunk, Usage } from "@agents/schema/agent";
import { AgentError, type Status } from "@agents/schema/error";
import type { Model, ModelCall, ModelRequest, ModelResponse } from "@agents/schema/port";
import { createScriptedModel, type ScriptedReply } from "../model/scripted-model.ts";
import type { CaseModelResponse, SendStep } from "./case-file.ts";

export interface StepModel extends Model {
  /** Answers as this step says from now on. */
  load(step: Pick<SendStep, "modelResponses" | "streamChunks">): void;
}

/** A model whose script is that of the step at hand. A turn that went on in the background still has its own. */
export function createStepModel(): StepModel {
  let script: Model = createScriptedModel([]);
  return {
    name: "scripted",
    load({ modelResponses = [], streamChunks = [] }) {
      script = createScriptedModel(
        modelResponses.map((response, call) => reply(response, (streamChunks[call] ?? []) as unknown as ModelChunk[])),
      );
    },
    generate: (request: ModelRequest, call: ModelCall): Promise<ModelResponse> => script.generate(request, call),
  };
}

function reply(response: CaseModelResponse, chunks: readonly ModelChunk[]): ScriptedReply {
  if ("error" in response) {
    return { error: new AgentError(response.error.status as Status, response.error.message), chunks };
  }
  const { message, finishReason = "stop", usage } = response;
  return {
    response: {
      message: message as unknown as Message,
      finishReason: finishReason as FinishReason,
      ...(usage === undefined ? {} : { usage: usage as Usage }),
    },
    chunks,
  };
}
