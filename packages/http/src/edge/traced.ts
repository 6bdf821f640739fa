import type { Span, Telemetry } from "@agents/schema/port";
import type { Reply } from "./reply.ts";

/** A span from the request to the end of its answer, streams included. */
export function traced(telemetry: Telemetry, request: Request, answer: (span: Span) => Promise<Reply>): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const attributes = { "http.request.method": request.method };
    telemetry
      .span(`HTTP ${request.method}`, attributes, async (span) => {
        const reply = await answer(span);
        span.setAttributes({ "http.response.status_code": reply.status });
        const { body } = reply;
        if (typeof body !== "object" || body === null) {
          resolve(reply);
          return;
        }
        await new Promise<void>((ended) => {
          resolve({ ...reply, body: { write: (sink) => body.write(sink).finally(ended) } });
        });
      })
      .catch(reject);
  });
}
