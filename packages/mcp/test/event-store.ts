import type { EventStore } from "@modelcontextprotocol/sdk/server/streamableHttp.js";

type Message = Parameters<EventStore["storeEvent"]>[1];

/** What a server keeps of its streams, so that they can be resumed. */
export function createEventStore(): EventStore {
  const events: { readonly streamId: string; readonly message: Message }[] = [];
  return {
    async storeEvent(streamId, message) {
      return String(events.push({ streamId, message }) - 1);
    },
    async replayEventsAfter(lastEventId, { send }) {
      const after = Number(lastEventId);
      const streamId = events[after]?.streamId ?? "";
      for (const [index, event] of events.entries()) {
        if (index <= after || event.streamId !== streamId || Object.keys(event.message).length === 0) continue;
        await send(String(index), event.message);
      }
      return streamId;
    },
  };
}
