import { existsSync, statSync } from "node:fs";
import { resolve } from "node:path";
import type { RepositoryFiles } from "../../../local/searching/searched-repository.ts";
import { isBinary } from "../../../repository/files/left-out.ts";
import type { Context } from "../../context.ts";
import { UsageError } from "../../exit-codes.ts";
import { inputName, readBytes } from "../../terminal/input.ts";
import { count } from "../../ui/format.ts";
import { filesOf } from "./repository-files.ts";

/** A text to search, and its name. */
export interface Source {
  id: string;
  content: string;
}

export interface Sources {
  /** The texts of the files that were named individually, and of stdin. */
  items: Source[];
  /** The files to search in the repository. They are only searched on this machine, so they are not read here. */
  repository?: RepositoryFiles;
  /** The total number of texts. */
  count: number;
}

/** The most bytes of individually named files, as much as a server accepts. */
const MAX_NAMED_BYTES = 16 << 20;
const GLOB = /[*?[]/;

/** Returns files, directories, globs and stdin without duplicates; by default the current repository. */
export async function sourcesOf(context: Context, words: readonly string[]): Promise<Sources> {
  const named = words.filter((word) => !isMany(context, word));
  const many = words.filter((word) => isMany(context, word));
  const repository = words.length === 0 || many.length > 0 ? await filesOf(context, many) : undefined;
  const searched = new Set(repository?.files.flatMap(({ id }) => id ?? []));
  const items: Source[] = [];
  const binary: string[] = [];
  let left = MAX_NAMED_BYTES;
  for (const id of new Set(named)) {
    if (searched.has(id)) continue;
    if (/\p{Cc}/u.test(id)) {
      throw new UsageError(`${id} has control characters in its name.`, "Pipe it in: tool context - < file");
    }
    const contents = await readBytes(context.io, id, MAX_NAMED_BYTES);
    if (isBinary(contents)) {
      binary.push(inputName(id));
      continue;
    }
    left -= contents.length;
    if (left < 0) {
      throw new UsageError(
        `The files hold more than ${MAX_NAMED_BYTES >> 20} MiB together.`,
        "Name fewer, or their directory.",
      );
    }
    items.push({ id, content: contents.toString("utf8") });
  }
  noteBinary(context, binary, items.length + searched.size === 0);
  return { items, count: searched.size + items.length, repository };
}

/** Notes the binary files that were left out. Throws `UsageError` if no other file is left. */
function noteBinary({ progress }: Context, names: readonly string[], isAll: boolean): void {
  if (names.length === 0) return;
  const [first] = names;
  const what = names.length === 1 ? `${first} is binary` : `${count(names.length, "file")} are binary`;
  if (isAll) throw new UsageError(`${what}, so there is no text to keep.`, "Name files of text.");
  progress.note(`Left out: ${what}.`);
}

/** Whether a word is a directory, or a glob that the shell did not expand. */
function isMany({ io }: Context, word: string): boolean {
  if (word === "-") return false;
  const path = resolve(io.workingDirectory, word);
  return existsSync(path) ? statSync(path).isDirectory() : GLOB.test(word);
}
