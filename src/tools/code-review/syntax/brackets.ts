import type { LexedFragment } from "./lexed-fragment.ts";
import { oncePerFragment } from "./lookup/once-per-fragment.ts";

interface Brackets {
  /** For each token, the index of the innermost bracket around it; -1 for none. */
  around: Int32Array;
  /** Brackets that directly contain a semicolon. */
  withStatements: ReadonlySet<number>;
}

const bracketsOf = oncePerFragment(({ tokens }): Brackets => {
  const around = new Int32Array(tokens.length).fill(-1);
  const withStatements = new Set<number>();
  const open: number[] = [];
  for (const [index, { kind, partner, text }] of tokens.entries()) {
    // Brackets that are still open inside the one that ends here are never closed.
    if (kind === "close" && partner >= 0) while (open.length > 0 && open.pop() !== partner);
    around[index] = open.at(-1) ?? -1;
    if (kind === "open") open.push(index);
    else if (kind === "mark" && text === ";" && open.length > 0) withStatements.add(open.at(-1) as number);
  }
  return { around, withStatements };
});

/** Returns the index of the innermost bracket around a token. */
export function enclosingBracket(fragment: LexedFragment, at: number): number | undefined {
  const open = bracketsOf(fragment).around[at] ?? -1;
  return open < 0 ? undefined : open;
}

/** Whether a bracket directly contains statements that end in a semicolon. */
export function holdsStatements(fragment: LexedFragment, open: number): boolean {
  return bracketsOf(fragment).withStatements.has(open);
}
