import { InvalidArgumentError, words } from "../options.ts";

/** Not imported from the contract: that would load every schema of it. */
const DIMENSIONS = ["account", "project", "key", "user", "tool"] as const;
export type Dimension = (typeof DIMENSIONS)[number];

/** `key,tool` as what usage is told apart by. */
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
