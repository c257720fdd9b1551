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

type Fit = Pick<Suggestion, "signatures" | "categories" | "ecosystems">;

const of =
  (kind: Kind) =>
  (fit: Fit, id: string, title: string, rationale: string, command?: string): Suggestion => ({
    id,
    title,
    kind,
    ...(command !== undefined && { command }),
    rationale,
    ...fit,
  });

export const command = of("command");
export const edit = of("edit");
export const configuration = of("configuration");
export const retry = of("retry");

/** Suggestions for one ecosystem. */
export function within(ecosystem: Ecosystem, suggestions: readonly Suggestion[]): Suggestion[] {
  return suggestions.map((suggestion) => ({ ...suggestion, ecosystems: [ecosystem] }));
}
