import { AGENT_ROUTES } from "@agents/schema/wire";
import { Validator } from "@seriousme/openapi-schema-validator";
import { describe, expect, it } from "vitest";
import { createHttpWorld } from "../../test/http-world.ts";
import { createHandler } from "../index.ts";

interface Operation {
  operationId: string;
  security?: unknown;
  requestBody?: { content: Record<string, { schema: object }> };
  responses: Record<string, { content?: Record<string, { schema: object }> }>;
}

async function documentOf(options: object = {}) {
  const handler = createHandler({ agents: [createHttpWorld().echo], ...options });
  const response = await handler(new Request("http://x/openapi.json", { headers: { authorization: "x" } }));
  return (await response.json()) as { paths: Record<string, Record<string, Operation>>; [member: string]: unknown };
}

describe("GET /openapi.json", () => {
  it.each([{}, { authenticate: () => ({}), openApi: { title: "T", version: "2", description: "D" } }])(
    "is a valid OpenAPI 3.1 document",
    async (options) => {
      const document = await documentOf(options);
      expect(document["openapi"]).toBe("3.1.0");
      const result = await new Validator().validate(document);
      expect(result.errors ?? []).toEqual([]);
      expect(result.valid).toBe(true);
    },
  );

  it("describes every route that is served, from the schemas that the routes use", async () => {
    const { paths } = await documentOf();
    for (const [operationId, route] of Object.entries(AGENT_ROUTES)) {
      const operation = paths[route.path]?.[route.method.toLowerCase()];
      expect(operation).toMatchObject({ operationId, summary: route.summary });
    }
    const run = paths["/agents/{name}"]?.["post"];
    expect(run?.requestBody?.content["application/json"]?.schema).toEqual({
      $ref: "#/components/schemas/RunAgentRequest",
    });
    expect(Object.keys(run?.responses["200"]?.content ?? {})).toEqual(["application/json", "text/event-stream"]);
    const abort = paths["/agents/{name}/abort"]?.["post"];
    expect(abort?.requestBody?.content["application/json"]?.schema).toEqual({
      type: "object",
      properties: { data: { $ref: "#/components/schemas/AbortRequest" } },
      required: ["data"],
    });
  });

  it("refers only to schemas that it has", async () => {
    const document = await documentOf();
    const names = Object.keys((document["components"] as { schemas: object }).schemas);
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)];
    expect(references.length).toBeGreaterThan(50);
    for (const [, name] of references) expect(names).toContain(name);
  });

  it("says where it is mounted, and how one authenticates", async () => {
    const handler = createHandler({ agents: [], basePath: "/api", authenticate: () => ({}) });
    const document = await (await handler(new Request("http://x/api/openapi.json"))).json();
    expect(document).toMatchObject({ servers: [{ url: "/api" }], security: [{ bearer: [] }] });
  });
});
