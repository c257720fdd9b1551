import { hash } from "node:crypto";
import type { Input, Output } from "../../contract/endpoint.ts";
import { type Fault, Problem } from "../../contract/problem.ts";
import { projectSpace, type Transaction } from "../../store/store.ts";
import { DAY_MS, MINUTE_MS } from "../../system/durations.ts";
import type { meteringContract } from "../contract.ts";
import { batchNote, readBatchNote } from "./batch-note.ts";
import { countUses, type Use } from "./counters.ts";
import { UsageIds } from "./ids.ts";
import type { Origin } from "./origins.ts";
import { type Delivered, usageTypeOf } from "./telemetry-event.ts";
import { namedTools, toolIn } from "./tool-names.ts";

type Batch = Input<typeof meteringContract.recordBatch>;
type BatchAnswer = Output<typeof meteringContract.recordBatch>;

const MAX_AHEAD_MS = 5 * MINUTE_MS;
const MAX_BEHIND_MS = 90 * DAY_MS;
/** Long enough that when an id is forgotten, its event's timestamp is too old to be counted. */
const REMEMBERED_MS = MAX_BEHIND_MS + MAX_AHEAD_MS + 1;

/** From 2001 to 2100. */
const FIRST_SECONDS = 1e9;
const LAST_SECONDS = 4.1e9;

/** The status of an event by the letter of its outcome. */
const STATUS = {
  a: "accepted",
  d: "duplicate",
  i: "ignored",
  /** Malformed. */
  m: "rejected",
  /** In the future. */
  f: "rejected",
  /** Too old. */
  o: "rejected",
} as const;
const UNTIMELY: { [outcome: string]: string } = {
  f: "is more than 5 minutes in the future",
  o: "is more than 90 days old",
};
type Outcome = keyof typeof STATUS;

interface Judged {
  outcome: Outcome;
  use?: Use;
  id?: string | undefined;
  faults?: Fault[];
}

/**
 * Counts a batch in one transaction, unless it was counted before. The answer is derived from the batch and the
 * outcomes of its events, so that a repeat gets the first answer.
 *
 * @param seed random
 */
export async function recordBatch(
  tx: Transaction,
  origin: Origin,
  { events, batch = {}, source }: Batch,
  { batchId, now, seed }: { batchId: string; now: number; seed: string },
): Promise<{ answer: BatchAnswer; replayed: boolean }> {
  const space = projectSpace(origin.accountId, origin.projectId);
  const judged = events.map((event) => judge(event, origin, now));
  const ids = await UsageIds.open(tx, space, { now, rememberedMs: REMEMBERED_MS, seed });
  if (batch.id === undefined) {
    await count(tx, ids, judged);
    await ids.write();
    return { answer: answerOf(judged, batchId), replayed: false };
  }
  const part = `${batch.id}#${batch.index ?? 0}`;
  const fingerprint = hash("sha256", JSON.stringify({ events, batch, source }), "base64url");
  const note = await ids.find("batch", part);
  const known = note === undefined ? undefined : readBatchNote(note);
  if (known && !fingerprint.startsWith(known.fingerprint)) {
    throw new Problem(
      "idempotency_mismatch",
      `The batch "${batch.id}" was sent before with other content. Send new events under a new batch.id.`,
    );
  }
  if (known) {
    judged.forEach((one, index) => {
      one.outcome = known.outcomes[index] as Outcome;
    });
  } else {
    await count(tx, ids, judged);
    const outcomes = judged.map(({ outcome }) => outcome).join("");
    await ids.add("batch", part, batchNote({ fingerprint, outcomes }));
    await ids.write();
  }
  return { answer: answerOf(judged, batchId), replayed: known !== undefined };
}

/** Determines an event's outcome as far as possible without the store. */
function judge(delivered: Delivered, origin: Origin, now: number): Judged {
  if ("faults" in delivered) return { outcome: "m", faults: delivered.faults };
  const { id, count, timestamp, payload, metadata, properties } = delivered.event;
  const type = usageTypeOf(delivered.event);
  if (!type) return { outcome: "i" };
  const at = typeof timestamp === "string" ? Date.parse(timestamp) : (timestamp ?? now);
  const tool = toolIn(payload, metadata, properties);
  const use = { type, count, at, origin: { ...origin, tool } };
  if (at > now + MAX_AHEAD_MS) return { outcome: "f", use };
  if (at >= now - MAX_BEHIND_MS) return { outcome: "a", use, id };
  return { outcome: "o", use, ...(typeof timestamp === "number" && inSeconds(timestamp)) };
}

/**
 * Explains a timestamp that is a time of our days if it is read as seconds, the usual unit outside JavaScript. It does
 * not depend on the present time, so that a repeat gets the same answer.
 */
function inSeconds(timestamp: number): { faults?: Fault[] } {
  if (timestamp < FIRST_SECONDS || timestamp > LAST_SECONDS) return {};
  const taken = `numbers are milliseconds since 1970, and ${timestamp} looks like seconds`;
  return { faults: [{ path: "timestamp", message: `${UNTIMELY.o}: ${taken}` }] };
}

/** Counts acceptable new events and adds their ids to `ids`. Marks the others as duplicates. */
async function count(tx: Transaction, ids: UsageIds, judged: readonly Judged[]): Promise<void> {
  const firsts = new Map<string, Judged>();
  for (const one of judged) {
    if (one.id === undefined) continue;
    if (firsts.has(one.id)) one.outcome = "d";
    else firsts.set(one.id, one);
  }
  await Promise.all(
    [...firsts].map(async ([id, one]) => {
      if ((await ids.find("event", id)) !== undefined) one.outcome = "d";
      else await ids.add("event", id);
    }),
  );
  const accepted = judged.flatMap(({ outcome, use }) => (outcome === "a" && use ? [use] : []));
  await countUses(tx, await namedTools(tx, accepted));
}

function answerOf(judged: readonly Judged[], batchId: string): BatchAnswer {
  const totals = { accepted: 0, ignored: 0, duplicate: 0, rejected: 0 };
  const usage: BatchAnswer["usage"] = {};
  const results = judged.map((one, index) => {
    const status = STATUS[one.outcome];
    totals[status] += 1;
    if (status === "rejected") return { index, status, error: errorOf(one, index) };
    if (!one.use) return { index, status };
    const { type, count } = one.use;
    if (status === "accepted") usage[type] = (usage[type] ?? 0) + count;
    return { index, status, type };
  });
  const { accepted, ignored, duplicate: duplicates, rejected } = totals;
  return { batchId, accepted, ignored, duplicates, rejected, usage, results };
}

function errorOf({ outcome, faults }: Judged, index: number): string {
  const found = faults ?? [{ path: "timestamp", message: UNTIMELY[outcome] }];
  return found
    .map(({ path, message }) => `events.${index}${path === "" ? "" : `.${path}`}: ${message}`)
    .join("; ");
}
