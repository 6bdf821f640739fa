import type { Span, Telemetry } from "@agents/schema/port";
import type { Inbound } from "./inbound.ts";
import type { Reply } from "./reply.ts";

/** A span from the request to the end of its answer, streams included. */
export function traced(telemetry: Telemetry, inbound: Inbound, answer: (span: Span) => Promise<Reply>): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const attributes = { "http.request.method": inbound.method };
    telemetry
      .span(`HTTP ${inbound.method}`, attributes, async (span) => {
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
