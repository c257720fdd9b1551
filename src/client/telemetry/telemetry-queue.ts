import { join } from "node:path";
import { Problem } from "../../contract/problem.ts";
import type { Clock } from "../../system/clock.ts";
import type { Random } from "../../system/random.ts";
import { readJson, remove, writeJson } from "../private-files.ts";
import type { RouteInput } from "../routes.ts";
import { fileNameOf } from "../transport/base-url.ts";
import { readBatch, readRefused, refusedFiles } from "./batch-files.ts";
import { type Batch, batchesOf, type RefusedBatch } from "./batches.ts";
import { hold, letGo, moveToJournal } from "./held.ts";
import { append, type Entry } from "./journal.ts";
import { createProcessLock } from "./process-lock.ts";
import {
  countWaiting,
  dropOldest,
  droppedFrom,
  isEmpty,
  mayExceed,
  sealedBatches,
  unsealedEntries,
} from "./sealing.ts";
import { clearTrouble, isBackingOff, type Trouble, troubleIn } from "./trouble.ts";

/** From the signed policy. */
export interface TelemetryPolicy {
  enabled: boolean;
  flushAt: number;
  flushIntervalSeconds: number;
  maxQueueEvents: number;
}

export interface NewEvent {
  /** Such as `api.call`. */
  event: string;
  count?: number;
  payload?: Record<string, unknown>;
  /** Milliseconds since the epoch; now unless said. */
  at?: number;
  /** Instead of the queue's own; null names none. */
  projectId?: string | null;
}

/** A usage event of `tool track`. */
export interface TrackedUse {
  /** The Idempotency-Key that it is sent with. */
  idempotencyKey: string;
  body: RouteInput<"POST /api/v1/track">;
  projectId?: string;
}

/** Why nothing was written. */
export type Off = "DO_NOT_TRACK" | "settings" | "policy";

export type Recorded = { recorded: true; id: string } | { recorded: false; off: Off };

/** What waits in the queue already, while its process asks the server about it. */
export interface HeldUse {
  recorded: true;
  id: string;
  /** The server answered for it, or nobody wants it sent. */
  settle(): void;
  /** No answer came, and a sender is to go on. `never` says that the server cannot have counted it. */
  leave(delivery: "never" | "unknown"): void;
}

export interface QueueContents {
  /** Oldest first: sealed batches, then what is not sealed yet as it would be sealed now. */
  batches: Batch[];
  /** What the server did not take, with its reasons. */
  refused: RefusedBatch[];
  /** Waiting events. */
  events: number;
  /** Dropped so far because the queue was full. */
  dropped: number;
  off?: Off;
  policy: TelemetryPolicy;
  /** Why the last sending failed, and when the next is due. */
  trouble?: Trouble;
  directory: string;
}

export interface QueueOptions {
  /** One server's queue; made with the first event, 0700. */
  directory: string;
  clock: Pick<Clock, "now">;
  random: Random;
  /** From the settings: nothing is written. */
  off?: "DO_NOT_TRACK" | "settings";
  /** `X-Project-Id` of events that name none. */
  projectId?: string;
}

/** Everything is synchronous and quick, since commands record on their way out. */
export interface TelemetryQueue {
  record(event: NewEvent): Recorded;
  /** Why nothing would be written. */
  off(): Off | undefined;
  /** Writes a usage event down before it is sent: it goes out later whatever happens to this process. */
  hold(use: TrackedUse): HeldUse | Extract<Recorded, { recorded: false }>;
  contents(): QueueContents;
  /** True when a sender should be started: something waits, none is alive, and no backoff runs. */
  senderNeeded(): boolean;
  /** Remembers the policy that the server signed. */
  adopt(policy: TelemetryPolicy): void;
  /** Deletes refused batches; the number of their events. */
  discardRefused(): number;
  /** After `login`: ends a backoff. */
  wake(): void;
}

const POLICY = "policy.json";
const DEFAULT_POLICY: TelemetryPolicy = {
  enabled: true,
  flushAt: 20,
  flushIntervalSeconds: 10,
  maxQueueEvents: 100_000,
};
const MAX_PAYLOAD_BYTES = 16 * 1024;

/** Telemetry names of the usage types: what cannot have been counted goes out as a dated event. */
const EVENT_OF_TYPE: Record<TrackedUse["body"]["type"], string> = {
  api_calls: "api.call",
  agents_invoked: "agent.invoked",
  skills_accessed: "skill.accessed",
  workflows_started: "workflow.started",
  mcp_calls: "mcp.call",
};

export function createTelemetryQueue({
  directory,
  clock,
  random,
  off,
  projectId,
}: QueueOptions): TelemetryQueue {
  const offNow = (): Off | undefined => off ?? (policyIn(directory).enabled ? undefined : "policy");

  function add(entry: Entry): Recorded {
    const reason = offNow();
    if (reason) return { recorded: false, off: reason };
    append(directory, entry);
    boundQueue();
    return { recorded: true, id: entry.id };
  }

  function boundQueue(): void {
    const { maxQueueEvents } = policyIn(directory);
    if (!mayExceed(directory, maxQueueEvents) || countWaiting(directory) <= maxQueueEvents) return;
    // Where a sender has the lock, it sees to the bound itself.
    const release = sendingLock(directory, clock).acquire();
    if (!release) return;
    try {
      dropOldest(directory, maxQueueEvents, random);
    } finally {
      release();
    }
  }

  return {
    record({ event, count, payload, at = clock.now(), projectId: named = projectId }) {
      if (payload && Buffer.byteLength(JSON.stringify(payload)) > MAX_PAYLOAD_BYTES) {
        throw new Problem("invalid_request", "An event's payload must have at most 16 KiB.");
      }
      return add({
        id: random.id("evt"),
        at,
        projectId: named ?? undefined,
        event: { event, count, payload },
      });
    },

    hold({ idempotencyKey: id, body, projectId: named = projectId }) {
      const off = offNow();
      if (off) return { recorded: false, off };
      const entry = { id, at: clock.now(), projectId: named };
      const event = EVENT_OF_TYPE[body.type];
      hold(directory, { ...entry, track: body });
      return {
        recorded: true,
        id,
        settle: () => letGo(directory, id),
        leave(delivery) {
          // Where a sender is at work it may have it by now, and what it has stays as it is.
          const release = sendingLock(directory, clock).acquire();
          if (!release) return;
          try {
            const dated = { ...entry, event: { event, count: body.count, payload: body.metadata } };
            moveToJournal(directory, delivery === "never" ? dated : { ...entry, track: body });
          } finally {
            release();
          }
          boundQueue();
        },
      };
    },

    off: offNow,

    contents() {
      const sealed = sealedBatches(directory).flatMap((file) => readBatch(directory, file) ?? []);
      const unsealed = batchesOf(unsealedEntries(directory), () => undefined);
      const batches = [...sealed, ...unsealed];
      return {
        batches,
        refused: readRefused(directory),
        events: batches.reduce((total, { events }) => total + events, 0),
        dropped: droppedFrom(directory),
        off: offNow(),
        policy: policyIn(directory),
        trouble: troubleIn(directory),
        directory,
      };
    },

    senderNeeded: () =>
      offNow() === undefined &&
      !isEmpty(directory) &&
      !isBackingOff(directory, clock) &&
      !senderLock(directory, clock).isHeld(),

    adopt(policy) {
      const known = readJson<TelemetryPolicy>(directory, POLICY);
      if (JSON.stringify(policy) !== JSON.stringify(known)) writeJson(directory, POLICY, policy);
    },

    discardRefused() {
      const files = refusedFiles(directory);
      for (const { name } of files) remove(directory, name);
      return files.reduce((total, { events }) => total + events, 0);
    },

    wake: () => clearTrouble(directory),
  };
}

/** One server's queue below the user's data directory. */
export function queueDirectory(dataDirectory: string, baseUrl: string): string {
  return join(dataDirectory, "queue", fileNameOf(baseUrl));
}

/** The policy that was last adopted in a queue directory. */
export function policyIn(directory: string): TelemetryPolicy {
  return { ...DEFAULT_POLICY, ...readJson<TelemetryPolicy>(directory, POLICY) };
}

/** Held by the one detached sender of a queue, from its start to its end. */
export function senderLock(directory: string, clock: Pick<Clock, "now">) {
  return createProcessLock(directory, "sender", clock);
}

/** Held while batches are sealed, dropped or sent. */
export function sendingLock(directory: string, clock: Pick<Clock, "now">) {
  return createProcessLock(directory, "sending", clock);
}
