import type { Category, Ecosystem } from "../categories.ts";

export const KINDS = ["command", "edit", "configuration", "retry"] as const;
export type Kind = (typeof KINDS)[number];

/** Something to try, and the failures that it fits. Whatever is not named fits all. */
export interface Suggestion {
  id: string;
  title: string;
  kind: Kind;
  /** `{name}` stands for what the log or the project's tools say; without it there is no command. */
  command?: string;
  rationale: string;
  signatures?: readonly string[];
  categories?: readonly Category[];
  ecosystems?: readonly Ecosystem[];
}
