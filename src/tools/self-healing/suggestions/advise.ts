import { defined } from "../../../system/defined.ts";
import type { Category, Ecosystem } from "../categories.ts";
import { SUGGESTIONS } from "./catalogue.ts";
import { isToolWord } from "./package-managers.ts";
import { callsShownTools, isSameCommand } from "./shown-tools.ts";
import type { Kind, SuggestionTemplate } from "./suggestion.ts";

export interface Failure {
  category: Category;
  ecosystem: Ecosystem;
  /** Id of the signature of the cause. */
  signature: string;
  /** Ecosystem of the signature: a script that npm runs fails as the shell says, in an ecosystem of its own. */
  origin?: Ecosystem | undefined;
  /** Values for the `{name}`s in suggestions. */
  values: Readonly<Record<string, string>>;
  /** The command that was run, if it is known. */
  command?: string | undefined;
  /** The command and some of the log, to see which tools are in use. */
  sample: string;
  /** Remedies that the log itself prints. */
  printed: readonly Advice[];
}

export interface Advice {
  id: string;
  title: string;
  kind: Kind;
  command?: string;
  rationale: string;
}

/** Suggestions for the category alone only fill up to this number. */
const ENOUGH = 2;

/**
 * Returns the suggestions for a failure: remedies that the log prints, suggestions for its signature, those
 * that name something from the log and, if these are few, those for its category alone. Leaves out commands
 * that call a tool that the log does not show, and the command that just failed.
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
  const rest = fitting
    .filter(({ firm, advice }) => !firm && !(advice.kind === "retry" && LASTING.has(failure.signature)))
    .map(({ advice }) => advice);
  // The category `unknown` says next to nothing.
  const enough = failure.category === "unknown" && firm.length > 0 ? 0 : ENOUGH;
  return distinct([...firm, ...rest.slice(0, Math.max(0, enough - firm.length))]).filter(
    ({ command }) => command === undefined || failed === undefined || !isSameCommand(command, failed),
  );
}

/** Failures that stay, however often the step is tried again. */
const LASTING = new Set(["network-tls"]);

const OWN = 4;
const NAMES = /\{(\w+)\}/g;
/** Names for the project's tools, which say nothing about the failure. */
const TOOL_NAMES = ["add", "install", "ci", "run", "exec", "lock", "runner"];
/** Names that do not make a suggestion specific. Repeating the message is little better than nothing. */
const NO_NAMES = new Set([...TOOL_NAMES, "message", "unplaced"]);

function namesWhatTheLogNames({ title, command = "" }: SuggestionTemplate): boolean {
  return [...`${title} ${command}`.matchAll(NAMES)].some(([, name = ""]) => !NO_NAMES.has(name));
}

function fitOf({ signatures, categories, ecosystems }: SuggestionTemplate, failure: Failure): number {
  const own = signatures?.includes(failure.signature) ? OWN : 0;
  const of = own > 0 ? [failure.ecosystem, failure.origin] : [failure.ecosystem];
  if (ecosystems && !ecosystems.some((each) => of.includes(each))) return 0;
  const ofCategory = categories?.includes(failure.category) ? 2 : 0;
  return own + ofCategory === 0 ? 0 : own + ofCategory + (ecosystems ? 1 : 0);
}

/**
 * Fills in a suggestion. Returns `undefined` if the log has no value for its title or rationale, or if its
 * command cannot be given and it is not for the signature.
 */
function filledIn(suggestion: SuggestionTemplate, failure: Failure): Advice | undefined {
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
  { command, kind }: SuggestionTemplate,
  { values, sample, ecosystem }: Failure,
): string | undefined {
  if (command === undefined) return undefined;
  if ([...command.matchAll(NAMES)].some(([, name = ""]) => !isSafe(values[name]))) return undefined;
  const whole = command.replace(NAMES, (_, name) => values[name] as string);
  // Tools that come with an ecosystem may not have run, and only what did run can be tried again.
  return callsShownTools(whole, sample, kind === "retry" ? "unknown" : ecosystem) ? whole : undefined;
}

/** A value that is safe in a command line without quotes. */
const PLAIN = /^[\w@%+=:,./~^-][\w@%+=:,./~^#-]*$/;

function isSafe(value: string | undefined): boolean {
  return value !== undefined && (isToolWord(value) || (PLAIN.test(value) && !value.startsWith("-")));
}

/** Removes advice whose command was given before. */
function distinct(advice: readonly Advice[]): Advice[] {
  return advice.filter(
    ({ command }, index) =>
      command === undefined ||
      !advice.slice(0, index).some((other) => other.command && isSameCommand(other.command, command)),
  );
}

/** Returns the title of a suggestion without a log: `Install {module}` becomes `Install the module`. */
export function titleOf({ title }: Pick<SuggestionTemplate, "title">): string {
  return title.replace(NAMES, "the $1");
}
