import { Problem } from "../../contract/problem.ts";
import { GLOBAL, type Transaction } from "../../store/store.ts";
import { type ContributionDocument, contributions } from "./documents.ts";

/**
 * What is learned belongs to no account, so no plan counts it: an account's share of it has bounds of its
 * own. What it brought before it was counted is not in the count, and takes nothing from it when it goes.
 */
const MAX_OF_ACCOUNT: ContributionDocument = { projects: 100, patterns: 1000 };

const TO_BRING_MORE = {
  projects: "projects that take part in cross-project learning, the most there may be. Opt another one out",
  patterns: "shared patterns, the most there may be. Opting a project out of learning deletes its own",
};

/**
 * Counts what an account brings more, or less, of.
 *
 * @param account its pseudonym
 * @throws Problem `conflict` where it has brought as much as it may
 */
export async function contribute(
  tx: Transaction,
  account: string,
  what: keyof ContributionDocument,
  by: number,
): Promise<void> {
  const before = (await tx.get(contributions, GLOBAL, account)) ?? { projects: 0, patterns: 0 };
  const after = { ...before, [what]: Math.max(0, before[what] + by) };
  if (by > 0 && after[what] > MAX_OF_ACCOUNT[what]) {
    throw new Problem("conflict", `This account has ${MAX_OF_ACCOUNT[what]} ${TO_BRING_MORE[what]}.`);
  }
  if (after.projects + after.patterns === 0) await tx.delete(contributions, GLOBAL, account);
  else await tx.put(contributions, GLOBAL, account, after);
}
