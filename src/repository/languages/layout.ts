import { firstIndex } from "../../system/binary-search.ts";

/** The positions of lines and brackets in a blanked text. */
export interface Layout {
  code: string;
  /** The line of a position, from 1. */
  lineAt(position: number): number;
  /** The position of the bracket that closes the one at `position`, or the end of the text. */
  closing(position: number): number;
  /** How many braces are open at a position. */
  depthAt(position: number): number;
}

/** How many open brackets one closing bracket may close, its own included. */
const MAX_UNCLOSED = 8;
const CLOSES: Readonly<Record<string, string>> = { ")": "(", "]": "[", "}": "{" };

export function layoutOf(code: string): Layout {
  const lines = [0];
  for (let at = code.indexOf("\n"); at >= 0; at = code.indexOf("\n", at + 1)) lines.push(at + 1);

  const closings = new Map<number, number>();
  const braces: number[] = [];
  const depths: number[] = [];
  const open: number[] = [];
  let depth = 0;
  for (const { index, 0: bracket } of code.matchAll(/[()[\]{}]/g)) {
    const opening = CLOSES[bracket];
    if (opening === undefined) open.push(index);
    else {
      // An unmatched closing bracket is ignored. An unclosed opening one ends with the brackets around it.
      const near = open.slice(-MAX_UNCLOSED);
      const match = near.findLastIndex((at) => code[at] === opening);
      if (match >= 0) for (const at of open.splice(match - near.length)) closings.set(at, index);
    }
    if (bracket === "{" || bracket === "}") {
      depth = Math.max(0, depth + (bracket === "{" ? 1 : -1));
      braces.push(index);
      depths.push(depth);
    }
  }

  return {
    code,
    lineAt: (position) => lastAtMost(lines, position) + 1,
    closing: (position) => closings.get(position) ?? code.length,
    depthAt: (position) => depths[lastAtMost(braces, position - 1)] ?? 0,
  };
}

/** Returns the index of the last of ascending numbers that is at most `value`, or -1. */
function lastAtMost(numbers: readonly number[], value: number): number {
  return firstIndex(numbers, (number) => number > value) - 1;
}
