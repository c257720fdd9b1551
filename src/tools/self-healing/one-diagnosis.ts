import type { Output } from "../../contract/endpoint.ts";
import { Problem } from "../../contract/problem.ts";
import type { Space, Transaction } from "../../store/store.ts";
import { iso } from "../../system/clock.ts";
import type { selfHealingContract } from "./contract.ts";
import {
  type DiagnosisDocument,
  diagnoses,
  diagnosesByCategory,
  type FailureDocument,
  failures,
  tallies,
} from "./documents.ts";
import { itemOf } from "./history.ts";
import { fixesOf } from "./keep-diagnosis.ts";
import { ranked } from "./ranking.ts";

/** Reads a diagnosis. Throws `Problem` `not_found` if it does not exist. */
export async function diagnosisIn(tx: Transaction, space: Space, id: string): Promise<DiagnosisDocument> {
  const diagnosis = await tx.get(diagnoses, space, id);
  if (diagnosis) return diagnosis;
  throw new Problem("not_found", `There is no diagnosis "${id}" in this project.`);
}

/**
 * Returns a diagnosis with its suggestions, and with the fixes recorded for its failure since, as they are
 * ranked now.
 */
export async function showDiagnosis(
  tx: Transaction,
  space: Space,
  id: string,
): Promise<Output<typeof selfHealingContract.show>> {
  const diagnosis = await diagnosisIn(tx, space, id);
  const { fingerprint, category, advice = [] } = diagnosis;
  const failure = diagnosis.cause && (await tx.get(failures, space, fingerprint));
  const own = fixesOf(failure);
  const ids = new Set(own.map((each) => each.id));
  const all = [...own, ...advice.filter((each) => !ids.has(each.id))];
  return {
    diagnosis: itemOf(id, diagnosis),
    suggestions: await ranked(tx, space, { fingerprint, category }, all),
    seen: failure ? seen(failure) : null,
  };
}

export function seen({ count, lastAt, lastFix }: FailureDocument) {
  return {
    count,
    lastAt: iso(lastAt),
    ...(lastFix && { lastFix: { ...lastFix, at: iso(lastFix.at) } }),
  };
}

/**
 * Deletes a diagnosis. The last one of a failure takes what was learned about the failure with it; what was
 * learned about the category stays.
 */
export async function deleteDiagnosis(tx: Transaction, space: Space, id: string): Promise<void> {
  const { fingerprint, category, cause } = await diagnosisIn(tx, space, id);
  await tx.delete(diagnoses, space, id);
  await tx.delete(diagnosesByCategory, space, `${category}/${id}`);
  const failure = cause && (await tx.get(failures, space, fingerprint));
  if (!failure) return;
  if (failure.count > 1) {
    await tx.put(failures, space, fingerprint, { ...failure, count: failure.count - 1 });
    return;
  }
  await tx.delete(failures, space, fingerprint);
  for (const key of await tx.ids(tallies, space, { prefix: `${fingerprint}/` })) {
    await tx.delete(tallies, space, key);
  }
}
