import type { Media } from "@agents/schema/agent";
import { AgentError } from "@agents/schema/error";
import type { FileData, FileDataV4, ProviderModel, SupportedUrls } from "../provider/provider-model.ts";

/** Fetches what a URL stands for. `data` is bytes, or base64. */
export type LoadMedia = (
  media: Media,
  call: { readonly signal: AbortSignal },
) => Promise<{ readonly data: Uint8Array | string; readonly contentType?: string }>;

export interface LoadedFile {
  readonly mediaType: string;
  readonly data: FileData;
}

export interface FileDataOptions {
  readonly media: Media;
  readonly model: Pick<ProviderModel, "supportedUrls">;
  readonly loadMedia: LoadMedia | undefined;
  readonly signal: AbortSignal;
}

/**
 * A file as the provider takes it: the bytes of a data URL, a URL that the provider reads itself, or what `loadMedia`
 * makes of any other. Without `loadMedia` an http(s) URL is left to the provider: this process never fetches a URL that
 * somebody wrote into a message. Rejects with INVALID_ARGUMENT for a URL that nobody can read.
 */
export async function toFileData({ media, model, loadMedia, signal }: FileDataOptions): Promise<LoadedFile> {
  if (media.url.startsWith("data:")) return fromDataUrl(media);
  const url = URL.canParse(media.url) ? new URL(media.url) : undefined;
  const mediaType = media.contentType ?? "image/*";
  if (url !== undefined && isRead(url, mediaType, await model.supportedUrls)) return { mediaType, data: url };
  if (loadMedia !== undefined) {
    const { data, contentType } = await loadMedia(media, { signal });
    return { mediaType: contentType ?? mediaType, data };
  }
  if (url?.protocol === "https:" || url?.protocol === "http:") return { mediaType, data: url };
  throw new AgentError(
    "INVALID_ARGUMENT",
    `The model cannot read the media URL ${shorten(media.url)}. Give createAiSdkModel a loadMedia that can, or send a data: URL.`,
    { details: { url: shorten(media.url) } },
  );
}

/** In the fourth version data says what it is. */
export function tagged(data: FileData): FileDataV4 {
  return data instanceof URL ? { type: "url", url: data } : { type: "data", data };
}

function fromDataUrl({ url, contentType }: Media): LoadedFile {
  const comma = url.indexOf(",");
  if (comma < 0) {
    throw new AgentError("INVALID_ARGUMENT", `The data URL ${shorten(url)} has no comma before its data.`);
  }
  const [type, ...parameters] = url.slice("data:".length, comma).split(";");
  const mediaType = contentType ?? (type || "text/plain");
  const data = url.slice(comma + 1);
  if (parameters.at(-1)?.trim().toLowerCase() === "base64") return { mediaType, data };
  try {
    return { mediaType, data: new TextEncoder().encode(decodeURIComponent(data)) };
  } catch {
    throw new AgentError("INVALID_ARGUMENT", `The data URL ${shorten(url)} is not percent-encoded UTF-8; use base64.`);
  }
}

/** Patterns are by media type, which may end in a wildcard, and meant for URLs in lower case. */
function isRead(url: URL, mediaType: string, patterns: SupportedUrls): boolean {
  const [kind] = mediaType.split("/");
  return Object.entries(patterns).some(
    ([pattern, urls]) =>
      (pattern === "*" || pattern === "*/*" || pattern === mediaType || pattern === `${kind}/*`) &&
      urls.some((expression) => expression.test(url.href.toLowerCase())),
  );
}

function shorten(url: string): string {
  return url.length > 80 ? `${url.slice(0, 80)}…` : url;
}
