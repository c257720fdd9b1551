import type { Around } from "./diagnostic.ts";

/** Lines that are read upwards for the file that TeX is in. */
const MAX_LINES_ABOVE = 1000;
const MAX_LINES_BELOW = 12;
const PARENTHESES = /\((?<file>\.{0,2}[\w/][^\s(){}]*\.[A-Za-z]\w{0,7})?|\)/g;

/**
 * Returns the place of an error of TeX: the file whose parenthesis is open, since TeX prints `(./paper.tex` when it
 * begins to read a file and `)` when it ends, and the line that `l.12` below the error names.
 */
export function texPlace(around: Around, isOwn: (file: string) => boolean) {
  const file = openFile(around, isOwn);
  return file === undefined ? undefined : { file, ...lineBelow(around) };
}

function lineBelow(around: Around): { line?: string } {
  for (let offset = 1; offset <= MAX_LINES_BELOW; offset++) {
    const line = /^l\.(\d+)\b/.exec(around(offset) ?? "")?.[1];
    if (line) return { line };
  }
  return {};
}

function openFile(around: Around, isOwn: (file: string) => boolean): string | undefined {
  let closed = 0;
  for (let offset = -1; offset >= -MAX_LINES_ABOVE; offset--) {
    const text = around(offset);
    if (text === undefined) return undefined;
    for (const found of [...text.matchAll(PARENTHESES)].reverse()) {
      if (found[0] === ")") closed++;
      else if (closed > 0) closed--;
      else if (found.groups?.file && isOwn(found.groups.file)) return found.groups.file;
    }
  }
  return undefined;
}
