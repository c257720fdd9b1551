import { GLOBAL } from "../../../store/store.ts";
import { pathOf } from "../cell.ts";
import { batches, placeId, type StandingDocument, standingId, standings } from "../documents.ts";
import type { MeasureType } from "../types.ts";
import { groupOf, type Member, standsWithout } from "./groups.ts";
import type { Ledger } from "./ledger.ts";
import { changeStanding } from "./places.ts";
import { mayChange } from "./publish.ts";

/**
 * Withdraws a project from every cohort of a type at once. The projects it was published with are withdrawn
 * too, and others until they are enough to hide it; they wait to be published again. Comparing the figures
 * before and after then does not reveal the project's value.
 */
export async function withdraw(ledger: Ledger, type: MeasureType, pseudonym: string): Promise<void> {
  const standing = await ledger.tx.get(standings, GLOBAL, standingId(pseudonym, type));
  if (!standing) return;
  for (const companion of await companionsOf(ledger, pseudonym, standing)) {
    await changeStanding(ledger, type, companion, (before) => before && withoutPublication(before));
  }
  await changeStanding(ledger, type, pseudonym, () => undefined);
}

async function companionsOf(
  ledger: Ledger,
  pseudonym: string,
  { account, key, told: place }: StandingDocument,
): Promise<Set<string>> {
  const { tx } = ledger;
  if (!place) return new Set();
  const path = pathOf(key);
  const group = path[place.depth] as string;
  const leaving = new Map([[pseudonym, { account }]]);
  const prefix = `${place.batch}>`;
  for (const { id, value } of await tx.list(batches, GLOBAL, { prefix })) {
    leaving.set(id.slice(prefix.length), value);
  }
  const enough = () => mayChange(ledger, path[0] as string, [...leaving.values()]);
  if (!(await enough())) {
    for await (const member of ring(ledger, { pseudonym, account, key }, place.depth, group)) {
      leaving.set(member.pseudonym, member);
      if (await enough()) break;
    }
  }
  if (!(await standsWithout(tx, place.depth, group, new Set(leaving.keys())))) {
    for await (const member of groupOf(tx, place.depth, group)) leaving.set(member.pseudonym, member);
  }
  leaving.delete(pseudonym);
  return new Set(leaving.keys());
}

/** Yields the members of a group after the given one, then those before it. */
async function* ring(
  { tx }: Ledger,
  { key, pseudonym }: Member,
  depth: number,
  group: string,
): AsyncGenerator<Member> {
  yield* groupOf(tx, depth, group, placeId(depth, key, pseudonym));
  for await (const member of groupOf(tx, depth, group)) {
    if (member.pseudonym === pseudonym) return;
    yield member;
  }
}

/**
 * Returns the standing of a project that waits to be published again. Its value is not fresh: it does not
 * count towards the number that a publication needs, since it was published before.
 */
function withoutPublication({ told, ...standing }: StandingDocument): StandingDocument {
  if (standing.waiting) return standing;
  return { ...standing, waiting: { fresh: false }, ...(told && { known: told.depth }) };
}
