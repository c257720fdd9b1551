import { Problem, type ProblemCode, type ProblemExtras } from "./problem.ts";

/** An error passed between processes or threads: a `Problem`, or a failure whose text is only for the log. */
export type Refusal =
  | { problem: { error: ProblemCode; detail: string; extras: Omit<ProblemExtras, "cause"> } }
  | { failure: string };

export function refusalOf(error: unknown): Refusal {
  if (!(error instanceof Problem)) return { failure: String((error as Error)?.stack ?? error) };
  const { cause: _, ...extras } = error.extras;
  return { problem: { error: error.error, detail: error.detail, extras } };
}

export function errorOf(refusal: Refusal): Error {
  if ("failure" in refusal) return new Error(refusal.failure);
  const { error, detail, extras } = refusal.problem;
  return new Problem(error, detail, extras);
}
