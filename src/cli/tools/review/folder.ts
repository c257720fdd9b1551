import { existsSync, statSync } from "node:fs";
import { isAbsolute, join, relative, resolve, sep } from "node:path";
import { MAX_FILE_BYTES, reasonByName } from "../../../repository/files/left-out.ts";
import { listFiles, MAX_FILES } from "../../../repository/files/list-files.ts";
import { readerOf } from "../../../repository/files/read-file.ts";
import { walk } from "../../../repository/files/walk.ts";
import { UsageError } from "../../exit-codes.ts";
import type { Io } from "../../terminal/io.ts";
import { count } from "../../ui/format.ts";
import { MAX_DIFF_BYTES, tooMuch } from "./piped.ts";
import { workingTree } from "./snapshot.ts";

/** Returns a diff in which the working directory, or some of its files and folders, are new; used without git. */
export async function diffOfFolder({ workingDirectory, err, interrupted }: Io, words: readonly string[]) {
  const wanted = words.map((word) => pathOf(word, workingDirectory));
  const { top, paths, refusal } = await listFiles(workingDirectory, interrupted);
  if (refusal) err.line(`${refusal.message} Until then, whole files are reviewed.`);
  const chosen = wanted.length === 0 ? paths : new Set(wanted.flatMap((each) => filesIn(each, paths, top)));
  const reader = readerOf(top);
  const texts: string[] = [];
  const read: string[] = [];
  let bytes = 0;
  let [tooLarge, unread] = [0, 0];
  for (const path of chosen) {
    if (reasonByName(path) === "binary") continue;
    const found = reader.stat(path);
    if (!found?.isFile()) continue;
    const contents = reader.contents(path);
    if (found.size > MAX_FILE_BYTES) tooLarge++;
    else if (!contents) unread++;
    if (!contents || contents.length === 0 || contents.includes(0)) continue;
    const text = asNew(path, contents.toString("utf8"));
    bytes += Buffer.byteLength(text);
    if (bytes > MAX_DIFF_BYTES) throw tooMuch();
    texts.push(text);
    read.push(path);
  }
  if (tooLarge > 0)
    err.line(
      `Left out, since a file of more than ${MAX_FILE_BYTES >> 20} MiB is data: ${count(tooLarge, "file")}.`,
    );
  if (unread > 0) err.line(leftUnread(unread));
  return { text: texts.join(""), of: { paths: read, around: () => workingTree(top, interrupted) } };
}

export function leftUnread(files: number): string {
  return `Left out, since you may not read it: ${count(files, "file")}.`;
}

/** Returns a path relative to the directory, with slashes; empty for the directory itself. */
function pathOf(word: string, directory: string): string {
  const path = resolve(directory, word);
  if (!existsSync(path)) {
    throw new UsageError(
      `"${word}" is no file or folder here, and without a git repository there are no revisions.`,
    );
  }
  const below = relative(directory, path);
  if (below === ".." || below.startsWith(`..${sep}`) || isAbsolute(below)) {
    throw new UsageError(`"${word}" is outside this folder.`, "Run this in its folder.");
  }
  return below.split(sep).join("/");
}

/** Returns the listed files in a path. If there are none, includes hidden and ignored ones, since they were named. */
function filesIn(wanted: string, listed: readonly string[], top: string): readonly string[] {
  const found =
    wanted === "" ? listed : listed.filter((path) => path === wanted || path.startsWith(`${wanted}/`));
  if (found.length > 0) return found;
  const isDirectory = statSync(join(top, wanted)).isDirectory();
  return isDirectory ? walk(join(top, wanted), MAX_FILES).map((path) => `${wanted}/${path}`) : [wanted];
}

/** Returns the diff of a new file in git's format. */
function asNew(path: string, text: string): string {
  const lines = text.split("\n");
  const isEnded = lines.at(-1) === "";
  if (isEnded) lines.pop();
  const name = quoted(`b/${path}`);
  return [
    `diff --git ${quoted(`a/${path}`)} ${name}`,
    "new file mode 100644",
    "--- /dev/null",
    `+++ ${name}`,
    `@@ -0,0 +1,${lines.length} @@`,
    ...lines.map((line) => `+${line}`),
    ...(isEnded ? [] : ["\\ No newline at end of file"]),
    "",
  ].join("\n");
}

/** Quotes a name that contains quotes, backslashes or control characters, as git does. */
function quoted(name: string): string {
  return /["\\\p{Cc}]/u.test(name) ? JSON.stringify(name) : name;
}
