import type { Facts } from "./facts.ts";
import { openFactsCache } from "./facts-cache.ts";
import { listFiles } from "./files/list-files.ts";
import { readerOf } from "./files/read-file.ts";
import { LANGUAGES, languageOf } from "./languages/languages.ts";
import { readFiles } from "./read-files.ts";
import type { Edge, OpenOptions, Repository, RepositoryFile } from "./repository.ts";
import { isRustTest, testsAmong } from "./tests/tests-among.ts";

/**
 * Opens the repository around a directory in its current state. Files that did not change since an earlier run are not
 * read again. Rejects if there is no such directory, or if it holds too many files.
 */
export async function openRepository(directory: string, options: OpenOptions = {}): Promise<Repository> {
  const { cacheDirectory, signal, gone = [] } = options;
  const { top, prefix, name, paths, sparse } = await listFiles(directory, signal);
  const reader = readerOf(top);
  const kept = openFactsCache(cacheDirectory, top);
  const { entries, leftOut, existing } = await readFiles(paths, {
    reader,
    sparse,
    kept: kept.entries,
    signal,
  });
  kept.save(entries);

  const facts = new Map(
    [...entries].flatMap(([path, entry]) => (entry.facts ? [[path, entry.facts] as const] : [])),
  );
  const text = (path: string) => reader.contents(path)?.toString("utf8");
  const depends = dependencies(facts, new Set([...existing, ...gone]), text);
  const isTest = testsAmong(paths);
  const imported = new Set(depends.edges.map(({ to }) => to));
  const files = new Map<string, RepositoryFile>();
  for (const [path, { bytes, hash, reason, facts: found }] of entries) {
    if (reason) continue;
    const language = languageOf(path)?.name;
    const holdsTests = found?.holdsTests === true;
    files.set(path, {
      path,
      bytes,
      hash,
      language,
      isTest:
        language === "rust" ? isRustTest(path, { holdsTests, isModule: imported.has(path) }) : isTest(path),
      holdsTests,
      definitions: found?.definitions ?? [],
    });
  }
  return { top, name, prefix, files, leftOut, text, ...depends };
}

type Dependencies = Pick<Repository, "edges" | "packages" | "missing">;

function dependencies(
  facts: ReadonlyMap<string, Facts>,
  paths: ReadonlySet<string>,
  text: (path: string) => string | undefined,
): Dependencies {
  const edges: Edge[] = [];
  const packages: { from: string; id: string; name: string }[] = [];
  const missing: { from: string; module: string }[] = [];
  for (const language of LANGUAGES) {
    const own = new Map([...facts].filter(([path]) => language.files.test(path)));
    if (own.size === 0) continue;
    const resolve = language.resolver({ paths, facts: own, text });
    for (const [from, found] of own) {
      const seen = new Set<string>();
      const isNew = (key: string) => !seen.has(key) && seen.add(key);
      for (const target of resolve(from, found)) {
        if (target.kind === "missing") {
          if (isNew(`missing ${target.module}`)) missing.push({ from, module: target.module });
        } else if (target.kind === "package") {
          if (isNew(`package ${target.id}`)) packages.push({ from, id: target.id, name: target.name });
        } else if (target.path !== from && isNew(target.path)) edges.push({ from, to: target.path });
      }
    }
  }
  return { edges: edges.sort(byEnds), packages, missing };
}

function byEnds(left: Edge, right: Edge): number {
  return compare(left.from, right.from) || compare(left.to, right.to);
}

function compare(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
