import { invalidRequest } from "../../../contract/faults.ts";
import { Problem } from "../../../contract/problem.ts";
import type { Space, Transaction } from "../../../store/store.ts";
import { defined } from "../../../system/defined.ts";
import {
  type ErrorDetailsDocument,
  type ErrorGroupDocument,
  errorDetails,
  errorGroups,
  timeId,
} from "../documents.ts";
import { deleteGroup, lifetimeOf, putGroup } from "../record.ts";
import type { ErrorGroup } from "./contract.ts";
import type { Decision } from "./decision.ts";
import { groupOf } from "./shown.ts";

/** A group where it was found: a project's own, or for operators one of nobody. */
export interface Located {
  fingerprint: string;
  space: Space;
  group: ErrorGroupDocument;
  details: ErrorDetailsDocument | undefined;
}

/** Throws `not_found` where none of the spaces has it. */
export async function locate(
  tx: Transaction,
  spaces: readonly Space[],
  fingerprint: string,
): Promise<Located> {
  for (const space of spaces) {
    const group = await tx.get(errorGroups, space, fingerprint);
    if (group) return { fingerprint, space, group, details: await tx.get(errorDetails, space, fingerprint) };
  }
  throw new Problem("not_found", `There is no error ${fingerprint} in this project.`);
}

/** What is decided about a group; undefined opens it again. */
export type Decide = (group: ErrorGroupDocument) => Decision | undefined;

/** Decides about all of some groups, which it gives without their stacks, or throws a `Problem`. */
export async function decideAll(
  tx: Transaction,
  spaces: readonly Space[],
  { fingerprints, decide, now }: { fingerprints: readonly string[]; decide: Decide; now: number },
): Promise<ErrorGroup[]> {
  const items: ErrorGroup[] = [];
  for (const fingerprint of new Set(fingerprints)) {
    const { space, group, details } = await locate(tx, spaces, fingerprint);
    const { decision: _, ...undecided } = group;
    const decision = decide(group);
    const changed = decision ? { ...undecided, decision } : undecided;
    await putGroup(tx, space, fingerprint, changed, group.lastSeenAt);
    if (details) await tx.put(errorDetails, space, fingerprint, details, lifetimeOf(changed));
    const { stack: _stack, ...shown } = groupOf(fingerprint, changed, details, now);
    items.push(shown);
  }
  return items;
}

export function resolving(
  { inNextRelease }: { inNextRelease?: boolean | undefined },
  { by, now }: { by: string; now: number },
): Decide {
  return ({ type, releases }) => {
    if (inNextRelease && !releases) {
      throw new Problem(
        "unprocessable",
        `${type} was seen without a release, so a next one cannot be recognised. Give Sentry's SDK one (Sentry.init({ release })), or resolve it without inNextRelease.`,
      );
    }
    return { state: "resolved", by, at: now, ...(inNextRelease && { inNextRelease }) };
  };
}

/** Throws `invalid_request` where the time to wait for has gone by. */
export function ignoring(
  { more, until }: { more?: number | undefined; until?: number | undefined },
  { by, now }: { by: string; now: number },
): Decide {
  if (until !== undefined && until <= now) {
    throw invalidRequest([{ path: "until", message: "must be in the future" }]);
  }
  return ({ count }) => ({
    state: "ignored",
    by,
    at: now,
    ...(more !== undefined && { untilCount: count + more }),
    ...defined({ until }),
  });
}

/** Throws `not_found`. */
export async function remove(tx: Transaction, spaces: readonly Space[], fingerprint: string): Promise<void> {
  const { space, group } = await locate(tx, spaces, fingerprint);
  await deleteGroup(tx, space, timeId(group.lastSeenAt, fingerprint));
}
