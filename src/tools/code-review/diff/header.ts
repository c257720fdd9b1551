import type { FileChange } from "./file-change.ts";
import { readQuotedPath } from "./quoted-path.ts";

/** The contents of the lines above a file's hunks. */
export interface Header {
  old?: string;
  new?: string;
  /** From `diff --git`, for files without `---` and `+++`. */
  named?: string;
  kind?: FileChange["kind"];
  binary: boolean;
}

const EXTENDED: [RegExp, (header: Header, rest: string) => void][] = [
  [/^(?:new file mode|new mode) /, (header) => setKind(header, "added")],
  [/^old mode /, (header) => setKind(header, "mode")],
  [/^deleted file mode /, (header) => setKind(header, "deleted")],
  [/^rename to /, (header, rest) => setTarget(header, "renamed", rest)],
  [/^copy to /, (header, rest) => setTarget(header, "copied", rest)],
  [/^(?:Binary files |GIT binary patch)/, (header) => setBinary(header)],
  [/^--- /, (header, rest) => setSide(header, "old", rest)],
  [/^\+\+\+ /, (header, rest) => setSide(header, "new", rest)],
];

/** Reads a header line into `header`. Reports whether it is one of those that are read. */
export function readHeaderLine(header: Header, line: string): boolean {
  for (const [pattern, note] of EXTENDED) {
    const match = pattern.exec(line);
    if (!match) continue;
    note(header, line.slice(match[0].length));
    return true;
  }
  return false;
}

/** Returns the change that a header describes, without its hunks, or undefined if it names no file. */
export function changeOf(header: Header): FileChange | undefined {
  const { kind, binary } = header;
  const [before, after] = withoutPrefixes(header.old, header.new);
  const path = after === undefined || after === "/dev/null" ? before : after;
  const chosen = header.kind === "renamed" || header.kind === "copied" ? header.named : path;
  const found = chosen ?? path ?? header.named;
  if (found === undefined || found === "/dev/null") return undefined;
  const seen = before === "/dev/null" ? "added" : after === "/dev/null" ? "deleted" : "modified";
  return { path: found, kind: kind ?? seen, binary, hunks: [] };
}

/**
 * Returns the path that `diff --git a/x b/x` names twice. Unquoted names may contain spaces, so the line is split
 * in the middle if both halves are equal. A rename repeats its names in lines of their own.
 */
export function pathOfGitLine(rest: string): string | undefined {
  if (rest.startsWith('"')) return withoutPrefix(readQuotedPath(rest));
  const quoted = rest.indexOf(' "');
  if (quoted > 0) return withoutPrefix(readQuotedPath(rest.slice(quoted + 1)));
  const middle = (rest.length - 1) / 2;
  const [left, right] = [rest.slice(0, middle), rest.slice(middle + 1)];
  if (rest[middle] === " " && withoutPrefix(left) === withoutPrefix(right)) return withoutPrefix(right);
  return withoutPrefix(rest.slice(rest.lastIndexOf(" ") + 1));
}

/** The first kind wins: `new mode` behind `old mode` does not add a file. */
function setKind(header: Header, kind: FileChange["kind"]): void {
  if (header.kind === undefined) header.kind = kind;
}

function setSide(header: Header, side: "old" | "new", rest: string): void {
  header[side] = pathOf(rest);
}

function setTarget(header: Header, kind: "renamed" | "copied", rest: string): void {
  header.kind = kind;
  header.named = pathOf(rest);
}

function setBinary(header: Header): void {
  header.binary = true;
}

/** Git writes a tab behind a name with spaces; other tools write a tab and the file's timestamp. */
function pathOf(text: string): string | undefined {
  if (text.startsWith('"')) return readQuotedPath(text);
  const tab = text.indexOf("\t");
  return tab < 0 ? text : text.slice(0, tab);
}

/** Strips `a/` and `b/` only if both sides have such a prefix: with --no-prefix they are real folders. */
function withoutPrefixes(before: string | undefined, after: string | undefined) {
  const prefixed = [before, after].every(
    (path) => path === undefined || path === "/dev/null" || /^[abciow12]\//.test(path),
  );
  return prefixed ? [withoutPrefix(before), withoutPrefix(after)] : [before, after];
}

function withoutPrefix(path: string): string;
function withoutPrefix(path: string | undefined): string | undefined;
function withoutPrefix(path: string | undefined): string | undefined {
  return path?.replace(/^[abciow12]\//, "");
}
