import type { PatternIndex } from "../patterns/pattern-index.ts";

/** Where the lines of a log lie. LF, CR and CRLF each end one, so a progress bar is a line a stroke. */
export interface LogLines {
  readonly count: number;
  /** 0-based; without its end, at most `MAX_READ` characters of it. */
  raw(index: number): string;
  /** The numbers of the patterns that may match the line. */
  possible(index: number, patterns: PatternIndex): readonly number[];
}

/** What stands further right in a line says no more about a failure. */
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

/** Start and end of each line, one after the other. An end of line at the very end begins no other. */
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
