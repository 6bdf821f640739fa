/** What a provider said with an error. */
export interface RetrySource {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/**
 * How long the provider asks to wait, in milliseconds: from `retry-after-ms`, `retry-after` (seconds or a date, which is
 * compared with the provider's own clock), or the retry information in a Google error. Undefined if it did not say.
 */
export function retryAfterMs({ headers, body }: RetrySource): number | undefined {
  const after = headers["retry-after"];
  return (
    duration(headers["retry-after-ms"], 1) ??
    duration(after, 1000) ??
    until(after, headers["date"]) ??
    duration(googleDelay(body)?.replace(/s$/, ""), 1000)
  );
}

function duration(value: string | undefined, unitMs: number): number | undefined {
  if (value === undefined || value.trim() === "") return undefined;
  const ms = Number(value) * unitMs;
  return Number.isFinite(ms) && ms >= 0 ? Math.ceil(ms) : undefined;
}

function until(date: string | undefined, now: string | undefined): number | undefined {
  const ms = Date.parse(date ?? "") - Date.parse(now ?? "");
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}

/** `{ error: { details: [{ "@type": "…RetryInfo", retryDelay: "34.5s" }] } }`, with or without the outer object. */
function googleDelay(body: unknown): string | undefined {
  const outer = body as { error?: ErrorWithDetails } & ErrorWithDetails;
  const details = outer?.error?.details ?? outer?.details;
  if (!Array.isArray(details)) return undefined;
  const delay: unknown = details.find((detail) => typeof detail?.retryDelay === "string")?.retryDelay;
  return typeof delay === "string" ? delay : undefined;
}

interface ErrorWithDetails {
  readonly details?: readonly { readonly retryDelay?: unknown }[] | undefined;
}
