import type { PatternIndex } from "../patterns/pattern-index.ts";

/** The lines of a log. LF, CR and CRLF each end one, so each update of a progress bar is a line. */
export interface LogLines {
  readonly count: number;
  /** Returns a line by its 0-based index, without its end and cut to `MAX_READ` characters. */
  raw(index: number): string;
  /** Returns the numbers of the patterns that may match the line. */
  possible(index: number, patterns: PatternIndex): readonly number[];
}

/** Characters of a line that are read. The rest says no more about a failure. */
export const MAX_READ = 2000;

const [LF, CR] = [10, 13];

export function splitLines(text: string): LogLines {
  const bounds = boundsOf(text);
  const startOf = (index: number) => bounds[2 * index] as number;
  const endOf = (index: number) => Math.min(bounds[2 * index + 1] as number, startOf(index) + MAX_READ);
  return {
    count: bounds.length / 2,
    raw: (index) => text.slice(startOf(index), endOf(index)),
    possible: (index, patterns) => patterns.candidates(text, startOf(index), endOf(index)),
  };
}

/** Returns the start and end of each line, alternating. A line end at the very end begins no other line. */
function boundsOf(text: string): Int32Array {
  let bounds = new Int32Array(1024);
  let used = 0;
  const add = (start: number, end: number) => {
    if (used === bounds.length) {
      const longer = new Int32Array(2 * used);
      longer.set(bounds);
      bounds = longer;
    }
    bounds[used++] = start;
    bounds[used++] = end;
  };
  let start = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code !== LF && code !== CR) continue;
    add(start, at);
    if (code === CR && text.charCodeAt(at + 1) === LF) at++;
    start = at + 1;
  }
  if (start < text.length) add(start, text.length);
  return bounds.subarray(0, used);
}
