import { GLOBAL } from "../../../store/store.ts";
import { pathOf } from "../cell.ts";
import { publishedPlaces, waiting } from "../documents.ts";
import type { MeasureType } from "../types.ts";
import { type Member, memberOf, standsWithout } from "./groups.ts";
import { AnonymitySet } from "./k-anonymity.ts";
import type { Ledger } from "./ledger.ts";
import { changeStanding } from "./places.ts";

/**
 * Number of projects read at a time. It exceeds what one account may have, so that one account cannot crowd
 * out the others that wait.
 */
const MAX_AT_ONCE = 2500;

interface Waiting extends Member {
  fresh: boolean;
  /** Depth at which an older value of it is published; 0 if none is. */
  depth: number;
}

/**
 * Publishes the values that wait in the cohorts of a measurement of `account`, at the narrowest depth where
 * enough of them wait. Then moves published values into narrower cohorts where there are enough.
 *
 * @param key the narrowest cohort of the measurement
 * @param batch a new id for the values that are published together
 */
export async function publish(
  ledger: Ledger,
  { type, key, account, batch }: { type: MeasureType; key: string; account: string; batch: string },
): Promise<void> {
  const path = pathOf(key);
  for (let depth = path.length - 1; depth >= 0; depth--) {
    const all = await waitingIn(ledger, path, depth);
    const own = all.filter((member) => member.account === account);
    for (const members of [all, own]) {
      if (!(await mayBePublished(ledger, path, depth, members))) continue;
      for (const { pseudonym } of members) await publishMember(ledger, type, pseudonym, { depth, batch });
      const keys = new Set(members.map((member) => member.key));
      for (const each of keys) await narrow(ledger, type, each, batch);
      return;
    }
  }
}

/**
 * Returns the projects that wait in a cohort. Those already published at a greater depth are left out, until
 * enough are measured there again.
 */
async function waitingIn({ tx }: Ledger, path: readonly string[], depth: number): Promise<Waiting[]> {
  const found: Waiting[] = [];
  for (let above = 0; above <= depth; above++) {
    const prefix = `${above}>${path[depth]}`;
    for (const { id, value } of await tx.list(waiting, GLOBAL, { prefix, limit: MAX_AT_ONCE })) {
      found.push({ ...memberOf(id, value.account), fresh: value.fresh, depth: above });
    }
  }
  return found;
}

async function mayBePublished(
  ledger: Ledger,
  path: readonly string[],
  depth: number,
  members: readonly Waiting[],
): Promise<boolean> {
  const fresh = members.filter((member) => member.fresh);
  if (!(await mayChange(ledger, path[0] as string, fresh))) return false;
  for (let above = 0; above < depth; above++) {
    const leaving = new Set(members.flatMap((member) => (member.depth === above ? member.pseudonym : [])));
    if (!(await standsWithout(ledger.tx, above, path[above] as string, leaving))) return false;
  }
  return true;
}

/**
 * Whether these projects may enter or leave the published figures at once, so that nobody can attribute the
 * change to one of them. Five or more projects of a single account may also do so, if no other account is in
 * the root cohort.
 */
export async function mayChange(
  ledger: Ledger,
  root: string,
  members: readonly Pick<Member, "account">[],
): Promise<boolean> {
  const set = new AnonymitySet(members.map(({ account }) => account));
  return set.isKAnonymous || (set.ofOneAccount && ledger.isOnly(root, members[0]?.account ?? ""));
}

/** Publishes a project's newest value in place of the one published before. */
function publishMember(
  ledger: Ledger,
  type: MeasureType,
  pseudonym: string,
  place: { depth: number; batch: string },
): Promise<void> {
  return changeStanding(ledger, type, pseudonym, (standing) => {
    if (!standing) return undefined;
    const { waiting: _, ...rest } = standing;
    return { ...rest, told: { ...place, bucket: standing.bucket } };
  });
}

/** Moves projects that are published in a cohort into a narrower one, if those left behind still hide each other. */
async function narrow(ledger: Ledger, type: MeasureType, key: string, batch: string): Promise<void> {
  const { tx } = ledger;
  const path = pathOf(key);
  for (let depth = 1; depth < path.length; depth++) {
    const [parent, cohort] = [path[depth - 1] as string, path[depth] as string];
    const prefix = `${depth - 1}>${cohort}`;
    const members = await tx.list(publishedPlaces, GLOBAL, { prefix, limit: MAX_AT_ONCE });
    const unknown = members.filter(({ value: { known } }) => known === undefined || known < depth);
    const added = unknown.map(({ value }) => value);
    if (!(await mayChange(ledger, path[0] as string, added))) continue;
    const leaving = members.map(({ id, value }) => memberOf(id, value.account).pseudonym);
    if (!(await standsWithout(tx, depth - 1, parent, new Set(leaving)))) continue;
    for (const pseudonym of leaving) {
      await changeStanding(
        ledger,
        type,
        pseudonym,
        (standing) =>
          standing?.told && { ...standing, told: { ...standing.told, depth, batch: `${batch}|${cohort}` } },
      );
    }
  }
}
