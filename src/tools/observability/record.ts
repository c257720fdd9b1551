import type { Space, Transaction } from "../../store/store.ts";
import { defined } from "../../system/defined.ts";
import { DAY_MS, HOUR_MS } from "../../system/durations.ts";
import {
  type ErrorDetailsDocument,
  type ErrorGroupDocument,
  errorDetails,
  errorGroups,
  errorGroupsByTime,
  errorReleases,
  fingerprintIn,
  type OccurrenceDocument,
  type SeenRelease,
  timeId,
} from "./documents.ts";
import { DAYS, HOURS, MAX_OCCURRENCES, type Source } from "./groups/contract.ts";
import { type StateChange, stateChangeOf } from "./groups/decision.ts";
import { counted } from "./groups/series.ts";
import { withUser } from "./groups/users.ts";
import type { Occurrence } from "./occurrence.ts";

/** Maximum number of groups of a project. A new one then displaces the least recently seen; see `makeRoom`. */
export const MAX_GROUPS = 1000;
/** How long a group is kept after its error was last seen. */
export const KEPT_MS = 30 * DAY_MS;
/** The same for a group that is resolved or ignored, so that it is recognised when it comes back. */
const KEPT_DECIDED_MS = 90 * DAY_MS;
/** Maximum number of releases of a group. The first is always kept. */
const MAX_RELEASES = 10;
const MAX_ENVIRONMENTS = 10;
/** Maximum number of known releases of a project. Anyone who knows its DSN can invent them. */
const MAX_KNOWN_RELEASES = 100;

/** A change of a group's state by an occurrence, for alerts. */
export interface GroupTurn {
  turn: StateChange;
  fingerprint: string;
  group: ErrorGroupDocument;
}

/** Adds an occurrence to its group. Returns the change of the group's state, if there is one. */
export async function record(
  tx: Transaction,
  space: Space,
  occurrence: Occurrence,
): Promise<GroupTurn | undefined> {
  const { fingerprint, source, count, firstAt, lastAt, release, environment } = occurrence;
  const before = await tx.get(errorGroups, space, fingerprint);
  if (!before) await makeRoom(tx, space, source);
  const releaseKnownAt = release === undefined ? undefined : await knownAt(tx, space, release, lastAt);
  const newest = !before || before.lastSeenAt <= lastAt;
  const { decision, regressedAt, stack: stackBefore } = before ?? {};
  const releases = release === undefined ? before?.releases : withRelease(before?.releases, occurrence);
  const environments =
    environment === undefined ? before?.environments : withEnvironment(before?.environments, environment);
  const group: ErrorGroupDocument = {
    ...wordsOf(newest ? occurrence : before),
    count: (before?.count ?? 0) + count,
    firstSeenAt: Math.min(before?.firstSeenAt ?? firstAt, firstAt),
    lastSeenAt: Math.max(before?.lastSeenAt ?? lastAt, lastAt),
    ...(releases && { releases }),
    ...(environments && { environments }),
  };
  const decided = decision && { count: group.count, decision };
  const turn = before ? decided && stateChangeOf(decided, { at: lastAt, releaseKnownAt }) : "new";
  if (!turn && decision) group.decision = decision;
  const isBackAt = turn === "regressed" ? lastAt : regressedAt;
  if (isBackAt !== undefined) group.regressedAt = isBackAt;
  await putGroup(tx, space, fingerprint, group, before?.lastSeenAt);
  const details = await tx.get(errorDetails, space, fingerprint);
  const { stack, places } = newest ? occurrence : { stack: stackBefore, ...details };
  const known = detailsWith(details, occurrence, { stack, places });
  await tx.put(errorDetails, space, fingerprint, known, lifetimeOf(group));
  return turn && { turn, fingerprint, group };
}

/** Writes a group, and its place in the order of time. */
export async function putGroup(
  tx: Transaction,
  space: Space,
  fingerprint: string,
  group: ErrorGroupDocument,
  seenBefore: number | undefined,
): Promise<void> {
  const lifetime = lifetimeOf(group);
  if (seenBefore !== undefined && seenBefore !== group.lastSeenAt) {
    await tx.delete(errorGroupsByTime, space, timeId(seenBefore, fingerprint));
  }
  await tx.put(errorGroups, space, fingerprint, group, lifetime);
  const { source } = group;
  await tx.put(errorGroupsByTime, space, timeId(group.lastSeenAt, fingerprint), { source }, lifetime);
}

export async function deleteGroup(tx: Transaction, space: Space, id: string): Promise<void> {
  await tx.delete(errorGroupsByTime, space, id);
  await tx.delete(errorGroups, space, fingerprintIn(id));
  await tx.delete(errorDetails, space, fingerprintIn(id));
}

export function lifetimeOf({ lastSeenAt, decision }: ErrorGroupDocument): { expiresAt: number } {
  return { expiresAt: lastSeenAt + (decision ? KEPT_DECIDED_MS : KEPT_MS) };
}

type Words = Pick<ErrorGroupDocument, "source" | "type" | "message" | "route" | "traceId">;

function wordsOf({ source, type, message, route, traceId }: Words): Words {
  return {
    source,
    type,
    message,
    ...defined({ route, traceId }),
  };
}

function detailsWith(
  before: ErrorDetailsDocument | undefined,
  occurrence: Occurrence,
  { stack, places }: Pick<Occurrence, "stack" | "places">,
): ErrorDetailsDocument {
  const { lastAt: at, count: by, user, eventId, release, environment, traceId, tags } = occurrence;
  const seen: OccurrenceDocument = {
    at,
    ...defined({ eventId, release, environment, traceId }),
    ...(tags && { tags }),
  };
  const occurrences = [seen, ...(before?.occurrences ?? [])].sort((left, right) => right.at - left.at);
  const users = user === undefined ? before?.users : withUser(before?.users, user);
  return {
    ...defined({ stack }),
    ...(places && { places }),
    hourly: counted(before?.hourly, { at, by, unitMs: HOUR_MS, most: HOURS }),
    daily: counted(before?.daily, { at, by, unitMs: DAY_MS, most: DAYS }),
    occurrences: occurrences.slice(0, MAX_OCCURRENCES),
    ...defined({ users }),
  };
}

function withRelease(
  before: readonly SeenRelease[] = [],
  { release: name = "", count, firstAt, lastAt }: Occurrence,
): SeenRelease[] {
  const known = before.find((each) => each.name === name);
  const seen: SeenRelease = {
    name,
    count: (known?.count ?? 0) + count,
    firstSeenAt: Math.min(known?.firstSeenAt ?? firstAt, firstAt),
    lastSeenAt: Math.max(known?.lastSeenAt ?? lastAt, lastAt),
  };
  const all = [...before.filter((each) => each !== known), seen];
  const [first, ...later] = all.sort((left, right) => left.firstSeenAt - right.firstSeenAt);
  if (!first || later.length < MAX_RELEASES) return all;
  const [gone] = [...later].sort((left, right) => left.lastSeenAt - right.lastSeenAt);
  return [first, ...later.filter((each) => each !== gone)];
}

function withEnvironment(before: readonly string[] = [], environment: string): string[] {
  if (before.includes(environment)) return [...before];
  return [...before, environment].slice(-MAX_ENVIRONMENTS);
}

/** Returns when a release was first reported, and records a new one. */
export async function knownAt(tx: Transaction, space: Space, release: string, now: number): Promise<number> {
  const known = await tx.get(errorReleases, space, release);
  if (known) return known.knownAt;
  const all = await tx.list(errorReleases, space, { limit: MAX_KNOWN_RELEASES });
  const [oldest] = all.sort((left, right) => left.value.knownAt - right.value.knownAt);
  if (oldest && all.length === MAX_KNOWN_RELEASES) await tx.delete(errorReleases, space, oldest.id);
  await tx.put(errorReleases, space, release, { knownAt: now });
  return now;
}

/**
 * Deletes the oldest group of a full space, preferably one of the same source. Anyone can report under a
 * public key, so that invented errors displace other client errors before the server's own.
 */
async function makeRoom(tx: Transaction, space: Space, source: Source): Promise<void> {
  const kept = await tx.list(errorGroupsByTime, space, { limit: MAX_GROUPS });
  if (kept.length < MAX_GROUPS) return;
  const oldest = kept.find(({ value }) => value.source === source) ?? kept[0];
  if (oldest) await deleteGroup(tx, space, oldest.id);
}
