import type { Model, ModelCall, ModelRequest, ModelResponse } from "@agents/schema/port";

/** The rest of the way to the model: other middleware, then the model itself. May be called any number of times. */
export type NextModel = (request: ModelRequest, call: ModelCall) => Promise<ModelResponse>;

/** Stands between a caller and a model: may change the request and the response, call again, or answer by itself. */
export interface ModelMiddleware {
  /** For messages and spans. */
  readonly name: string;
  generate(request: ModelRequest, call: ModelCall, next: NextModel): Promise<ModelResponse>;
}

/** A model behind middleware: the first of the list is asked first. */
export function withMiddleware(model: Model, use: readonly ModelMiddleware[]): Model {
  const next = use.reduceRight<NextModel>(
    (inner, middleware) => (request, call) => middleware.generate(request, call, inner),
    (request, call) => model.generate(request, call),
  );
  return use.length === 0 ? model : { name: model.name, generate: next };
}
