import { describe, expect, it } from "vitest";
import * as z from "zod";
import { createRegistry } from "./create-registry.ts";
import { defineBidiAction } from "./define-bidi-action.ts";

describe("a registry", () => {
  it("finds an entry by its name, and by its name and kind", () => {
    const registry = createRegistry();
    const action = defineBidiAction({ name: "echo" }, async () => {});
    registry.register({ kind: "flow", name: "echo", action });
    expect(registry.lookup("echo")?.action).toBe(action);
    expect(registry.lookup("echo", "flow")?.action).toBe(action);
    expect(registry.lookup("echo", "agent")).toBeUndefined();
    expect(registry.lookup("toString")).toBeUndefined();
  });

  it("refuses a name that is taken, naming both kinds, and keeps the first", () => {
    const registry = createRegistry();
    registry.register({ kind: "flow", name: "weather", action: 1 });
    expect(() => registry.register({ kind: "agent", name: "weather", action: 2 })).toThrow(
      expect.objectContaining({
        status: "ALREADY_EXISTS",
        message: expect.stringMatching(/agent "weather".*registered flow/),
        details: { name: "weather", kind: "agent", registeredKind: "flow" },
      }),
    );
    expect(registry.lookup("weather")?.action).toBe(1);
  });

  it("lists by name, of one kind or all, with JSON Schemas of both sides and metadata", () => {
    const registry = createRegistry();
    const { schemas, metadata } = defineBidiAction(
      {
        name: "b",
        metadata: { team: "text" },
        inputSchema: z.object({ n: z.number().default(1) }),
        outputSchema: z.object({ n: z.number().default(1) }),
      },
      async () => ({}),
    );
    registry.register({ kind: "flow", name: "b", description: "B", action: 1, schemas, metadata });
    registry.register({ kind: "agent", name: "a", action: 2 });
    registry.register({ kind: "flow", name: "C", action: 3 });
    expect(registry.list().map(({ name }) => name)).toEqual(["C", "a", "b"]);
    expect(registry.list("flow").map(({ name }) => name)).toEqual(["C", "b"]);
    expect(registry.list("flow")[1]).toMatchObject({
      kind: "flow",
      description: "B",
      metadata: { team: "text" },
      schemas: {
        input: { type: "object", properties: { n: { type: "number", default: 1 } } },
        output: { type: "object", required: ["n"] },
      },
    });
    expect(registry.list("flow")[1]?.schemas.input).not.toHaveProperty("required");
    expect(() => JSON.stringify(registry.list())).not.toThrow();
  });

  it("gives the same list until something changes", () => {
    const registry = createRegistry();
    registry.register({ kind: "flow", name: "b", action: 1 });
    const list = registry.list();
    expect(registry.list()).toBe(list);
    const remove = registry.register({ kind: "flow", name: "a", action: 2 });
    expect(registry.list()).toHaveLength(2);
    remove();
    expect(registry.list()).toEqual(list);
  });

  it("lists what JSON Schema cannot describe as anything", () => {
    const registry = createRegistry();
    const schemas = { input: z.date(), output: z.custom<URL>(() => true), stream: z.bigint() };
    registry.register({ kind: "flow", name: "odd", action: 1, schemas });
    expect(Object.keys(registry.list()[0]?.schemas ?? {})).toEqual(["input", "stream", "output"]);
  });

  it("keeps companions with what they belong to and removes them together", () => {
    const registry = createRegistry();
    const companion = { kind: "companion", name: "weather/getSnapshot", companionOf: "weather", action: 2 } as const;
    expect(() => registry.register(companion)).toThrow(/"weather" is not registered/);
    registry.register({ kind: "agent", name: "weather", action: 1 });
    registry.register(companion);
    expect(registry.list("companion")).toMatchObject([{ companionOf: "weather" }]);
    expect(registry.remove("weather")).toBe(true);
    expect(registry.list()).toEqual([]);
    expect(registry.remove("weather")).toBe(false);
  });

  it("does not remove a successor through the first one's handle", () => {
    const registry = createRegistry();
    const remove = registry.register({ kind: "flow", name: "a", action: 1 });
    registry.remove("a");
    registry.register({ kind: "flow", name: "a", action: 2 });
    remove();
    expect(registry.lookup("a")?.action).toBe(2);
  });
});
