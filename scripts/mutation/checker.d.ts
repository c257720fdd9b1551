import type { Mutant } from "@stryker-mutator/api/core";

/** Returns a key that is the same for the same mutant of the same file. */
export function identityOf(
  mutant: Pick<Mutant, "fileName" | "mutatorName" | "replacement" | "location">,
): string;
