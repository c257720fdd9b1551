import { defined } from "../../../system/defined.ts";
import type { Category, Ecosystem } from "../categories.ts";
import { SUGGESTIONS } from "./catalogue.ts";
import { isToolWord } from "./package-managers.ts";
import { callsShownTools, isSameCommand } from "./shown-tools.ts";
import type { Kind, Suggestion } from "./suggestion.ts";

export interface Failure {
  category: Category;
  ecosystem: Ecosystem;
  /** Of the line that tells why. */
  signature: string;
  /** What stands for the `{name}`s of suggestions. */
  values: Readonly<Record<string, string>>;
  /** What was run, where it is known. */
  command?: string | undefined;
  /** The command and some of the log, to see which tools are in use. */
  sample: string;
  /** What the log itself says to do. */
  printed: readonly Advice[];
}

export interface Advice {
  id: string;
  title: string;
  kind: Kind;
  command?: string;
  rationale: string;
}

/** So many that are made for the failure leave no room for what fits its kind alone. */
const ENOUGH = 2;

/**
 * What may mend the failure: what the log itself says; what is made for its line; what names something
 * that the log names; and what fits its kind alone only where there is little else. Nothing calls a tool
 * that the log does not show, or is the command that just failed.
 */
export function adviceFor(failure: Failure): Advice[] {
  const { printed, command: failed } = failure;
  const fitting = SUGGESTIONS.map((suggestion) => ({ suggestion, fit: fitOf(suggestion, failure) }))
    .filter(({ fit }) => fit > 0)
    .sort((a, b) => b.fit - a.fit)
    .flatMap(({ suggestion, fit }) => {
      const advice = filledIn(suggestion, failure);
      return advice ? [{ advice, firm: fit >= OWN || namesWhatTheLogNames(suggestion) }] : [];
    });
  const firm = [...printed, ...fitting.filter((each) => each.firm).map(({ advice }) => advice)];
  const rest = fitting.filter((each) => !each.firm).map(({ advice }) => advice);
  // That something fits no known kind says next to nothing.
  const enough = failure.category === "unknown" && firm.length > 0 ? 0 : ENOUGH;
  return distinct([...firm, ...rest.slice(0, Math.max(0, enough - firm.length))]).filter(
    ({ command }) => command === undefined || failed === undefined || !isSameCommand(command, failed),
  );
}

const OWN = 4;
const NAMES = /\{(\w+)\}/g;
/** Words of the project's tools, which say nothing of the failure. */
const TOOL_NAMES = ["add", "install", "ci", "run", "exec", "lock", "runner"];
/** To repeat the message is better than nothing, and no more. */
const NO_NAMES = new Set([...TOOL_NAMES, "message", "unplaced"]);

function namesWhatTheLogNames({ title, command = "" }: Suggestion): boolean {
  return [...`${title} ${command}`.matchAll(NAMES)].some(([, name = ""]) => !NO_NAMES.has(name));
}

function fitOf({ signatures, categories, ecosystems }: Suggestion, failure: Failure): number {
  if (ecosystems && !ecosystems.includes(failure.ecosystem)) return 0;
  const own = signatures?.includes(failure.signature) ? OWN : 0;
  const kind = categories?.includes(failure.category) ? 2 : 0;
  return own + kind === 0 ? 0 : own + kind + (ecosystems ? 1 : 0);
}

/** `undefined` where the title needs a word that the log does not say, or the kind alone speaks for a command that cannot be given. */
function filledIn(suggestion: Suggestion, failure: Failure): Advice | undefined {
  const { id, kind } = suggestion;
  const { values } = failure;
  const title = filled(suggestion.title, values);
  const rationale = filled(suggestion.rationale, values);
  if (title === undefined || rationale === undefined) return undefined;
  const command = commandOf(suggestion, failure);
  if (command === undefined && suggestion.command !== undefined) {
    const own = suggestion.signatures?.includes(failure.signature) === true;
    if (!own) return undefined;
  }
  return { id, title, kind, ...defined({ command }), rationale };
}

function filled(text: string, values: Failure["values"]): string | undefined {
  const missing = [...text.matchAll(NAMES)].some(([, name = ""]) => !values[name]);
  return missing ? undefined : text.replace(NAMES, (_, name) => values[name] as string);
}

function commandOf(
  { command, kind }: Suggestion,
  { values, sample, ecosystem }: Failure,
): string | undefined {
  if (command === undefined) return undefined;
  if ([...command.matchAll(NAMES)].some(([, name = ""]) => !isSafe(values[name]))) return undefined;
  const whole = command.replace(NAMES, (_, name) => values[name] as string);
  // What comes with a language may not have run: only what did run can be tried again.
  return callsShownTools(whole, sample, kind === "retry" ? "unknown" : ecosystem) ? whole : undefined;
}

/** What may stand in a command line without quotes and does nothing there but stand. */
const PLAIN = /^[\w@%+=:,./~^-][\w@%+=:,./~^#-]*$/;

function isSafe(value: string | undefined): boolean {
  return value !== undefined && (isToolWord(value) || (PLAIN.test(value) && !value.startsWith("-")));
}

/** Each command once. */
function distinct(advice: readonly Advice[]): Advice[] {
  return advice.filter(
    ({ command }, index) =>
      command === undefined ||
      !advice.slice(0, index).some((other) => other.command && isSameCommand(other.command, command)),
  );
}

/** Of a suggestion by itself, without a log: `Install {module}` as `Install the module`. */
export function titleOf({ title }: Pick<Suggestion, "title">): string {
  return title.replace(NAMES, "the $1");
}
