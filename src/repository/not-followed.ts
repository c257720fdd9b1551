import { posix } from "node:path";
import { languageOf } from "./languages/languages.ts";
import data from "./languages/not-followed.json" with { type: "json" };
import type { Direction } from "./reach.ts";
import type { Repository } from "./repository.ts";

/** What a repository has of a language whose imports nobody reads here: what they would say is not known. */
export interface NotFollowed {
  language: string;
  /** How many files the repository has of it. */
  files: number;
}

interface KnownByName {
  name: string;
  extensions: readonly string[];
  files?: readonly string[];
  /** Languages whose files it uses as its own. */
  uses?: readonly string[];
}

const LANGUAGES: readonly KnownByName[] = data.languages;
const BY_EXTENSION = new Map(
  LANGUAGES.flatMap((language) => language.extensions.map((extension) => [`.${extension}`, language])),
);
const BY_NAME = new Map(
  LANGUAGES.flatMap((language) => (language.files ?? []).map((file) => [file, language])),
);

/** The language of a file that is not followed, by the name that people have for it; undefined where it is followed. */
export function notFollowedLanguage(path: string): string | undefined {
  if (languageOf(path)) return undefined;
  return knownLanguage(path)?.name ?? (posix.extname(path).toLowerCase() || posix.basename(path));
}

/** The programming languages of a repository that are not followed, those of most files first. */
export function notFollowedIn({ files }: Pick<Repository, "files">): NotFollowed[] {
  const counts = new Map<string, number>();
  for (const path of files.keys()) {
    const language = languageOf(path) ? undefined : knownLanguage(path)?.name;
    if (language !== undefined) counts.set(language, (counts.get(language) ?? 0) + 1);
  }
  return [...counts]
    .map(([language, amount]) => ({ language, files: amount }))
    .sort((left, right) => right.files - left.files);
}

/**
 * What is not followed and may depend on one of these files, or they on it. Of a file that somebody asks about its
 * ending counts as a language, too; among those that were changed, pages and settings say nothing.
 */
export function notFollowedFrom(
  repository: Pick<Repository, "files">,
  starts: readonly string[],
  direction: Direction,
  { areChanges = false } = {},
): NotFollowed[] {
  const nameOf = (path: string) => (areChanges ? knownLanguage(path)?.name : notFollowedLanguage(path));
  const own = new Set(starts.flatMap((path) => (languageOf(path) ? [] : (nameOf(path) ?? []))));
  const there = notFollowedIn(repository);
  const meant = new Set([...own, ...starts.flatMap((path) => languageOf(path)?.name ?? [])]);
  const users = there.filter(({ language }) => usesOf(language).some((each) => meant.has(each)));
  const names = new Set([...own, ...(direction === "out" ? [] : users.map(({ language }) => language))]);
  const countOf = (name: string) =>
    [...repository.files.keys()].filter((path) => notFollowedLanguage(path) === name).length;
  return [...names].map((language) => ({ language, files: countOf(language) }));
}

function usesOf(name: string): readonly string[] {
  return LANGUAGES.find((each) => each.name === name)?.uses ?? [];
}

function knownLanguage(path: string): KnownByName | undefined {
  return BY_NAME.get(posix.basename(path)) ?? BY_EXTENSION.get(posix.extname(path).toLowerCase());
}
