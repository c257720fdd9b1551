import type { Space, Transaction } from "../../store/store.ts";
import type { Category } from "./categories.ts";
import type { Suggestion } from "./contract.ts";
import { tallies } from "./documents.ts";
import type { Advice } from "./suggestions/advise.ts";
import { successRate, type Tally, UNTRIED } from "./tally.ts";

/** The keys of a failure. Outcomes are recorded for both. */
export interface Known {
  fingerprint: string;
  category: Category;
}

const MAX_SUGGESTIONS = 8;

/**
 * Ranks suggestions by the lower bound of the chance that each works. One that was never tried has only the
 * prior, so it ranks below those that worked and above those that failed. Equals keep their order.
 */
export async function ranked(
  tx: Transaction,
  space: Space,
  known: Known,
  advice: readonly Advice[],
): Promise<Suggestion[]> {
  const suggestions: Suggestion[] = [];
  for (const each of advice) suggestions.push(await withSuccessRate(tx, space, known, each));
  return suggestions.sort((a, b) => lowOf(b) - lowOf(a)).slice(0, MAX_SUGGESTIONS);
}

export async function withSuccessRate(
  tx: Transaction,
  space: Space,
  { fingerprint, category }: Known,
  advice: Advice,
): Promise<Suggestion> {
  const own = await tallyOf(tx, space, fingerprint, advice.id);
  const ofCategory = await tallyOf(tx, space, category, advice.id);
  const attempts = own.attempts || ofCategory.attempts;
  return { ...advice, successRate: attempts > 0 ? successRate(own, ofCategory) : null, attempts };
}

export async function tallyOf(
  tx: Transaction,
  space: Space,
  of: string,
  suggestionId: string,
): Promise<Tally> {
  return (await tx.get(tallies, space, tallyKey(of, suggestionId))) ?? UNTRIED;
}

/** Returns the id of a tally. `of` is a fingerprint or a category. */
export function tallyKey(of: string, suggestionId: string): string {
  return `${of}/${suggestionId}`;
}

const LOW_OF_UNTRIED = successRate(UNTRIED, UNTRIED).low;

function lowOf({ successRate }: Suggestion): number {
  return successRate?.low ?? LOW_OF_UNTRIED;
}
