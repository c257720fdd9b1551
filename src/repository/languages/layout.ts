/** Where the lines and brackets of a blanked text are. */
export interface Layout {
  code: string;
  /** From 1. */
  lineAt(position: number): number;
  /** Of the bracket that closes the one at a position; the end of the text where none does. */
  closing(position: number): number;
  /** How many braces are open at a position. */
  depthAt(position: number): number;
}

/** Brackets that one closing bracket may close, its own among them. */
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
      // A bracket that was never opened closes nothing; one that is left open ends where what is around it ends.
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

/** Index of the last of ascending numbers that is not above; -1 where all are. */
function lastAtMost(numbers: readonly number[], value: number): number {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] as number) <= value) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
