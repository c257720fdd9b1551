import type { Space, Transaction } from "../../store/store.ts";
import { defined } from "../../system/defined.ts";
import { maskSecrets, maskSecretsIn } from "../../text/secrets/mask-secrets.ts";
import type { Suggestion } from "./contract.ts";
import type { Build } from "./diagnosing/diagnose.ts";
import type { Diagnosis } from "./diagnosis.ts";
import { diagnoses, diagnosesByCategory, type FailureDocument, failures } from "./documents.ts";
import { ranked } from "./ranking.ts";
import type { Advice } from "./suggestions/advise.ts";

export interface Kept {
  suggestions: Suggestion[];
  /** The failure as it was known before; `undefined` if it is new, or if the build did not fail. */
  before?: FailureDocument;
}

/** Stores the diagnosis under `id`, counts the failure, and ranks its suggestions. */
export async function keepDiagnosis(
  tx: Transaction,
  space: Space,
  id: string,
  diagnosis: Diagnosis,
  { command, exitCode }: Build,
  now: number,
): Promise<Kept> {
  const { fingerprint, category, ecosystem, confidence, cause } = diagnosis;
  const before = cause ? await tx.get(failures, space, fingerprint) : undefined;
  const advice = [...fixesOf(before), ...diagnosis.suggestions];
  const suggestions = await ranked(tx, space, { fingerprint, category }, advice);
  await tx.put(diagnoses, space, id, {
    at: now,
    fingerprint,
    category,
    ecosystem,
    confidence,
    ...(cause && { cause: withoutExcerpt(cause) }),
    ...(command !== undefined && { command: maskSecrets(command).text }),
    ...defined({ exitCode }),
    outcomes: [],
    ...(suggestions.length > 0 && { advice: suggestions.map(withoutRate) }),
  });
  await tx.put(diagnosesByCategory, space, `${category}/${id}`, {});
  if (!cause) return { suggestions };
  await tx.put(failures, space, fingerprint, {
    ...before,
    category,
    count: (before?.count ?? 0) + 1,
    lastAt: now,
    fixes: before?.fixes ?? {},
  });
  return { suggestions, ...(before && { before }) };
}

/** Masks secrets, too, since suggestions may quote the log. */
function withoutRate({ successRate: _, attempts: __, ...advice }: Suggestion): Advice {
  return maskSecretsIn(advice, new Set()) as Advice;
}

function withoutExcerpt({ excerpt: _, ...cause }: NonNullable<Diagnosis["cause"]>) {
  return cause;
}

/** Returns the fixes that were recorded for a failure, as suggestions. */
export function fixesOf(failure: FailureDocument | undefined): Advice[] {
  return Object.entries(failure?.fixes ?? {}).map(([id, fix]) => fixAdvice(id, fix));
}

/** Returns a recorded fix of this failure as a suggestion. */
export function fixAdvice(id: string, fix: string): Advice {
  return { id, title: fix, kind: "edit", rationale: "Recorded in this project as a fix of this failure." };
}
