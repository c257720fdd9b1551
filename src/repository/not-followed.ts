import { posix } from "node:path";
import { languageOf } from "./languages/languages.ts";
import data from "./languages/not-followed.json" with { type: "json" };
import type { Direction } from "./reach.ts";
import type { Repository } from "./repository.ts";

/** A language of the repository whose imports are not analysed, so its dependencies are unknown. */
export interface NotFollowed {
  language: string;
  /** The number of its files in the repository. */
  files: number;
}

interface KnownByName {
  name: string;
  extensions: readonly string[];
  /** Languages whose code its files can refer to. */
  uses?: readonly string[];
}

const LANGUAGES: readonly KnownByName[] = data.languages;
const BY_EXTENSION = new Map(
  LANGUAGES.flatMap((language) => language.extensions.map((extension) => [`.${extension}`, language])),
);

type Known = Pick<Repository, "files">;

/** Returns the common name of the language of a file, or its extension; undefined if its imports are followed. */
export function notFollowedLanguage(repository: Known, path: string): string | undefined {
  if (followedLanguage(repository, path) !== undefined) return undefined;
  return knownLanguage(path)?.name ?? (posix.extname(path).toLowerCase() || posix.basename(path));
}

/** Returns the programming languages of a repository that are not followed, by descending number of files. */
export function notFollowedIn(repository: Known): NotFollowed[] {
  const counts = new Map<string, number>();
  for (const path of repository.files.keys()) {
    const isFollowed = followedLanguage(repository, path) !== undefined;
    const language = isFollowed ? undefined : knownLanguage(path)?.name;
    if (language !== undefined) counts.set(language, (counts.get(language) ?? 0) + 1);
  }
  return [...counts]
    .map(([language, amount]) => ({ language, files: amount }))
    .sort((left, right) => right.files - left.files);
}

/**
 * Returns the languages that are not followed and may depend on these files, or the files on them. For a file asked
 * about, its extension counts as a language, too. Among changed files, pages and settings are ignored.
 */
export function notFollowedFrom(
  repository: Known,
  starts: readonly string[],
  direction: Direction,
  { areChanges = false } = {},
): NotFollowed[] {
  const followed = starts.flatMap((path) => followedLanguage(repository, path) ?? []);
  const others = starts.filter((path) => followedLanguage(repository, path) === undefined);
  const nameOf = (path: string) =>
    areChanges ? knownLanguage(path)?.name : notFollowedLanguage(repository, path);
  const own = new Set(others.flatMap((path) => nameOf(path) ?? []));
  const there = notFollowedIn(repository);
  const meant = new Set([...own, ...followed]);
  const users = there.filter(({ language }) => usesOf(language).some((each) => meant.has(each)));
  const names = new Set([...own, ...(direction === "out" ? [] : users.map(({ language }) => language))]);
  const countOf = (name: string) =>
    [...repository.files.keys()].filter((path) => notFollowedLanguage(repository, path) === name).length;
  return [...names].map((language) => ({ language, files: countOf(language) }));
}

/** Of a file that does not exist, or is left out, the name tells. */
function followedLanguage({ files }: Known, path: string): string | undefined {
  return files.get(path)?.language ?? languageOf(path)?.name;
}

function usesOf(name: string): readonly string[] {
  return LANGUAGES.find((each) => each.name === name)?.uses ?? [];
}

function knownLanguage(path: string): KnownByName | undefined {
  return BY_EXTENSION.get(posix.extname(path).toLowerCase());
}
