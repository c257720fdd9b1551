import { Problem } from "../../contract/problem.ts";
import type { Space, Transaction } from "../../store/store.ts";
import type { Suggestion } from "./contract.ts";
import {
  diagnoses,
  type FailureDocument,
  failures,
  fixId,
  type OutcomeRecord,
  tallies,
} from "./documents.ts";
import { fixAdvice } from "./keep-diagnosis.ts";
import { diagnosisIn } from "./one-diagnosis.ts";
import { type Known, tallyKey, tallyOf, withSuccessRate } from "./ranking.ts";
import { type Advice, titleOf } from "./suggestions/advise.ts";
import { SUGGESTIONS } from "./suggestions/catalogue.ts";
import { PRINTED } from "./suggestions/printed.ts";
import { afterOutcome } from "./tally.ts";

export interface Outcome extends OutcomeRecord {
  diagnosisId?: string;
  fingerprint?: string;
}

export interface Recorded extends Known {
  /** The suggestion that was tried, with its present rate of success. */
  suggestion: Suggestion | null;
}

const MAX_OUTCOMES = 20;
const MAX_FIXES = 20;

/**
 * Records an outcome, in which secrets must be masked already. Throws `Problem` `not_found`, or
 * `unprocessable` for an unknown suggestion.
 */
export async function recordOutcome(tx: Transaction, space: Space, outcome: Outcome): Promise<Recorded> {
  const { diagnosisId, fingerprint: given, ...record } = outcome;
  const fingerprint = given ?? (await noteOnDiagnosis(tx, space, diagnosisId as string, record));
  const failure = await tx.get(failures, space, fingerprint);
  if (!failure) throw new Problem("not_found", unknownFailure(outcome));
  const known: Known = { fingerprint, category: failure.category };
  const tried = triedOf(record, failure);
  if (!tried) return { ...known, suggestion: null };
  const success = record.outcome === "success";
  for (const of of [fingerprint, failure.category]) {
    const tally = await tallyOf(tx, space, of, tried.id);
    await tx.put(tallies, space, tallyKey(of, tried.id), afterOutcome(tally, success));
  }
  await tx.put(failures, space, fingerprint, withFix(failure, tried, record));
  return { ...known, suggestion: await withSuccessRate(tx, space, known, tried) };
}

/** Notes the outcome on the diagnosis, and returns its fingerprint. */
async function noteOnDiagnosis(
  tx: Transaction,
  space: Space,
  id: string,
  record: OutcomeRecord,
): Promise<string> {
  const diagnosis = await diagnosisIn(tx, space, id);
  const outcomes = [...diagnosis.outcomes, record].slice(-MAX_OUTCOMES);
  await tx.put(diagnoses, space, id, { ...diagnosis, outcomes });
  return diagnosis.fingerprint;
}

function unknownFailure({ diagnosisId, fingerprint }: Outcome): string {
  return diagnosisId === undefined
    ? `No failure of this project has the fingerprint "${fingerprint}". Diagnose its log first.`
    : `The diagnosis "${diagnosisId}" found no failure to record a fix for.`;
}

/** Returns the suggestion by its id, or the fix in the user's own words; `undefined` if neither is given. */
function triedOf({ suggestionId, fix }: OutcomeRecord, { fixes }: FailureDocument): Advice | undefined {
  if (suggestionId === undefined) return fix === undefined ? undefined : fixAdvice(fixId(fix), fix);
  const own = Object.hasOwn(fixes, suggestionId) ? fixes[suggestionId] : undefined;
  if (own !== undefined) return fixAdvice(suggestionId, own);
  const known = [...SUGGESTIONS, ...PRINTED].find(({ id }) => id === suggestionId);
  if (known) return { id: known.id, title: titleOf(known), kind: known.kind, rationale: known.rationale };
  throw new Problem("unprocessable", `"suggestionId": there is no suggestion "${suggestionId}".`, {
    errors: [{ path: "suggestionId", message: `there is no suggestion "${suggestionId}"` }],
  });
}

/** Keeps the fixes that worked last, in the order in which they last did. */
function withFix(
  failure: FailureDocument,
  tried: Advice,
  { fix, outcome, at }: OutcomeRecord,
): FailureDocument {
  if (outcome === "failure") return failure;
  const { [tried.id]: before, ...others } = failure.fixes;
  const own = fix !== undefined && tried.id === fixId(fix) ? fix : before;
  const worked = Object.entries({ ...others, ...(own !== undefined && { [tried.id]: own }) });
  const fixes = Object.fromEntries(worked.slice(-MAX_FIXES));
  return { ...failure, fixes, lastFix: { title: fix ?? tried.title, suggestionId: tried.id, at } };
}
