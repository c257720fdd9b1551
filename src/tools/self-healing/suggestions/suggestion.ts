import type { Category, Ecosystem } from "../categories.ts";

export const KINDS = ["command", "edit", "configuration", "retry"] as const;
export type Kind = (typeof KINDS)[number];

/**
 * Something to try, and the failures that it fits: those with one of its signatures or categories. Without
 * `ecosystems`, it fits all of them.
 */
export interface SuggestionTemplate {
  id: string;
  title: string;
  kind: Kind;
  /** A `{name}` stands for a value from the log or the project's tools. Without the value, there is no command. */
  command?: string;
  rationale: string;
  signatures?: readonly string[];
  categories?: readonly Category[];
  ecosystems?: readonly Ecosystem[];
}
