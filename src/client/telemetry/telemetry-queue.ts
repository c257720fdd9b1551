import { join } from "node:path";
import { Problem } from "../../contract/problem.ts";
import type { Clock } from "../../system/clock.ts";
import type { Random } from "../../system/random.ts";
import { readJson, remove, writeJson } from "../private-files.ts";
import type { RouteInput } from "../routes.ts";
import { fileNameOf } from "../transport/base-url.ts";
import { countAside } from "./aside.ts";
import { readBatch, readRefused, refusedFiles } from "./batch-files.ts";
import { type Batch, batchesOf, type RefusedBatch } from "./batches.ts";
import { hold, letGo, moveToJournal } from "./held.ts";
import { append, type Entry } from "./journal.ts";
import { createProcessLock } from "./process-lock.ts";
import {
  countWaiting,
  dropOldest,
  droppedFrom,
  forgetDropped,
  isEmpty,
  mayExceed,
  sealedBatches,
  unsealedEntries,
} from "./sealing.ts";
import { clearTrouble, isBackingOff, type Trouble, troubleIn } from "./trouble.ts";

/** The telemetry part of the signed policy. */
export interface TelemetryPolicy {
  enabled: boolean;
  flushAt: number;
  flushIntervalSeconds: number;
  maxQueueEvents: number;
}

export interface NewEvent {
  /** The type, such as `api.call`. */
  event: string;
  count?: number;
  payload?: Record<string, unknown>;
  /** Milliseconds since the epoch; now by default. */
  at?: number;
  /** Overrides the queue's own project; null names none. */
  projectId?: string | null;
}

/** A usage event of `tool track`. */
export interface TrackedUse {
  /** The Idempotency-Key it is sent with. */
  idempotencyKey: string;
  body: RouteInput<"POST /api/v1/track">;
  projectId?: string;
}

/** Why telemetry is off. */
export type Off = "DO_NOT_TRACK" | "settings" | "policy";

export type Recorded = { recorded: true; id: string } | { recorded: false; off: Off };

/** A use that is already in the queue while its process asks the server about it. */
export interface HeldUse {
  recorded: true;
  id: string;
  /** Deletes the use, because the server answered for it or it is not to be sent. */
  settle(): void;
  /** Leaves the use to a sender, because no answer came. `never` means that the server cannot have counted it. */
  leave(delivery: "never" | "unknown"): void;
}

export interface QueueContents {
  /** Oldest first: sealed batches, then the unsealed events grouped as they would be sealed now. */
  batches: Batch[];
  /** What the server refused, with its reasons. */
  refused: RefusedBatch[];
  /** Number of waiting events. */
  events: number;
  /** Number of events that wait for another account of the user's to be the current one. */
  aside: number;
  /** Number of events dropped because the queue was full, since the count was last discarded. */
  dropped: number;
  off?: Off;
  policy: TelemetryPolicy;
  /** Why the last sending failed, and when the next one is due. */
  trouble?: Trouble;
  directory: string;
}

export interface QueueOptions {
  /** The directory of one server's queue, created with the first event, mode 0700. */
  directory: string;
  clock: Pick<Clock, "now">;
  random: Random;
  /** The user's opt-out from the settings. If set, nothing is written. */
  off?: "DO_NOT_TRACK" | "settings";
  /** `X-Project-Id` of events that name none. */
  projectId?: string;
}

/** The queue of one server. Every method is synchronous and fast, because commands record while they exit. */
export interface TelemetryQueue {
  record(event: NewEvent): Recorded;
  /** Returns why nothing would be written, if telemetry is off. */
  off(): Off | undefined;
  /** Stores a usage event before it is sent, so that it is sent later even if this process dies. */
  hold(use: TrackedUse): HeldUse | Extract<Recorded, { recorded: false }>;
  contents(): QueueContents;
  /** Whether a sender should be started: something waits, no sender is alive, and no backoff is running. */
  senderNeeded(): boolean;
  /** Stores the policy that the server signed. */
  adopt(policy: TelemetryPolicy): void;
  /** Deletes refused batches and the count of dropped events, and returns how many events either had. */
  discard(): { refused: number; dropped: number };
  /** Ends a backoff, after `login`. */
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

/** Telemetry names of the usage types. A use that cannot have been counted is sent as a dated event. */
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
    // If a sender holds the lock, it enforces the bound itself.
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
          // A running sender may already have the entry, so it is left unchanged.
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
        aside: countAside(directory),
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

    discard() {
      const files = refusedFiles(directory);
      const dropped = droppedFrom(directory);
      for (const { name } of files) remove(directory, name);
      forgetDropped(directory);
      return { refused: files.reduce((total, { events }) => total + events, 0), dropped };
    },

    wake: () => clearTrouble(directory),
  };
}

/** Returns the directory of one server's queue, below the user's data directory. */
export function queueDirectory(dataDirectory: string, baseUrl: string): string {
  return join(dataDirectory, "queue", fileNameOf(baseUrl));
}

/** Returns the policy last adopted in a queue directory. */
export function policyIn(directory: string): TelemetryPolicy {
  const known = Object.entries(readJson<TelemetryPolicy>(directory, POLICY) ?? {});
  const isSame = ([name, value]: [string, unknown]) =>
    typeof value === typeof DEFAULT_POLICY[name as keyof TelemetryPolicy];
  return { ...DEFAULT_POLICY, ...Object.fromEntries(known.filter(isSame)) };
}

/** Returns the lock that the one detached sender of a queue holds during its whole life. */
export function senderLock(directory: string, clock: Pick<Clock, "now">) {
  return createProcessLock(directory, "sender", clock);
}

/** Returns the lock that is held while batches are sealed, dropped or sent. */
export function sendingLock(directory: string, clock: Pick<Clock, "now">) {
  return createProcessLock(directory, "sending", clock);
}
