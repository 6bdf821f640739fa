import type { Part } from "@agents/schema/agent";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ProviderMetadata, StreamPart } from "../provider/provider-model.ts";
import { Answer } from "./answer.ts";
import { piecesOf } from "./pieces-of.ts";
import { wellFormed } from "./well-formed.ts";

type Block =
  | { type: "text" | "reasoning"; text: string; providerMetadata?: ProviderMetadata }
  | { type: "tool-call"; toolCallId: string; toolName: string; input: string }
  | { type: "source"; id: string; sourceType: string; url: string }
  | { type: "file"; mediaType: string; data: string };

const metadata = fc.option(fc.record({ p: fc.record({ signature: fc.string() }) }), { nil: undefined });
const text = fc.string({ unit: "grapheme", maxLength: 12 });
const block = (index: number): fc.Arbitrary<Block> =>
  fc.oneof(
    fc
      .record({ type: fc.constantFrom("text" as const, "reasoning" as const), text, providerMetadata: metadata })
      .map(({ providerMetadata, ...rest }) => (providerMetadata === undefined ? rest : { ...rest, providerMetadata })),
    fc.record({
      type: fc.constant("tool-call" as const),
      toolCallId: fc.constant(`call-${index}`),
      toolName: fc.constant("tool"),
      input: fc.oneof(fc.json(), fc.string()),
    }),
    fc.record({
      type: fc.constant("source" as const),
      id: fc.uuid(),
      sourceType: fc.constant("url"),
      url: fc.webUrl(),
    }),
    fc.record({ type: fc.constant("file" as const), mediaType: fc.constant("image/png"), data: fc.base64String() }),
  );
const blocks = fc
  .integer({ min: 0, max: 6 })
  .chain((count) => fc.tuple(...Array.from({ length: count }, (_, index) => block(index))));

/** A stream that brings these blocks: text cut anywhere, within characters too; metadata with any piece; ids used again. */
function pieces(content: readonly Block[], pick: (below: number) => number): StreamPart[] {
  return content.flatMap((one): StreamPart[] => {
    if (one.type === "tool-call") return [{ type: "tool-input-start", id: one.toolCallId }, one as StreamPart];
    if (one.type !== "text" && one.type !== "reasoning") return [one as StreamPart];
    const { type, text, providerMetadata } = one;
    const id = "0";
    const list: StreamPart[] = [{ type: `${type}-start`, id }];
    for (let at = 0; at < text.length; ) {
      const end = at + 1 + pick(4);
      list.push({ type: `${type}-delta`, id, delta: text.slice(at, end) });
      at = end;
    }
    if (pick(2) === 0 || providerMetadata !== undefined) list.push({ type: `${type}-end`, id });
    const said = list[pick(list.length)] as { providerMetadata?: ProviderMetadata | undefined };
    said.providerMetadata = providerMetadata;
    return list;
  });
}

function contentOf(stream: Iterable<StreamPart>): { content: Part[]; shown: Part[] } {
  const answer = new Answer("p.chat");
  const shown: Part[] = [];
  for (const piece of stream) {
    const part = answer.add(piece);
    if (part !== undefined) shown.push(part);
  }
  shown.push(...answer.end());
  return { content: answer.content(), shown };
}

function textsOf(parts: readonly Part[], kind: "text" | "reasoning"): string {
  return parts.map((part) => part[kind] ?? "").join("");
}

describe("an answer", () => {
  it("has the same content however its stream was cut, and as if it had come whole", { timeout: 60_000 }, () => {
    fc.assert(
      fc.property(blocks, fc.infiniteStream(fc.nat()), (content, numbers) => {
        const pick = (below: number): number => (numbers.next().value ?? 0) % below;
        const streamed = contentOf(pieces(content, pick));
        expect(streamed.content).toEqual(contentOf(piecesOf(content)).content);
        for (const kind of ["text", "reasoning"] as const) {
          expect(textsOf(streamed.shown, kind)).toBe(textsOf(streamed.content, kind));
        }
        const others = (parts: readonly Part[]): Part[] =>
          parts.filter((part) => part.text === undefined && part.reasoning === undefined);
        expect(others(streamed.shown)).toEqual(others(streamed.content));
        JSON.stringify(streamed, (_key, value) => {
          if (typeof value === "string") expect(value).toBe(wellFormed(value));
          return value;
        });
      }),
    );
  });

  it("has its parts in the order in which they were begun, whenever they were complete", () => {
    const call = (id: string): StreamPart => ({ type: "tool-call", toolCallId: id, toolName: "t", input: "{}" });
    const { content, shown } = contentOf([
      { type: "tool-input-start", id: "a" },
      { type: "tool-input-start", id: "b" },
      { type: "text-delta", id: "1", delta: "x" },
      call("b"),
      call("a"),
    ]);
    const names = (parts: readonly Part[]) => parts.map(({ toolRequest, text }) => toolRequest?.ref ?? text);
    expect(names(content)).toEqual(["a", "b", "x"]);
    expect(names(shown)).toEqual(["x", "b", "a"]);
  });

  it("passes over pieces that it does not know", () => {
    const raw = { type: "raw", rawValue: {} } as unknown as StreamPart;
    expect(contentOf([raw, { type: "text-delta", id: "1", delta: "x" }, raw]).content).toEqual([{ text: "x" }]);
  });

  it("keeps what later versions of the specification add: reasoning files, custom content, approval requests", () => {
    const { content } = contentOf([
      { type: "reasoning-file", mediaType: "image/png", data: { type: "url", url: new URL("https://x.test/a") } },
      { type: "custom", kind: "p.thing", providerMetadata: { p: { id: "1" } } },
      { type: "tool-approval-request", approvalId: "a1", toolCallId: "c1" },
      { type: "file", mediaType: "text/plain", data: new TextEncoder().encode("hi") },
      { type: "tool-result", toolCallId: "c1", toolName: "t", result: "half", preliminary: true },
      { type: "tool-result", toolCallId: "c1", toolName: "t", result: "all", isError: true },
    ]);
    expect(content).toEqual([
      { media: { url: "https://x.test/a", contentType: "image/png" }, metadata: { reasoning: true } },
      {
        custom: { providerContent: { provider: "p.chat", kind: "p.thing" } },
        metadata: { providerMetadata: { p: { id: "1" } } },
      },
      { custom: { toolApprovalRequest: { id: "a1", ref: "c1" } } },
      { media: { url: "data:text/plain;base64,aGk=", contentType: "text/plain" } },
      { custom: { providerToolResult: { provider: "p.chat", name: "t", ref: "c1", result: "all", isError: true } } },
    ]);
  });
});
