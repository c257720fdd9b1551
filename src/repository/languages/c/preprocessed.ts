import { spaces } from "../blank.ts";

const DIRECTIVE = /^[ \t\f\v]*(?:#|%:)[ \t]*([a-z_]+)((?:[^\\\n]|\\[\s\S])*)/gm;

/** What the preprocessor may take from a file, positions unchanged. */
export interface Preprocessed {
  /** The code with the first branch of each condition, so that brackets stay in pairs; all else is blank. */
  code: string;
  /** The other branches, each with where it begins. */
  others: readonly { start: number; text: string }[];
  /** The directives of all branches but `#if 0`. */
  directives: readonly Directive[];
}

interface Directive extends Range {
  word: string;
  rest: string;
}

export interface Range {
  start: number;
  end: number;
}

interface Condition {
  /** Whether a branch was kept that is no `#if 0`. */
  isKept: boolean;
  /** Where the branches that are left out begin; undefined within the one that is kept. */
  leftOutFrom: number | undefined;
}

/** Reads the directives of a file in which comments and strings are blank. */
export function preprocessed(text: string): Preprocessed {
  const all: Range[] = [];
  const directives: Directive[] = [];
  const branches: Range[] = [];
  const never: Range[] = [];
  const open: Condition[] = [];
  for (const { index: start, 0: whole, 1: word = "", 2: rest = "" } of text.matchAll(DIRECTIVE)) {
    const end = start + whole.length;
    all.push({ start, end });
    const top = open.at(-1);
    if (word.startsWith("if")) {
      const isKept = !(word === "if" && /^\s*0\s*$/.test(rest));
      open.push({ isKept, leftOutFrom: isKept ? undefined : start });
    } else if (/^el(?:se|if)/.test(word) && top) {
      if (top.isKept) top.leftOutFrom ??= start;
      else {
        never.push({ start: top.leftOutFrom ?? start, end: start });
        Object.assign(top, { isKept: true, leftOutFrom: undefined });
      }
    } else if (word === "endif" && top) {
      open.pop();
      if (top.leftOutFrom !== undefined)
        (top.isKept ? branches : never).push({ start: top.leftOutFrom, end: start });
    } else directives.push({ word, rest, start, end });
  }
  const isNever = within(never);
  const plain = without(text, [...all, ...never]);
  return {
    code: without(plain, branches),
    others: outermost(branches).map(({ start, end }) => ({ start, text: plain.slice(start, end) })),
    directives: directives.filter(({ start }) => !isNever(start)),
  };
}

function outermost(ranges: readonly Range[]): Range[] {
  let reach = 0;
  return inOrder(ranges).filter(({ start, end }) => {
    const isOuter = start >= reach;
    reach = Math.max(reach, end);
    return isOuter;
  });
}

/** Returns a predicate for ascending positions. */
export function within(ranges: readonly Range[]): (position: number) => boolean {
  const outer = inOrder(ranges);
  let at = 0;
  let reach = 0;
  return (position) => {
    for (let range = outer[at]; range && range.start <= position; range = outer[++at])
      reach = Math.max(reach, range.end);
    return position < reach;
  };
}

function without(text: string, ranges: readonly Range[]): string {
  let at = 0;
  const parts: string[] = [];
  for (const { start, end } of inOrder(ranges)) {
    if (end <= at) continue;
    const from = Math.max(at, start);
    parts.push(text.slice(at, from), spaces(text.slice(from, end)));
    at = end;
  }
  return parts.join("") + text.slice(at);
}

function inOrder(ranges: readonly Range[]): Range[] {
  return ranges.toSorted((left, right) => left.start - right.start);
}
