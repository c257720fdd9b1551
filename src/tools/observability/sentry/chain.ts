import type { Cause } from "../reported-error.ts";
import { lineOf, type SourceFrame } from "./frames.ts";

/** What was thrown, or a cause of it. */
export interface Link {
  type: string;
  message: string;
  frames: readonly SourceFrame[];
}

/** An error with its causes, as far as it is kept. */
interface Chain {
  frames: readonly SourceFrame[];
  causes: (Cause & { frames: readonly SourceFrame[] })[];
  /** A line for each call, with a heading above those of each cause. */
  calls: string[];
}

/** Causes that are kept: those nearest to what was thrown. */
export const MAX_CAUSES = 4;
/** Calls that are kept of each link of a chain. What stands alone keeps all that were read. */
const MAX_CALLS = 25;

/** Puts the calls of what was thrown and of its causes, the nearest first, below each other. */
export function chained(thrown: Link, causes: readonly Link[]): Chain {
  if (causes.length === 0) return { frames: thrown.frames, causes: [], calls: thrown.frames.map(lineOf) };
  const frames = thrown.frames.slice(0, MAX_CALLS);
  const chain: Chain = { frames, causes: [], calls: linesOf(frames, thrown.frames.length) };
  let outer = thrown;
  for (const cause of causes) {
    const own = cause.frames.slice(0, cause.frames.length - sharedBy(cause, outer)).slice(0, MAX_CALLS);
    chain.calls.push(`Caused by: ${cause.message === "" ? cause.type : `${cause.type}: ${cause.message}`}`);
    chain.causes.push({ ...cause, frames: own, from: chain.calls.length });
    chain.calls.push(...linesOf(own, cause.frames.length));
    outer = cause;
  }
  return chain;
}

function linesOf(frames: readonly SourceFrame[], all: number): string[] {
  const more = all - frames.length;
  return [...frames.map(lineOf), ...(more > 0 ? [`    … ${more} more`] : [])];
}

/** Returns the number of outermost calls that two stacks have in common. */
function sharedBy(cause: Link, outer: Link): number {
  const [one, other] = [cause, outer].map(({ frames }) => frames.map(lineOf).reverse()) as [
    string[],
    string[],
  ];
  const differing = one.findIndex((line, index) => line !== other[index]);
  return differing < 0 ? Math.max(0, one.length - 1) : differing;
}
