import { invalidRequest } from "../../../contract/faults.ts";
import type { Problem } from "../../../contract/problem.ts";
import { overloaded } from "../../../contract/retry-later.ts";
import type { Store } from "../../../store/store.ts";
import { createTurns } from "../../../system/turns.ts";
import { accountIds } from "../all-accounts.ts";
import { type Dimension, Groups, MAX_GROUPS } from "../groups.ts";
import type { CountedType, Origin } from "../origins.ts";
import { cover } from "./cover.ts";
import { openReading } from "./reading.ts";

/** The usage to add up. An absent member does not restrict it. */
export interface Selection {
  /** All accounts if absent. */
  accountId?: string | undefined;
  projectId?: string | undefined;
  keyId?: string | undefined;
  userId?: string | undefined;
  tool?: string | undefined;
  type?: CountedType | undefined;
}

export interface GroupedQuestion {
  selection: Selection;
  dimensions: readonly Dimension[];
  /** Milliseconds since the epoch, at a full hour. */
  from: number;
  /** Exclusive. */
  to: number;
}

/** Returns a function that adds up usage by groups, reading in pieces. Few reports run at a time, one per `who`. */
export function groupedReports(store: Pick<Store, "transact">) {
  const turns = addingTurns();
  return (who: string, question: GroupedQuestion, signal?: AbortSignal): Promise<Groups> =>
    turns.run(who, () => addUp(store, question), signal);
}

export function addingTurns() {
  return createTurns({ maxRunning: 2, maxOfOne: 1, maxWaiting: 32, refusal: tooMany });
}

function tooMany(): Problem {
  return overloaded("Many ask for grouped usage at this moment. Try again in a moment.", 5);
}

async function addUp(
  store: Pick<Store, "transact">,
  { selection, dimensions, from, to }: GroupedQuestion,
): Promise<Groups> {
  const groups = new Groups(dimensions);
  const stretches = cover(from, to);
  const reading = openReading(store);

  async function addAccount(accountId: string): Promise<void> {
    // Read before the counts by origin, so that uses counted in between do not appear as unknown.
    const unknown = await totalsOf(accountId);
    for (const stretch of stretches) {
      for await (const uses of reading.byOrigin(accountId, stretch)) {
        for (const { type, count, origin } of uses) {
          if (isSelected(type, origin, selection)) groups.add(type, count, origin);
          unknown?.add(type, -count, origin);
        }
        if (groups.size > MAX_GROUPS) throw invalidRequest([{ path: "groupBy", message: TOO_MANY }]);
      }
    }
    if (!unknown) return;
    for await (const { group } of unknown.sorted()) {
      const { origin, counts } = group;
      for (const [type, count] of Object.entries(counts)) {
        if (count <= 0 || (selection.type !== undefined && type !== selection.type)) continue;
        groups.add(type as keyof typeof counts, count, { ...NOBODY, accountId, projectId: origin.projectId });
      }
    }
  }

  /**
   * Returns the totals by project. They include uses of unknown origin, which were counted before origins were, or
   * whose counters by origin have expired. Undefined if the selection is by origin.
   */
  async function totalsOf(accountId: string): Promise<Groups | undefined> {
    const { keyId, userId, tool, projectId, type } = selection;
    if (keyId !== undefined || userId !== undefined || tool !== undefined || type === "refused")
      return undefined;
    const totals = new Groups(["project"]);
    for await (const counts of reading.byProject(accountId, projectId, stretches)) {
      for (const { type, count, projectId } of counts)
        totals.add(type, count, { ...NOBODY, accountId, projectId });
    }
    return totals;
  }

  if (selection.accountId !== undefined) await addAccount(selection.accountId);
  else for await (const accountId of accountIds(store)) await addAccount(accountId);
  return groups;
}

const NOBODY: Origin = { accountId: "", projectId: "", keyId: "", userId: "", tool: "" };

export function isSelected(type: CountedType, origin: Origin, selection: Selection): boolean {
  return (
    (selection.type === undefined || selection.type === type) &&
    (selection.projectId === undefined || selection.projectId === origin.projectId) &&
    (selection.keyId === undefined || selection.keyId === origin.keyId) &&
    (selection.userId === undefined || selection.userId === origin.userId) &&
    (selection.tool === undefined || selection.tool === origin.tool)
  );
}

const TOO_MANY = `makes more than ${MAX_GROUPS} groups. Group by less, or ask for one project, key, user or tool`;
