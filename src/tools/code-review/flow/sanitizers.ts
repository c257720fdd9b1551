import type { Language } from "../language/language.ts";
import type { Fragment } from "../syntax/fragment.ts";
import { indexBy } from "../syntax/lookup/index-by.ts";
import { EVERY_LANGUAGE } from "../taint/files.ts";
import type { Target } from "./target.ts";

const {
  harmlessCalls,
  lookupCalls,
  contentCalls,
  harmlessMembers,
  harmlessTypes,
  cleaningCalls,
  toldToClean,
  dirtyingCalls,
  modules,
} = EVERY_LANGUAGE.sanitizers;

/** Calls whose result cannot carry what was put in: numbers, lengths, comparisons, digests. */
const HARMLESS = new Set(harmlessCalls);

const DIRTYING = like(dirtyingCalls);

function like(names: readonly { like: string }[]): RegExp {
  return new RegExp(names.map(({ like }) => like).join("|"), "i");
}

const NOTHING = /(?!)/;
const ALL_MODULES = anyModule(modules);
const cleaning = new Map<Target | undefined, { calls: RegExp; modules: RegExp }>();

function anyModule(known: readonly { name: string }[]): RegExp {
  const names = known.map(({ name }) => name.replaceAll(".", "\\."));
  return names.length > 0 ? new RegExp(`(?:^|\\.)(?:${names.join("|")})(?:\\(|\\.)`) : NOTHING;
}

function isListed(targets: readonly Target[], target: Target): boolean {
  return targets.includes(target === "document" ? "query" : target);
}

/** Returns patterns of the names of calls, and of the modules, that sanitize text for a target. */
function cleaningFor(target: Target | undefined): { calls: RegExp; modules: RegExp } {
  const known = cleaning.get(target);
  if (known) return known;
  const serves = ({ for: targets }: { for?: readonly Target[] | undefined }) =>
    !targets || (target ? isListed(targets, target) : targets.length > 0);
  const calls = cleaningCalls.filter(serves);
  const made = {
    calls: calls.length > 0 ? like(calls) : NOTHING,
    modules: anyModule(modules.filter(serves)),
  };
  cleaning.set(target, made);
  return made;
}

/** Calls that give a text, which is harmless in a query that is an object. */
const MAKES_TEXT = /^(?:[sS]tr(?:ing)?|to_?[sS](?:tring)?|trim|strip|(?:to)?(?:[lL]ow|[uU]pp)er(?:Case)?)$/;

/** Whether a call's result is harmless for a target, or for any target if none is given. */
export function makesHarmless(name: string, path: string, target?: Target): boolean {
  if (target === "document" && MAKES_TEXT.test(name)) return true;
  if (DIRTYING.test(name)) return false;
  const { calls, modules } = cleaningFor(target);
  // The targets of a module take precedence over the names of its functions: shlex.quote is for shells only.
  if (ALL_MODULES.test(`${path}(`)) return modules.test(`${path}(`);
  // `const clean = require("mongo-sanitize")`, `import { escape as e }`: the exported name counts too.
  const exported = path.slice(path.lastIndexOf(".") + 1);
  return HARMLESS.has(name) || calls.test(name) || (exported !== name && calls.test(exported));
}

const TOLD = indexBy(
  toldToClean.map(({ call, argument, for: targets }) => ({
    call,
    argument: new RegExp(argument),
    targets,
  })),
  ({ call }) => call,
);

/** Whether an argument makes a call sanitize: `filter_var($id, FILTER_VALIDATE_INT)`. */
export function isCleaningByArgument(
  fragment: Fragment,
  name: string,
  open: number,
  target?: Target,
): boolean {
  const { partner = -1 } = fragment.tokens[open] ?? {};
  return (TOLD.get(name) ?? []).some(
    ({ argument, targets }) =>
      (!targets || (target && isListed(targets, target))) &&
      fragment.tokens.slice(open + 2, partner).some(({ text }) => argument.test(text)),
  );
}

/** Calls that return what is stored under a key. */
const LOOKUPS: ReadonlySet<string> = new Set(lookupCalls);
/**
 * Finders that say by what: those that Rails, Doctrine and Spring generate from the names of columns, `getByName`,
 * `GetItemById`. What is found in a request stays a client's: `getQueryByName`.
 */
const FINDERS =
  /^find_(?:or_\w{6,10}_)?by_(?!sql)\w|^(?:find|get|load|Find|Get|Load)(?!\w{0,40}(?:[pP]aram|[qQ]uery|[hH]eader|[cC]ookie|[fF]ield|[bB]ody|[sS]ql))\w{0,40}By[A-Z]/;
/** Those of LINQ, which are told by a condition what to find, and otherwise give a part of the list. */
const CONDITIONAL_FINDERS = /^(?:First|Single|Last)(?:Async)?$/;

/** Whether a call returns what is stored under its arguments, and nothing of the arguments themselves. */
export function looksUpBy(name: string): boolean {
  return LOOKUPS.has(name.replace(/!$/, "")) || FINDERS.test(name);
}

/** Calls that return contents, by their last words. */
const CONTENTS = indexBy(contentCalls, (path) => path.slice(path.lastIndexOf(".") + 1));

/** Whether a call returns what a file holds, or a program or a server answers, and nothing of what names it. */
export function givesContents(name: string, path: string): boolean {
  return (CONTENTS.get(name) ?? []).some((known) => path === known || path.endsWith(`.${known}`));
}

/** Whether a call returns the member of a list that meets a condition: `files.First(file => file.Name == name)`. */
export function findsByCondition({ language, tokens }: Fragment, name: string, open: number): boolean {
  if (language !== "csharp" || !CONDITIONAL_FINDERS.test(name)) return false;
  const { partner = -1 } = tokens[open] ?? {};
  return tokens.slice(open + 1, Math.min(partner, open + MAX_HEAD)).some(({ text }) => text === "=>");
}

/** Maximum tokens before the arrow of a condition. */
const MAX_HEAD = 6;

/** Members that are numbers or booleans on any object. */
export const HARMLESS_MEMBERS: ReadonlySet<string> = new Set(harmlessMembers);

/** Types whose values cannot carry text. */
export const HARMLESS_TYPES: ReadonlySet<string> = new Set(harmlessTypes);

/** Returns the targets for which a value is harmless if it must not contain `text`. */
export function targetsNeeding(text: string): Target[] {
  if (/^(?:\.\.[\\/]{0,4}|[\\/]{1,4})$/.test(text)) return ["path"];
  if (/^\\?['"]$/.test(text)) return ["query", "code"];
  if (text === "<") return ["markup"];
  if (/^[;|&$`]$/.test(text)) return ["shell"];
  return /^(?:https?:)?\/\/[\w.]/.test(text) ? ["address"] : [];
}

/** Calls that read from outside of the program: the environment, a file, another machine. */
const ASKING =
  /\.(?:read|load|open|fetch|request|receive|download|ask|prompt|show|input|query|select|find|next|get(?:env|Env|Property|Input|Text|Param|Header|Cookie|Attribute|Value|Body|Query|Content))\w{0,60}\(\)$/;

/** Whether a call is to a helper of Java, `Tools.shellFor("ls")`: with fixed arguments, its result is fixed too. */
export function isHelper(language: Language, path: string): boolean {
  return language === "java" && /^[A-Z]\w{0,60}\.\w{1,60}\(\)$/.test(path) && !ASKING.test(path);
}
