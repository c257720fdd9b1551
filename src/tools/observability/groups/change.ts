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

/** A group and the space that holds it: the project's, or for operators GLOBAL. */
export interface Located {
  fingerprint: string;
  space: Space;
  group: ErrorGroupDocument;
  details: ErrorDetailsDocument | undefined;
}

/** Finds a group. Throws `not_found` if none of the spaces has it. */
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

/** Returns the decision about a group; undefined reopens it. */
export type Decide = (group: ErrorGroupDocument) => Decision | undefined;

/** Decides about all of the groups, or throws a `Problem`. Returns them without their stacks. */
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

/** Throws `invalid_request` if `until` is not in the future. */
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

/** Deletes a group. Throws `not_found` if none of the spaces has it. */
export async function remove(tx: Transaction, spaces: readonly Space[], fingerprint: string): Promise<void> {
  const { space, group } = await locate(tx, spaces, fingerprint);
  await deleteGroup(tx, space, timeId(group.lastSeenAt, fingerprint));
}
