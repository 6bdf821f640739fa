import { describe, expect, it } from "vitest";
import * as wire from "./index.ts";

describe("JSON Schema", () => {
  it("exists for every contract and refers to none that does not", () => {
    const schemas = wire.wireJsonSchemas({ uri: (name) => `#/components/schemas/${name}` });
    expect(Object.keys(schemas).sort()).toEqual(Object.keys(wire.WIRE_SCHEMAS).sort());
    expect(Object.values(schemas).some((schema) => "$id" in schema)).toBe(false);
    const references = [...JSON.stringify(schemas).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)].map(
      (match) => match[1],
    );
    expect(references.length).toBeGreaterThan(50);
    for (const name of references) expect(schemas).toHaveProperty([name as string]);
  });

  it("leaves room for unknown fields", () => {
    expect(wire.wireJsonSchemas().Message).toMatchObject({
      type: "object",
      required: ["role", "content"],
      additionalProperties: {},
    });
  });

  it("says that a part from a client has a payload", () => {
    expect(wire.wireJsonSchemas().GivenPart).toMatchObject({
      anyOf: expect.arrayContaining([{ required: ["text"] }, { required: ["custom"] }]),
    });
  });

  it("covers every schema that is exported", () => {
    // Pieces of one contract each: an enum, a query. They appear inside it, not by name.
    const pieces =
      /^(Display(Kind|Phase)|FollowTurnQuery|IdempotencyKey|Interaction(State|Type)|ListSessionsQuery|PageQuery|SessionLifecycle|StoredStatus|StreamQuery|TextPart|TurnEventStreamQuery|TurnEventsQuery|Visibility)$/;
    const exported = Object.keys(wire).flatMap((name) => /^([A-Z]\w*)Schema$/.exec(name)?.[1] ?? []);
    expect(exported.filter((name) => !pieces.test(name)).sort()).toEqual(Object.keys(wire.WIRE_SCHEMAS).sort());
  });
});

describe("routes", () => {
  const routes = { ...wire.AGENT_ROUTES, ...wire.RESOURCE_ROUTES } as Record<string, wire.Route>;

  it("are told apart by method and path", () => {
    const keys = Object.values(routes).map((route) => `${route.method} ${route.path}`);
    expect(new Set(keys).size).toBe(keys.length);
  });

  it.each(Object.entries(routes))("%s has a body exactly where its method carries one", (name, route) => {
    const bodiless = ["cancelTurn"];
    expect(route.body !== undefined).toBe(["POST", "PATCH"].includes(route.method) && !bodiless.includes(name));
    expect(route.response === undefined).toBe(route.status === 204);
  });
});
