import { defined } from "../../../system/defined.ts";
import { LEVEL } from "../flow/level.ts";
import type { Language } from "../language/language.ts";
import { TAINT_FILES } from "./files.ts";
import type { ReaderEntry, SinkEntry, SinkRule, TaintFile } from "./schema.ts";
import type { Called, Reader, Sink, Sinks } from "./sink.ts";

/** By language: expressions (dotted paths, `[]` for indexing, `()` for calls) that carry data from a client. */
export const SOURCES = sourcesThat(({ local }) => !local);

/** By language: expressions that carry data from the command line. */
export const LOCAL_SOURCES = sourcesThat(({ local }) => local === true);

function sourcesThat(
  are: (source: TaintFile["sources"][number]) => boolean,
): Partial<Record<Language, RegExp>> {
  return byLanguage(({ language, sources }) => {
    const paths = sources.filter(are).map(({ path }) => path);
    return paths.length > 0 ? compiled(paths.join("|"), `a source of ${language}`) : undefined;
  });
}

/** By language: built-in functions whose results contain nothing but their arguments. */
export const PURE_CALLS: Partial<Record<Language, ReadonlySet<string>>> = byLanguage(({ pure }) =>
  pure ? new Set(pure) : undefined,
);

/** Returns the sinks that a rule reports, by language. */
export function sinksOf(rule: SinkRule): Sinks {
  return byLanguage(({ language, sinks }) => sinks?.[rule]?.map((entry) => sinkOf(entry, language)));
}

/** By language: calls that create any object that their input describes. */
export const READERS: Partial<Record<Language, readonly Reader[]>> = byLanguage(({ language, sinks }) =>
  sinks?.["unsafe-deserialization"]?.map((entry) => calledOf(entry, language)),
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
    ...calledOf(entry, language),
    ...defined({ argument: entry.argument }),
    ...(entry.option && { option: entry.option }),
    // What distrusts requests distrusts the command line too.
    atLeast: LEVEL[entry.atLeast === "request" ? "commandLine" : entry.atLeast],
  };
}

function calledOf(entry: SinkEntry | ReaderEntry, language: Language): Called {
  const { names, path, ignoreCase, assigned, unless, onlyWith, always, variant, says } = entry;
  const where = `${names[0]} of ${language}`;
  return {
    names,
    ...(path && { path: compiled(path, where, ignoreCase ? "i" : "") }),
    ...(assigned && { assigned }),
    ...(unless && { unless: compiled(unless, where) }),
    ...(onlyWith && { onlyWith: compiled(onlyWith, where) }),
    ...(always && { always }),
    ...(variant && { variant }),
    ...(says && { says }),
  };
}

/** Returns an expression that matches exactly one of the words. */
export function anyOf(words: readonly string[]): RegExp {
  return new RegExp(`^(?:${words.map((word) => word.replace(/[$?]/g, "\\$&")).join("|")})$`);
}

/** Compiles a pattern. The error for an invalid one names the entry that it belongs to. */
function compiled(source: string, where: string, flags = ""): RegExp {
  try {
    return new RegExp(source, flags);
  } catch (error) {
    throw new Error(`The pattern of ${where} is not a regular expression.`, { cause: error });
  }
}
