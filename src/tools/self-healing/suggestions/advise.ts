import type { Category, Ecosystem } from "../categories.ts";
import { SUGGESTIONS } from "./catalogue.ts";
import { isToolWord } from "./package-managers.ts";
import type { Kind, Suggestion } from "./suggestion.ts";

export interface Failure {
  category: Category;
  ecosystem: Ecosystem;
  /** Of the line that tells why. */
  signature: string;
  /** What stands for the `{name}`s of commands. */
  values: Readonly<Record<string, string>>;
}

export interface Advice {
  id: string;
  title: string;
  kind: Kind;
  command?: string;
  rationale: string;
}

/** All that may mend the failure, what fits most closely first. */
export function adviceFor(failure: Failure): Advice[] {
  return SUGGESTIONS.map((suggestion) => ({ suggestion, fit: fitOf(suggestion, failure) }))
    .filter(({ fit }) => fit > 0)
    .sort((a, b) => b.fit - a.fit)
    .map(({ suggestion }) => filledIn(suggestion, failure.values));
}

function fitOf({ signatures, categories, ecosystems }: Suggestion, failure: Failure): number {
  if (ecosystems && !ecosystems.includes(failure.ecosystem)) return 0;
  const own = signatures?.includes(failure.signature) ? 4 : 0;
  const kind = categories?.includes(failure.category) ? 2 : 0;
  return own + kind === 0 ? 0 : own + kind + (ecosystems ? 1 : 0);
}

/** What may stand in a command line without quotes and does nothing there but stand. */
const PLAIN = /^[\w@%+=:,./~^-]+$/;

function filledIn({ id, title, kind, command, rationale }: Suggestion, values: Failure["values"]): Advice {
  const missing = [...(command ?? "").matchAll(/\{(\w+)\}/g)].some(([, name = ""]) => !isSafe(values[name]));
  if (command === undefined || missing) return { id, title, kind, rationale };
  return {
    id,
    title,
    kind,
    command: command.replace(/\{(\w+)\}/g, (_, name) => values[name] as string),
    rationale,
  };
}

function isSafe(value: string | undefined): boolean {
  return value !== undefined && (isToolWord(value) || (PLAIN.test(value) && !value.startsWith("-")));
}
