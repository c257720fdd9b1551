import { LEVEL } from "../flow/level.ts";
import type { Language } from "../language/language.ts";
import { TAINT_FILES } from "./files.ts";
import type { ReaderEntry, SinkEntry, SinkRule, TaintFile } from "./schema.ts";
import type { Reader, Sink, Sinks } from "./sink.ts";

/** Of each language: dotted paths, with `[]` and `()` for what is indexed and called, that hold what a client sent. */
export const SOURCES: Partial<Record<Language, RegExp>> = byLanguage(({ language, sources }) =>
  compiled(sources.map(({ path }) => path).join("|"), `a source of ${language}`),
);

/** Of each language: calls that must not get what others control, by the rule that reports them. */
export function sinksOf(rule: SinkRule): Sinks {
  return byLanguage(({ language, sinks }) => sinks?.[rule]?.map((entry) => sinkOf(entry, language)));
}

/** Of each language: calls that make whatever object a text describes. */
export const READERS: Partial<Record<Language, readonly Reader[]>> = byLanguage(({ language, sinks }) =>
  sinks?.["unsafe-deserialization"]?.map((entry) => readerOf(entry, language)),
);

function byLanguage<T>(of: (file: TaintFile) => T | undefined): Partial<Record<Language, T>> {
  const table: Partial<Record<Language, T>> = {};
  for (const file of TAINT_FILES) {
    const value = of(file);
    if (value !== undefined) table[file.language] = value;
  }
  return table;
}

function sinkOf(entry: SinkEntry, language: Language): Sink {
  return {
    names: entry.names,
    ...pathOf(entry, language),
    ...(entry.argument !== undefined && { argument: entry.argument }),
    atLeast: LEVEL[entry.atLeast],
    ...(entry.variant && { variant: entry.variant }),
  };
}

function readerOf(entry: ReaderEntry, language: Language): Reader {
  const where = `${entry.names[0]} of ${language}`;
  return {
    names: anyOf(entry.names),
    ...pathOf(entry, language),
    ...(entry.unless && { unless: compiled(entry.unless, where) }),
    ...(entry.onlyWith && { onlyWith: compiled(entry.onlyWith, where) }),
    ...(entry.always && { always: true }),
    ...(entry.variant && { variant: entry.variant }),
  };
}

function pathOf({ names, path, ignoreCase }: SinkEntry | ReaderEntry, language: Language): { path?: RegExp } {
  return path ? { path: compiled(path, `${names[0]} of ${language}`, ignoreCase ? "i" : "") } : {};
}

/** Exactly one of these words. */
export function anyOf(words: readonly string[]): RegExp {
  return new RegExp(`^(?:${words.map((word) => word.replace(/[$?]/g, "\\$&")).join("|")})$`);
}

/** Throws where it is no regular expression, and says whose it is. */
function compiled(source: string, where: string, flags = ""): RegExp {
  try {
    return new RegExp(source, flags);
  } catch (error) {
    throw new Error(`The pattern of ${where} is not a regular expression.`, { cause: error });
  }
}
