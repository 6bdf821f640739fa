import type { Answering, Exchange } from "./provider-server.ts";

export interface Body {
  readonly contentType: "application/json" | "text/event-stream";
  readonly bytes: Buffer;
}

/** As a stream of server-sent events. Events with a name have an `event:` line, as Anthropic writes them. */
export function sse(events: readonly (object | string)[], { named = false } = {}): Body {
  const text = events.map((event) => {
    const data = typeof event === "string" ? event : JSON.stringify(event);
    return named ? `event: ${(event as { type: string }).type}\ndata: ${data}\n\n` : `data: ${data}\n\n`;
  });
  return { contentType: "text/event-stream", bytes: Buffer.from(text.join("")) };
}

export function json(value: unknown): Body {
  return { contentType: "application/json", bytes: Buffer.from(JSON.stringify(value)) };
}

/** The body in pieces that end at these offsets; each is written when the client has taken the one before. */
export function inPieces(body: Body, offsets: readonly number[]): Answering {
  return async (exchange) => {
    begin(exchange, body);
    await write(exchange, body.bytes, offsets);
    exchange.response.end();
  };
}

export function whole(body: Body): Answering {
  return inPieces(body, [body.bytes.length]);
}

/** The first bytes of the body, taken by the client, and then the socket is destroyed, or the answer politely ended. */
export function cutOff(body: Body, bytes: number, how: "destroyed" | "ended"): Answering {
  return async (exchange) => {
    begin(exchange, body);
    await write(exchange, body.bytes.subarray(0, bytes), [bytes]);
    if (how === "ended") exchange.response.end();
    else exchange.response.socket?.destroy();
  };
}

export function failure(status: number, body: unknown, headers: Record<string, string> = {}): Answering {
  return ({ response }) => {
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  };
}

export function begin({ response }: Exchange, { contentType }: Pick<Body, "contentType">): void {
  response.writeHead(200, { "content-type": contentType });
  response.flushHeaders();
}

async function write(exchange: Exchange, bytes: Buffer, offsets: readonly number[]): Promise<void> {
  let sent = 0;
  for (const offset of [...offsets, bytes.length]) {
    if (offset <= sent) continue;
    exchange.response.write(bytes.subarray(sent, offset));
    sent = offset;
    await exchange.delivered(sent);
  }
}
