import { iso } from "../../system/clock.ts";
import type { Entry } from "./journal.ts";

/** The exact content of one request. */
export interface Batch {
  /** Idempotency key of the request, and for telemetry the batch's own id; absent until it is sealed. */
  id?: string;
  path: "/api/v1/events/batch" | "/api/v1/track";
  projectId?: string;
  body: unknown;
  /** Number of events. */
  events: number;
  /** When its oldest event happened, in ISO 8601. */
  oldestAt: string;
}

/** A batch, or part of one, that the server refused. */
export interface RefusedBatch extends Batch {
  /** ISO 8601. */
  refusedAt: string;
  error: string;
  detail: string;
  requestId?: string;
}

/** Below the server's limits of 1,000 events and 1 MiB. */
const MAX_EVENTS = 1000;
const MAX_BYTES = 768 * 1024;

/**
 * Groups entries into requests, in order: telemetry by project, in batches that the server accepts. Each unanswered
 * `track` gets a request of its own, because it goes to its own endpoint under its own key.
 */
export function batchesOf(entries: readonly Entry[], idOf: () => string | undefined): Batch[] {
  const groups: { first: Entry; events: WireEvent[]; bytes: number }[] = [];
  const open = new Map<string | undefined, (typeof groups)[number]>();
  for (const entry of entries) {
    if (!("event" in entry)) {
      groups.push({ first: entry, events: [], bytes: 0 });
      continue;
    }
    const event = wireEventOf(entry);
    const bytes = Buffer.byteLength(JSON.stringify(event));
    let group = open.get(entry.projectId);
    if (!group || group.events.length === MAX_EVENTS || group.bytes + bytes > MAX_BYTES) {
      group = { first: entry, events: [], bytes: 0 };
      groups.push(group);
      open.set(entry.projectId, group);
    }
    group.events.push(event);
    group.bytes += bytes;
  }
  return groups.map(({ first, events }) => {
    const { projectId } = first;
    const oldestAt = iso(first.at);
    if ("track" in first) {
      return { id: first.id, path: "/api/v1/track", projectId, body: first.track, events: 1, oldestAt };
    }
    const id = idOf();
    const body = { source: "tool-cli", ...(id !== undefined && { batch: { id } }), events };
    return { id, path: "/api/v1/events/batch", projectId, body, events: events.length, oldestAt };
  });
}

type WireEvent = ReturnType<typeof wireEventOf>;

function wireEventOf({ id, at, event }: Extract<Entry, { event: unknown }>) {
  return { id, timestamp: iso(at), ...event };
}
