import { Problem } from "../../contract/problem.ts";
import type { Refusal } from "./messages.ts";

/** An error as it passes between threads. */
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
