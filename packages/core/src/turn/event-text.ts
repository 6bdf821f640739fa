import { AgentError } from "@agents/schema/error";
import type { Clock } from "@agents/schema/port";
import type { CustomEventType, Display, KnownEventType, Visibility } from "@agents/schema/wire";

export interface EventOptions {
  /** @default "agent" */
  readonly source?: string;
  /** @default "public" */
  readonly visibility?: Visibility;
  readonly display?: Display;
}

/**
 * Writes the events of one turn as JSON text. On the path of every chunk, so the text is put together around the parts
 * that differ: many times as fast as building the event and writing it out. Few pieces, because a log keeps each apart.
 */
export interface EventWriter {
  /** Throws where the data is nothing that JSON can hold. */
  write(seq: number, type: KnownEventType | CustomEventType, data: unknown, options?: EventOptions): string;
  /** The same for data that is JSON text already. */
  fromText(seq: number, type: KnownEventType, data: string): string;
}

export function createEventWriter(turnId: string, clock: Pick<Clock, "now">): EventWriter {
  const head = `{"turnId":${JSON.stringify(turnId)},"seq":`;
  return {
    write: (seq, type, data, options) =>
      head +
      seq +
      (options === undefined ? plainEnvelope(type) : envelope(type, options)) +
      dataText(data) +
      tail(clock),
    fromText: (seq, type, data) => `${head}${seq}${plainEnvelope(type)},"data":${data}${tail(clock)}`,
  };
}

/**
 * The same for whoever closes a turn that another process began and left: it does not know the turn's log. Readers take
 * id and number from the store.
 */
export function closingEventText(type: KnownEventType, data: unknown, clock: Pick<Clock, "now">): string {
  return `{${plainEnvelope(type).slice(1)}${dataText(data)}${tail(clock)}`;
}

/** What stands between number and data. */
function envelope(type: string, { source = "agent", visibility = "public", display }: EventOptions): string {
  const shown = display === undefined ? "" : `,"display":${JSON.stringify(display)}`;
  return `,"type":${JSON.stringify(type)},"source":${JSON.stringify(source)},"visibility":"${visibility}"${shown}`;
}

/** Most events are public and the agent's own. An application may have many types, so only ours are kept. */
const plain = new Map<string, string>();

function plainEnvelope(type: string): string {
  const known = plain.get(type);
  if (known !== undefined) return known;
  const made = envelope(type, {});
  if (!type.startsWith("custom.")) plain.set(type, made);
  return made;
}

function dataText(data: unknown): string {
  if (data === undefined) return "";
  try {
    return `,"data":${JSON.stringify(data)}`;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : "it cannot be written";
    throw new AgentError("INVALID_ARGUMENT", `A chunk or event is nothing that JSON can hold: ${reason}`, { cause });
  }
}

/** Of the last time that was written: events come many to a millisecond, and a date costs as much as an event. */
let dated = Number.NaN;
let lastTail = "";

function tail(clock: Pick<Clock, "now">): string {
  const now = clock.now();
  if (now !== dated) {
    lastTail = `,"createdAt":"${new Date(now).toISOString()}"}`;
    dated = now;
  }
  return lastTail;
}
