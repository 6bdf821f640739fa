import { describe, expect, expectTypeOf, it } from "vitest";
import type * as z from "zod";
import {
  AgentInputSchema,
  MessageSchema,
  type Part,
  PartSchema,
  parseWire,
  type ToolRequest,
  ToolRequestPartSchema,
} from "./index.ts";

const parts = [
  { text: "hello" },
  { text: "" },
  { media: { url: "data:image/png;base64,AA==", contentType: "image/png" } },
  { reasoning: "because" },
  { data: { any: ["json"] } },
  { data: null },
  { toolRequest: { name: "transfer", ref: "r1", input: { amount: 3 } } },
  { toolResponse: { name: "transfer", ref: "r1", output: { ok: true } } },
  { custom: { widget: "map" } },
  { text: "with metadata", metadata: { cached: true } },
];

describe("parts", () => {
  it.each(parts)("take %j and give it back unchanged", (part) => {
    expect(PartSchema.parse(part)).toEqual(part);
  });

  it.each([{}, { metadata: { a: 1 } }, { resource: { uri: "x" } }, { text: "a", custom: { b: 1 }, data: 2 }])(
    "in history may be what older clients and newer peers send: %j",
    (part) => {
      expect(PartSchema.parse(part)).toEqual(part);
    },
  );

  it.each([
    [{}, "one of text, media, reasoning, data, toolRequest, toolResponse, custom, got fields []"],
    [{ txt: "a" }, "got fields [txt]"],
    [{ resource: { uri: "x" } }, "got fields [resource]"],
    [{ text: "a", media: { url: "b" } }, "got text and media"],
  ])("from a client have a payload that we know: %j", (part, message) => {
    const input = { message: { role: "user", content: [part] } };
    expect(() => parseWire(AgentInputSchema, input, { what: "input" })).toThrow(message);
  });

  it("never have two payloads that exclude each other", () => {
    expect(() => parseWire(PartSchema, { text: "a", toolRequest: { name: "t" } }, { what: "part" })).toThrow(
      "got text and toolRequest",
    );
  });

  it("report a mistake inside a payload at its own path", () => {
    const message = { role: "user", content: [{ text: "a" }, { toolRequest: { name: 7 } }] };
    expect(() => parseWire(MessageSchema, message, { what: "message" })).toThrow(
      expect.objectContaining({
        status: "INVALID_ARGUMENT",
        message: expect.stringContaining("at /content/1/toolRequest/name: "),
      }),
    );
  });

  it("take a payload of undefined for absent, as JSON does", () => {
    expect(PartSchema.safeParse({ text: "a", data: undefined }).success).toBe(true);
  });

  it("of one kind refuse the others", () => {
    expect(() => parseWire(ToolRequestPartSchema, { text: "a" }, { what: "restart" })).toThrow(
      "a part has toolRequest, got text",
    );
  });

  it("narrow by their payload", () => {
    const read = (part: Part) => {
      if (part.toolRequest !== undefined) {
        expectTypeOf(part.toolRequest).toEqualTypeOf<ToolRequest>();
        expectTypeOf(part.text).toEqualTypeOf<undefined>();
      }
      return part.text ?? "";
    };
    expect(read({ text: "a" })).toBe("a");
    expectTypeOf<{ text: string }>().toExtend<Part>();
    expectTypeOf<{ text: string; reasoning: string }>().not.toExtend<Part>();
    expectTypeOf<z.infer<typeof PartSchema>>().toEqualTypeOf<Part>();
  });
});

describe("messages", () => {
  it.each(["system", "user", "model", "tool"])("have the role %s", (role) => {
    expect(MessageSchema.parse({ role, content: [] })).toEqual({ role, content: [] });
  });

  it("keep fields that we do not know, at every level", () => {
    const message = {
      role: "user",
      content: [{ text: "a", lang: "en" }, { media: { url: "u", width: 3 } }],
      metadata: { a: 1 },
      seenAt: 7,
    };
    expect(MessageSchema.parse(message)).toEqual(message);
  });

  it("do not let a field named __proto__ reach a prototype", () => {
    const parsed = MessageSchema.parse(JSON.parse('{"role":"user","content":[],"__proto__":{"admin":true}}'));
    expect((parsed as { admin?: unknown }).admin).toBeUndefined();
    expect(Object.getPrototypeOf(parsed)).toBe(Object.prototype);
  });
});

describe("an agent's input", () => {
  it.each([
    {},
    { message: { role: "user", content: [{ text: "hi" }] } },
    { detach: true },
    {
      resume: {
        respond: [{ toolResponse: { name: "t", ref: "1", output: 3 } }],
        restart: [{ toolRequest: { name: "t" }, metadata: { resumed: true } }],
      },
    },
  ])("may be %j", (input) => {
    expect(AgentInputSchema.parse(input)).toEqual(input);
  });

  it.each(["system", "model", "tool"])("may not speak as %s: that would forge what only the agent writes", (role) => {
    expect(() =>
      parseWire(AgentInputSchema, { message: { role, content: [{ text: "x" }] } }, { what: "input" }),
    ).toThrow("at /message/role");
  });
});
