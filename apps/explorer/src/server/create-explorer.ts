import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { extname, join } from "node:path";
import { AgentError, HTTP_STATUS, toWireError } from "@agents/schema/error";
import { formatPosition } from "@agents/schema/route";
import { encodeSse } from "@agents/schema/sse";
import { parseWire, WIRE_SCHEMAS, wireJsonSchemas } from "@agents/schema/wire";
import * as z from "zod";
import { survey } from "./survey.ts";

export interface ExplorerOptions {
  /** Folder of the built page. */
  pageDir: string;
  /** Pause between two steps of the survey, in milliseconds. */
  paceMs: number;
}

const CheckRequest = z.object({ contract: z.string(), value: z.unknown() });

/** Largest body of a check, in bytes. */
const MAX_BODY = 1024 * 1024;

const CONTENT_TYPE: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
};

/** The page, the contracts, a check of any value against any of them, and the survey as a stream. */
export function createExplorer(options: ExplorerOptions): Server {
  return createServer((request, response) => {
    route(request, response, options).catch((error: unknown) => sendError(response, error));
  });
}

async function route(request: IncomingMessage, response: ServerResponse, options: ExplorerOptions): Promise<void> {
  // Not resolved as a URL: "//" would be read as a host.
  const pathname = (request.url ?? "/").split("?", 1)[0] ?? "/";
  switch (`${request.method} ${pathname}`) {
    case "GET /contracts":
      return sendJson(response, 200, wireJsonSchemas());
    case "POST /check":
      return check(request, response);
    case "GET /survey":
      return streamSurvey(response, options);
    default:
      return sendFile(
        request,
        response,
        join(options.pageDir, pathname === "/" ? "index.html" : pathname.replace(/[^\w.-]/g, "")),
      );
  }
}

async function check(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { contract, value } = parseWire(CheckRequest, JSON.parse(await readBody(request)), { what: "body" });
  if (!Object.hasOwn(WIRE_SCHEMAS, contract)) {
    throw new AgentError("NOT_FOUND", `There is no contract ${JSON.stringify(contract)}; GET /contracts lists them.`);
  }
  const schema = WIRE_SCHEMAS[contract as keyof typeof WIRE_SCHEMAS];
  sendJson(response, 200, { value: parseWire(schema, value, { what: contract }) });
}

async function streamSurvey(response: ServerResponse, { paceMs }: ExplorerOptions): Promise<void> {
  const left = new AbortController();
  response.once("close", () => left.abort());
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
  for await (const event of survey({ paceMs, signal: left.signal })) {
    response.write(encodeSse({ id: formatPosition({ epoch: 1, seq: event.seq }), data: JSON.stringify(event) }));
  }
  response.end();
}

async function sendFile(request: IncomingMessage, response: ServerResponse, file: string): Promise<void> {
  const found = await stat(file).catch(() => undefined);
  if (request.method !== "GET" || !found?.isFile()) {
    throw new AgentError("NOT_FOUND", `Nothing is served at ${request.method} ${request.url}.`);
  }
  response.writeHead(200, { "content-type": CONTENT_TYPE[extname(file)] ?? "application/octet-stream" });
  createReadStream(file).pipe(response);
}

async function readBody(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of request as AsyncIterable<Buffer>) {
    size += piece.length;
    if (size > MAX_BODY) throw new AgentError("RESOURCE_EXHAUSTED", `The body is larger than ${MAX_BODY} bytes.`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString("utf8");
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  const text = JSON.stringify(body);
  response.writeHead(status, { "content-type": "application/json" }).end(text);
}

function sendError(response: ServerResponse, error: unknown): void {
  if (response.headersSent) return void response.destroy();
  const known =
    error instanceof SyntaxError ? new AgentError("INVALID_ARGUMENT", `The body is not JSON: ${error.message}`) : error;
  const wire = toWireError(known);
  sendJson(response, HTTP_STATUS[wire.status], wire);
}
