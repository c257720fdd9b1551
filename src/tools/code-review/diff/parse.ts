import { Problem } from "../../../contract/problem.ts";
import type { FileChange, Hunk } from "./file-change.ts";
import { changeOf, type Header, pathOfGitLine, readHeaderLine } from "./header.ts";

/** `@@ -1,2 +1,3 @@`. A merge has a `-` range for each parent, and one more `@` on either side than it has parents. */
const HUNK = /^(@@{1,9})((?: -\d{1,10}(?:,\d{1,10})?){1,9}) \+(\d{1,10})(?:,(\d{1,10}))? @@/;
const RANGE = /-\d{1,10}(?:,(\d{1,10}))?/g;

/**
 * Parses a unified or git diff into the changes of its files. Text around them (a commit message, a mail's
 * signature) is skipped. A hunk that contradicts its header is `unprocessable`, with the line.
 */
export function parseDiff(diff: string): FileChange[] {
  const lines = diff.split("\n");
  if (lines.at(-1) === "") lines.pop();
  const changes: FileChange[] = [];
  let header: Header | undefined;
  let change: FileChange | undefined;
  let afterHunk = false;

  const finish = () => {
    if (header && !change) change = changeOf(header);
    if (change) changes.push(change);
    header = undefined;
    change = undefined;
    afterHunk = false;
  };

  for (let at = 0; at < lines.length; ) {
    const line = withoutReturn(lines[at] as string);
    const range = line.startsWith("@@") ? HUNK.exec(line) : null;
    if (range) {
      change ??= header && changeOf(header);
      if (!change) throw fault(at, "a hunk without a file: `---` and `+++` are missing above it");
      const read = readHunk(lines, at, range);
      change.hunks.push(read.hunk);
      at = read.next;
      afterHunk = true;
      continue;
    }
    if (line.startsWith("diff --")) {
      finish();
      header = { binary: false, named: pathOfDiffLine(line) };
    } else if (line.startsWith("--- ") && withoutReturn(lines[at + 1] ?? "").startsWith("+++ ")) {
      if (!header || change || header.old !== undefined) {
        finish();
        header = { binary: false };
      }
      readHeaderLine(header, line);
      readHeaderLine(header, withoutReturn(lines[at + 1] as string));
      at++;
    } else if (afterHunk && /^(?:\+|-(?!- ?$))/.test(line)) {
      throw fault(at, "a changed line that belongs to no hunk: the hunk above it has all its lines");
    } else if (line.startsWith("@@")) {
      throw fault(at, "a hunk header that cannot be read");
    } else {
      afterHunk &&= line.startsWith("\\");
      if (header && !change) readHeaderLine(header, line);
    }
    at++;
  }
  finish();
  if (changes.length === 0 && diff.trim() !== "") {
    throw fault(0, "no file header: neither `diff --git` nor `---` and `+++` were found");
  }
  return changes;
}

/** Reads as many lines as the hunk's header counts. */
function readHunk(lines: readonly string[], start: number, range: RegExpExecArray) {
  const parents = (range[1] as string).length - 1;
  const left = [...(range[2] as string).matchAll(RANGE)].map((each) => Number(each[1] ?? 1));
  if (left.length !== parents) throw fault(start, "a hunk header that cannot be read");
  let number = Number(range[3]);
  let newLeft = Number(range[4] ?? 1);
  const hunk: Hunk = { lines: [] };
  let at = start + 1;
  while (newLeft > 0 || left.some((count) => count > 0)) {
    const raw = lines[at];
    if (raw === undefined) throw fault(start, "a hunk that ends before all lines that its header counts");
    at++;
    if (raw.startsWith("\\")) continue;
    // Mailers and editors strip the space of an empty context line.
    const line = withoutReturn(raw) === "" ? " ".repeat(parents) : raw;
    const marks = line.slice(0, parents);
    if (!/^[ +-]+$/.test(marks)) {
      throw fault(at - 1, "a line of a hunk must begin with a blank, `+`, `-` or `\\`");
    }
    const removed = marks.includes("-");
    for (let parent = 0; parent < parents; parent++) {
      if (marks[parent] === "-" || (!removed && marks[parent] === " "))
        left[parent] = Number(left[parent]) - 1;
    }
    if (!removed) {
      newLeft--;
      hunk.lines.push({ number, text: withoutReturn(line.slice(parents)), added: marks.includes("+") });
      number++;
    }
    if (newLeft < 0 || left.some((count) => count < 0)) {
      throw fault(at - 1, "more lines than the hunk's header counts");
    }
  }
  return { hunk, next: at };
}

function pathOfDiffLine(line: string): string | undefined {
  if (line.startsWith("diff --git ")) return pathOfGitLine(line.slice("diff --git ".length));
  // A merge has `diff --cc path` or `diff --combined path`.
  return pathOfGitLine(line.slice(line.indexOf(" ", "diff --".length) + 1));
}

function withoutReturn(line: string): string {
  return line.endsWith("\r") ? line.slice(0, -1) : line;
}

function fault(index: number, what: string): Problem {
  const detail = `The diff cannot be read: line ${index + 1} is ${what}. Send the output of \`git diff\` unchanged.`;
  return new Problem("unprocessable", detail, { members: { line: index + 1 } });
}
