import { GLOBAL } from "../../../store/store.ts";
import { pathOf } from "../cell.ts";
import { told, waiting } from "../documents.ts";
import type { MeasureType } from "../types.ts";
import { type Member, memberOf, standsWithout } from "./groups.ts";
import { AnonymitySet } from "./k-anonymity.ts";
import type { Ledger } from "./ledger.ts";
import { changeStanding } from "./places.ts";

/** More than one account may have projects, so that one alone never hides who else waits. */
const MAX_AT_ONCE = 2500;

interface Waiting extends Member {
  fresh: boolean;
  /** Of where it is told with an older value; 0 where it is not. */
  depth: number;
}

/**
 * Tells what waits beside a measurement of `account`, at the narrowest depth where enough of it does, and
 * then narrows what enough of is told at the depth above.
 *
 * @param key the narrowest cohort of the measurement
 * @param batch a new id for what is told together
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
      if (!(await mayBeTold(ledger, path, depth, members))) continue;
      for (const { pseudonym } of members) await tell(ledger, type, pseudonym, { depth, batch });
      const keys = new Set(members.map((member) => member.key));
      for (const each of keys) await narrow(ledger, type, each, batch);
      return;
    }
  }
}

/** What is told at a depth below stays until enough is measured there again. */
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

async function mayBeTold(
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
 * Whether what is told may change by these at once: nobody can tell apart what they brought or took.
 * Where all is one account's own, that account can do as it likes.
 */
export async function mayChange(
  ledger: Ledger,
  root: string,
  members: readonly Pick<Member, "account">[],
): Promise<boolean> {
  const set = new AnonymitySet(members.map(({ account }) => account));
  return set.isKAnonymous || (set.ofOneAccount && ledger.isOnly(root, members[0]?.account ?? ""));
}

/** The newest value takes the place of the one that was told before. */
function tell(
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

/** Makes narrower cohorts of what is told in wider ones alone, where that leaves nobody behind unhidden. */
async function narrow(ledger: Ledger, type: MeasureType, key: string, batch: string): Promise<void> {
  const { tx } = ledger;
  const path = pathOf(key);
  for (let depth = 1; depth < path.length; depth++) {
    const [parent, cohort] = [path[depth - 1] as string, path[depth] as string];
    const prefix = `${depth - 1}>${cohort}`;
    const members = await tx.list(told, GLOBAL, { prefix, limit: MAX_AT_ONCE });
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
