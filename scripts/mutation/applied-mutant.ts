import { resolve } from "node:path";
import type { MutantResult } from "@stryker-mutator/api/core";
import type { Plugin } from "vitest/config";

/** A mutant as it is passed to a test run in the environment. */
export type AppliedMutant = Pick<MutantResult, "fileName" | "location" | "replacement">;

/** Returns a plugin that loads a mutant's source with the mutant applied. */
export function appliedMutant(given: string | undefined): Plugin {
  const mutant: AppliedMutant | undefined = given && JSON.parse(given);
  return {
    name: "applied-mutant",
    enforce: "pre",
    transform: (code, id) => (mutant && id === resolve(mutant.fileName) ? mutated(code, mutant) : undefined),
  };
}

function mutated(code: string, { location: { start, end }, replacement = "" }: AppliedMutant): string {
  const lines = code.split("\n");
  const offsetOf = ({ line, column }: typeof start) =>
    lines.slice(0, line - 1).reduce((sum, text) => sum + text.length + 1, 0) + column - 1;
  return code.slice(0, offsetOf(start)) + replacement + code.slice(offsetOf(end));
}
