/** Everything that the stream gives, once it has ended. Rejects when the stream fails. */
export async function collect<Item>(stream: AsyncIterable<Item>): Promise<Item[]> {
  const items: Item[] = [];
  for await (const item of stream) items.push(item);
  return items;
}

/**
 * What the stream gives up to and including the first item that `isLast` accepts; the stream is left there. Rejects when
 * the stream ends before, so that a test does not pass on half a stream.
 */
export async function collectUntil<Item>(
  stream: AsyncIterable<Item>,
  isLast: (item: Item) => boolean,
): Promise<Item[]> {
  const items: Item[] = [];
  for await (const item of stream) {
    items.push(item);
    if (isLast(item)) return items;
  }
  throw new Error(
    `The stream ended after ${items.length} items, and none of them was the last one that was waited for.`,
  );
}
