import { Problem } from "../../contract/problem.ts";
import { GLOBAL, type Transaction } from "../../store/store.ts";
import { type ContributionDocument, contributions } from "./documents.ts";

/**
 * Bounds of what an account contributes. Learned data belongs to no account, so no plan counts it.
 * Contributions made before counting began are not counted, so the count is kept from falling below zero.
 */
const MAX_OF_ACCOUNT: ContributionDocument = { projects: 100, patterns: 1000 };

const TO_BRING_MORE = {
  projects: "projects that take part in cross-project learning, the most there may be. Opt another one out",
  patterns: "shared patterns, the most there may be. Opting a project out of learning deletes its own",
};

/**
 * Adds to the count of an account's contributions, or subtracts from it.
 *
 * @param account its pseudonym
 * @throws Problem `conflict` if the account is at its bound
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
