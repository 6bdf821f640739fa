import { AGENT_PATHS, HEADERS } from "@agents/schema/route";
import { AGENT_ROUTES, type Route, WIRE_SCHEMAS, wireJsonSchemas } from "@agents/schema/wire";
import * as z from "zod";

export interface OpenApiInfo {
  /** @default "Agents" */
  readonly title?: string;
  /** Version of your API. @default "1" */
  readonly version?: string;
  readonly description?: string;
}

export interface OpenApiOptions extends OpenApiInfo {
  /** Where the routes are mounted: "" or "/api". */
  readonly basePath: string;
  readonly authenticated: boolean;
  /** Further routes by operation id. @default those of agents and flows */
  readonly routes?: Readonly<Record<string, Route>>;
}

type Json = Record<string, unknown>;

const JSON_TYPE = "application/json";
const STREAM_TYPE = "text/event-stream";

/** The OpenAPI 3.1 document of the routes: everything in it comes from the schemas that the routes themselves use. */
export function buildOpenApi({ basePath, authenticated, routes = AGENT_ROUTES, ...info }: OpenApiOptions): Json {
  const { title = "Agents", version = "1", description } = info;
  const paths: Record<string, Json> = {};
  for (const [operationId, route] of Object.entries(routes)) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operation(operationId, route) };
  }
  return {
    openapi: "3.1.0",
    info: { title, version, ...(description === undefined ? {} : { description }) },
    ...(basePath === "" ? {} : { servers: [{ url: basePath }] }),
    ...(authenticated ? { security: [{ bearer: [] }] } : {}),
    paths: { ...paths, ...probes() },
    components: {
      schemas: wireJsonSchemas({ uri: (name) => `#/components/schemas/${name}` }),
      ...(authenticated ? { securitySchemes: { bearer: { type: "http", scheme: "bearer" } } } : {}),
    },
  };
}

function operation(operationId: string, route: Route): Json {
  const { summary, path, query, body, response, frame, status = 200 } = route;
  const content: Json = {
    ...(response !== undefined && response !== frame ? { [JSON_TYPE]: { schema: schemaOf(response) } } : {}),
    ...(frame === undefined ? {} : { [STREAM_TYPE]: { schema: schemaOf(frame) } }),
  };
  return {
    operationId,
    summary,
    parameters: [...pathParameters(path), ...queryParameters(query)],
    ...(body === undefined
      ? {}
      : { requestBody: { required: true, content: { [JSON_TYPE]: { schema: schemaOf(body) } } } }),
    responses: {
      [status]: {
        description: frame === undefined ? "The result." : "The result, or its stream.",
        ...(Object.keys(content).length === 0 ? {} : { content }),
        ...(frame === undefined ? {} : { headers: { [HEADERS.turnId]: { schema: { type: "string" } } } }),
      },
      default: {
        description: "An error, with the HTTP status of its canonical one.",
        headers: { [HEADERS.correlationId]: { schema: { type: "string" } } },
        content: { [JSON_TYPE]: { schema: reference("WireError") } },
      },
    },
  };
}

function pathParameters(path: string): Json[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string" },
  }));
}

function queryParameters(query: z.ZodType | undefined): Json[] {
  if (!(query instanceof z.ZodObject)) return [];
  return Object.entries(query.shape as Record<string, z.ZodType>).map(([name, schema]) => ({
    name,
    in: "query",
    required: !schema.safeParse(undefined).success,
    schema: schemaOf(schema),
  }));
}

const NAMES = new Map<unknown, string>(Object.entries(WIRE_SCHEMAS).map(([name, schema]) => [schema, name]));

/** A contract is referred to by its name; an envelope around contracts is written out. */
function schemaOf(schema: z.ZodType): Json {
  const name = NAMES.get(schema);
  if (name !== undefined) return reference(name);
  if (schema instanceof z.ZodOptional) return schemaOf(schema.unwrap() as z.ZodType);
  if (schema instanceof z.ZodObject) {
    const members = Object.entries(schema.shape as Record<string, z.ZodType>);
    return {
      type: "object",
      properties: Object.fromEntries(members.map(([member, value]) => [member, schemaOf(value)])),
      required: members.filter(([, value]) => !(value instanceof z.ZodOptional)).map(([member]) => member),
    };
  }
  const { $schema: _, ...json } = z.toJSONSchema(schema, { unrepresentable: "any" });
  return json;
}

function reference(name: string): Json {
  return { $ref: `#/components/schemas/${name}` };
}

function probes(): Record<string, Json> {
  const probe = (operationId: string, summary: string): Json => ({
    get: {
      operationId,
      summary,
      security: [],
      responses: { 200: { description: "Yes." }, 503: { description: "No." } },
    },
  });
  return {
    [AGENT_PATHS.health]: probe("health", "Whether the process answers."),
    [AGENT_PATHS.ready]: probe("ready", "Whether the stores answer and new work is taken."),
  };
}
