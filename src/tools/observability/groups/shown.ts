import { iso } from "../../../system/clock.ts";
import { defined } from "../../../system/defined.ts";
import { DAY_MS, HOUR_MS } from "../../../system/durations.ts";
import type { ErrorDetailsDocument, ErrorGroupDocument, SeenRelease } from "../documents.ts";
import { DAYS, DAYS_IN_LISTS, type ErrorDetails, type ErrorGroup, HOURS } from "./contract.ts";
import { stateOf } from "./decision.ts";
import { type Series, upTo } from "./series.ts";
import { usersIn } from "./users.ts";

/** Returns a group as the API shows it. Groups from before details were stored have none. */
export function groupOf(
  fingerprint: string,
  group: ErrorGroupDocument,
  details: ErrorDetailsDocument | undefined,
  now: number,
): ErrorGroup {
  const { source, type, message, count, route, traceId, environments } = group;
  const { decision, regressedAt, releases } = group;
  const state = stateOf(group, now);
  const stack = details?.stack ?? group.stack;
  return {
    fingerprint,
    type,
    message,
    count,
    firstSeenAt: iso(group.firstSeenAt),
    lastSeenAt: iso(group.lastSeenAt),
    source,
    state,
    ...(regressedAt !== undefined && { regressedAt: iso(regressedAt) }),
    ...(decision && state !== "open" && { decision: decisionOf(decision) }),
    ...defined({ route }),
    ...(releases && { releases: releases.map(releaseOf) }),
    ...(environments && { environments }),
    ...(details?.users !== undefined && { usersAffected: usersIn(details.users) }),
    daily: shown(upTo(details?.daily, { now, unitMs: DAY_MS, most: DAYS_IN_LISTS }), DAY_MS),
    ...defined({ stack, traceId }),
  };
}

export function detailsOf(
  fingerprint: string,
  group: ErrorGroupDocument,
  details: ErrorDetailsDocument | undefined,
  now: number,
): ErrorDetails {
  return {
    ...groupOf(fingerprint, group, details, now),
    daily: shown(upTo(details?.daily, { now, unitMs: DAY_MS, most: DAYS }), DAY_MS),
    hourly: shown(upTo(details?.hourly, { now, unitMs: HOUR_MS, most: HOURS }), HOUR_MS),
    occurrences: (details?.occurrences ?? []).map(({ at, ...more }) => ({ at: iso(at), ...more })),
  };
}

function decisionOf({
  by,
  at,
  inNextRelease,
  untilCount,
  until,
}: NonNullable<ErrorGroupDocument["decision"]>) {
  return {
    by,
    at: iso(at),
    ...(inNextRelease && { inNextRelease }),
    ...defined({ untilCount }),
    ...(until !== undefined && { until: iso(until) }),
  };
}

function releaseOf({ name, count, firstSeenAt, lastSeenAt }: SeenRelease) {
  return { name, count, firstSeenAt: iso(firstSeenAt), lastSeenAt: iso(lastSeenAt) };
}

function shown({ from, counts }: Series, unitMs: number) {
  return { from: iso(from * unitMs), counts };
}
