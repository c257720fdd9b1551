import { extname } from "node:path";
import { cacheFile } from "../../repository/cache-file.ts";
import { readerOf } from "../../repository/files/read-file.ts";
import { kindsOf } from "../../tools/context-optimizer/kinds.ts";
import type { SearchedFile } from "../../tools/context-optimizer/retrieval/searched-file.ts";
import { searchedFile } from "../../tools/context-optimizer/retrieval/whole-pieces.ts";
import { readIndex, writeIndex } from "./kept-index.ts";

/** The files of a repository, and which of them are searched. */
export interface RepositoryFiles {
  /** Absolute path of the directory that the paths are relative to. */
  top: string;
  cacheDirectory?: string;
  /** All files. `hash` is of the contents; `id` is the displayed name, absent if the file is not searched. */
  files: readonly { path: string; hash: string; id?: string }[];
}

/** Returns the searchable files. Files unchanged since they were indexed are not read. */
export function searchedRepository({ top, cacheDirectory, files }: RepositoryFiles): SearchedFile[] {
  const file = cacheFile(cacheDirectory, top, "searches");
  const kept = readIndex(file);
  const made = new Map<string, SearchedFile["pieces"]>();
  const { contents } = readerOf(top);
  const keyOf = ({ path, hash }: { path: string; hash: string }) => `${hash}${extname(path)}`;
  const searched = files.flatMap(({ path, id, hash }) => {
    if (id === undefined) return [];
    const key = keyOf({ path, hash });
    const known = kept.get(key) ?? made.get(key);
    if (known) return [{ path: id, pieces: known }];
    const text = contents(path)?.toString("utf8");
    if (text === undefined) return [];
    const [kind = "prose"] = kindsOf([{ id: path, content: text }]);
    const { pieces } = searchedFile(id, text, kind);
    made.set(key, pieces);
    return [{ path: id, pieces }];
  });
  if (made.size > 0) {
    const there = new Set(files.map(keyOf));
    writeIndex(file, new Map([...kept, ...made].filter(([key]) => there.has(key))));
  }
  return searched;
}
