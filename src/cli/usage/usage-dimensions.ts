import { InvalidArgumentError, words } from "../options.ts";

/** The dimensions of usage. Not imported from the contract, which would load all of its schemas. */
export const DIMENSIONS = ["account", "project", "key", "user", "tool"] as const;
export type Dimension = (typeof DIMENSIONS)[number];

/** Parses a list of dimensions such as `key,tool`. */
export function dimensions(text: string): Dimension[] {
  const names = words(text);
  const wrong = names.find((name) => !DIMENSIONS.includes(name as Dimension));
  if (wrong !== undefined || names.length === 0) {
    throw new InvalidArgumentError(
      `It must list some of ${DIMENSIONS.join(", ")}, with commas between them.`,
    );
  }
  return [...new Set(names as Dimension[])];
}
