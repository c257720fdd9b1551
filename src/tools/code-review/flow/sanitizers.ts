import { EVERY_LANGUAGE } from "../taint/files.ts";

const { harmlessCalls, harmlessMembers, cleaningCalls, dirtyingCalls, modules } = EVERY_LANGUAGE.sanitizers;

/** Calls whose result cannot carry what was put in: numbers, lengths, comparisons, digests. */
const HARMLESS = new Set(harmlessCalls);

/** Words within a name of a call that say it makes text harmless for where it goes. */
const CLEANING = like(cleaningCalls);
const DIRTYING = like(dirtyingCalls);
const MODULES = new RegExp(`(?:^|\\.)(?:${modules.join("|")})(?:\\(|\\.)`);

function like(names: readonly { like: string }[]): RegExp {
  return new RegExp(names.map(({ like }) => like).join("|"), "i");
}

/** What a call does to what it is given. */
export function makesHarmless(name: string, path: string): boolean {
  if (HARMLESS.has(name)) return true;
  if (DIRTYING.test(name)) return false;
  return CLEANING.test(name) || MODULES.test(`${path}(`);
}

/** Members that are numbers or yes and no, whatever they belong to. */
export const HARMLESS_MEMBERS: ReadonlySet<string> = new Set(harmlessMembers);
