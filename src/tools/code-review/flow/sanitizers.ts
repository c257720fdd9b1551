import { EVERY_LANGUAGE } from "../taint/files.ts";
import type { Target } from "./target.ts";

const { harmlessCalls, harmlessMembers, cleaningCalls, dirtyingCalls, modules } = EVERY_LANGUAGE.sanitizers;

/** Calls whose result cannot carry what was put in: numbers, lengths, comparisons, digests. */
const HARMLESS = new Set(harmlessCalls);

const DIRTYING = like(dirtyingCalls);

function like(names: readonly { like: string }[]): RegExp {
  return new RegExp(names.map(({ like }) => like).join("|"), "i");
}

const NOTHING = /(?!)/;
const cleaning = new Map<Target | undefined, { calls: RegExp; modules: RegExp }>();

/** Words within a name of a call that say it makes text harmless for where it goes, and modules that do so. */
function cleaningFor(target: Target | undefined): { calls: RegExp; modules: RegExp } {
  const known = cleaning.get(target);
  if (known) return known;
  const serves = ({ for: targets }: { for?: readonly Target[] | undefined }) =>
    !targets || !target || targets.includes(target);
  const [calls, names] = [cleaningCalls.filter(serves), modules.filter(serves).map(({ name }) => name)];
  const made = {
    calls: calls.length > 0 ? like(calls) : NOTHING,
    modules: new RegExp(
      `(?:^|\\.)(?:${names.map((name) => name.replaceAll(".", "\\.")).join("|")})(?:\\(|\\.)`,
    ),
  };
  cleaning.set(target, made);
  return made;
}

/** Whether what a call gives is harmless for a target; for any at all where none is named. */
export function makesHarmless(name: string, path: string, target?: Target): boolean {
  if (HARMLESS.has(name)) return true;
  if (DIRTYING.test(name)) return false;
  const { calls, modules } = cleaningFor(target);
  return calls.test(name) || modules.test(`${path}(`);
}

/** Members that are numbers or yes and no, whatever they belong to. */
export const HARMLESS_MEMBERS: ReadonlySet<string> = new Set(harmlessMembers);

/** What a text can no longer be harmful as where these characters are forbidden in it. */
export function forbiddenAs(text: string): Target[] {
  if (/^(?:\.\.[\\/]{0,4}|\/|\\{1,2}|\.\.)$/.test(text)) return ["path"];
  if (/^\\?['"]$/.test(text)) return ["query", "code"];
  if (text === "<") return ["markup"];
  if (/^[;|&$`]$/.test(text)) return ["shell"];
  return /^(?:https?:)?\/\/[\w.]/.test(text) ? ["address"] : [];
}
