import type { Metadata, Part } from "@agents/schema/agent";
import type { ToolAnswer } from "@agents/schema/port";
import type { CallToolResult, ContentBlock } from "@modelcontextprotocol/sdk/types.js";

/**
 * What the model is given: the structured content where there is one, else the text, else everything as parts (images,
 * audio and binary resources as `data:` URLs). An error result is a correction: the server tells the model by it.
 */
export function readAnswer({ content, structuredContent, isError }: CallToolResult): ToolAnswer {
  const text = content.every(isText) ? content.map((block) => block.text).join("\n") : undefined;
  if (isError === true) {
    const said =
      text ??
      content
        .filter(isText)
        .map((block) => block.text)
        .join("\n");
    const rest =
      structuredContent ?? (text === undefined ? content.filter((block) => !isText(block)).map(toPart) : undefined);
    const message = said || "The tool reports an error and does not say which.";
    return { type: "correction", message, ...(rest === undefined ? {} : { details: rest }) };
  }
  return { type: "output", output: structuredContent ?? text ?? content.map(toPart) };
}

function isText(block: ContentBlock): block is Extract<ContentBlock, { type: "text" }> {
  return block.type === "text";
}

function toPart(block: ContentBlock): Part {
  switch (block.type) {
    case "text":
      return { text: block.text };
    case "image":
    case "audio":
      return { media: { url: dataUrl(block.mimeType, block.data), contentType: block.mimeType } };
    case "resource_link": {
      const { type: _, ...resource } = block;
      return { data: { resource } };
    }
    case "resource": {
      const { uri, mimeType } = block.resource;
      const metadata: Metadata = { resource: mimeType === undefined ? { uri } : { uri, mimeType } };
      if ("text" in block.resource) return { text: block.resource.text, metadata };
      const contentType = mimeType ?? "application/octet-stream";
      return { media: { url: dataUrl(contentType, block.resource.blob), contentType }, metadata };
    }
  }
}

function dataUrl(contentType: string, base64: string): string {
  return `data:${contentType};base64,${base64}`;
}
