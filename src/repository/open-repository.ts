import { dependenciesOf, resolutionsOf } from "./dependencies.ts";
import type { LazyFacts } from "./facts.ts";
import { linkedPaths } from "./files/linked-paths.ts";
import { listFiles } from "./files/list-files.ts";
import { readerOf, textOf } from "./files/read-file.ts";
import { readFiles } from "./read-files.ts";
import type { OpenOptions, Repository, RepositoryFile } from "./repository.ts";
import { openScanCache } from "./scan-cache.ts";
import { isRustTest, testsAmong } from "./tests/tests-among.ts";

/**
 * Opens the repository around a directory in its current state. Files that did not change since an earlier run are not
 * read again. Rejects if there is no such directory, or if it holds too many files.
 */
export async function openRepository(directory: string, options: OpenOptions = {}): Promise<Repository> {
  const { cacheDirectory, signal, gone = [] } = options;
  const { top, prefix, name, paths, sparse, refusal } = await listFiles(directory, signal);
  const reader = readerOf(top);
  const before = openScanCache(cacheDirectory, top);
  const { entries, leftOut, existing } = await readFiles(paths, {
    reader,
    sparse,
    kept: before.entries,
    signal,
  });
  const linked = linkedPaths(leftOut.link, existing, (path) => reader.link(path));
  const text = (path: string) => {
    const contents = reader.contents(path);
    return contents && textOf(contents);
  };
  const resolutions = resolutionsOf({
    entries,
    paths: new Set([...existing, ...gone, ...linked.keys()]),
    linked,
    text: (path) => text(linked.get(path) ?? path),
    before,
  });
  before.save({ entries, resolutions });

  const depends = dependenciesOf(resolutions);
  const isTest = testsAmong(paths);
  const imported = new Set(depends.edges.map(({ to }) => to));
  const files = new Map<string, RepositoryFile>();
  for (const [path, { bytes, hash, reason, language, facts }] of entries) {
    if (reason) continue;
    files.set(path, {
      path,
      bytes,
      hash,
      language,
      isTest:
        language === "rust"
          ? isRustTest(path, { holdsTests: holdsTests(facts), isModule: imported.has(path) })
          : isTest(path),
      get holdsTests() {
        return holdsTests(facts);
      },
      get definitions() {
        return facts?.value.definitions ?? [];
      },
    });
  }
  return { top, name, prefix, files, leftOut, linked, text, ...depends, refusal };
}

function holdsTests(facts: LazyFacts | undefined): boolean {
  return facts?.value.holdsTests === true;
}
