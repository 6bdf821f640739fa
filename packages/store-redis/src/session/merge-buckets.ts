import type { StoreContext } from "../context/store-context.ts";
import type { ListPlace } from "../record/page-cursor.ts";
import { toStoreError } from "../server/to-store-error.ts";

/** A session in an index: `order` is the time of its last change, `name` its id. */
export type IndexEntry = ListPlace;

export interface MergeOptions {
  readonly scope: string;
  /** The entry before the first. */
  readonly from: ListPlace | undefined;
  readonly limit: number;
}

/** The newest entries after a place, over the indexes of all buckets; fewer than asked for only at the end. */
export async function mergeBuckets(store: StoreContext, { scope, from, limit }: MergeOptions): Promise<IndexEntry[]> {
  const buckets = store.keys.indexes(scope);
  // A bucket rarely has much more than its share of a page; where it has, it is asked again for all it may have.
  const share = Math.min(limit, Math.ceil((2 * limit) / buckets.length) + 4);
  const parts = await Promise.all(buckets.map((index) => readBucket(store, { index, from, limit: share })));
  const newest = inOrder(parts).slice(0, limit);
  const last = newest.at(-1);
  const cut = parts.map(
    (part) => part.length === share && share < limit && reaches(part.at(-1), last, newest.length < limit),
  );
  if (!cut.includes(true)) return newest;
  const whole = await Promise.all(
    buckets.map((index, at) => (cut[at] === true ? readBucket(store, { index, from, limit }) : (parts[at] ?? []))),
  );
  return inOrder(whole).slice(0, limit);
}

/** Whether what a bucket did not tell might come before the end of the page. */
function reaches(end: IndexEntry | undefined, last: IndexEntry | undefined, isShort: boolean): boolean {
  return end !== undefined && last !== undefined && (isShort || compareEntries(end, last) <= 0);
}

interface BucketRead {
  readonly index: string;
  readonly from: ListPlace | undefined;
  readonly limit: number;
}

async function readBucket(store: StoreContext, { index, from, limit }: BucketRead): Promise<IndexEntry[]> {
  const entries: IndexEntry[] = [];
  // Entries of the same microsecond as the place may lie before it, so there may be less in a read than it asked for.
  for (let skip = 0; entries.length < limit; skip += limit) {
    const range = [
      from === undefined ? "+inf" : String(from.order),
      "-inf",
      "WITHSCORES",
      "LIMIT",
      String(skip),
      String(limit),
    ];
    const read = await readRange(store, index, range);
    for (const entry of read) if (from === undefined || compareEntries(entry, from) > 0) entries.push(entry);
    if (read.length < limit) break;
  }
  return entries.slice(0, limit);
}

async function readRange(store: StoreContext, index: string, range: readonly string[]): Promise<IndexEntry[]> {
  try {
    const flat = (await store.send(index, ["ZREVRANGEBYSCORE", index, ...range])) as readonly unknown[];
    return toEntries(flat);
  } catch (error) {
    throw toStoreError(error);
  }
}

/** RESP 2 has names and scores in turn, RESP 3 pairs of them. */
function toEntries(flat: readonly unknown[]): IndexEntry[] {
  const entries: IndexEntry[] = [];
  const parts = flat.flat();
  for (let at = 0; at < parts.length; at += 2) entries.push({ name: String(parts[at]), order: Number(parts[at + 1]) });
  return entries;
}

function inOrder(parts: readonly (readonly IndexEntry[])[]): IndexEntry[] {
  return parts.flat().sort(compareEntries);
}

/** The later first; of the same time in the reverse order of their bytes, as the server has them. */
function compareEntries(a: IndexEntry, b: IndexEntry): number {
  return b.order - a.order || Buffer.compare(Buffer.from(b.name), Buffer.from(a.name));
}
