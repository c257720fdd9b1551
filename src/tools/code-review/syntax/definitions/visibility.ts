import { enclosingBracket } from "../brackets.ts";
import { isKeyword, MEMBER } from "../keywords.ts";
import type { LexedFragment } from "../lexed-fragment.ts";
import { memberSeenUntil } from "./class-bodies.ts";
import type { Definition } from "./definition.ts";

type Seen = (fragment: LexedFragment, definition: Definition) => number | undefined;

const SEEN: Partial<Record<LexedFragment["language"], Seen>> = {
  python: inPython,
  go: inGo,
  rust: inRust,
  ruby: inBlock,
  javascript: inJavascript,
  java: inType,
  csharp: inType,
};

/**
 * Returns the index behind the last token that sees a definition which another may stand outside of: a name of a block, a
 * comprehension or a type; undefined if the rest of its function sees it.
 */
export function seenUntil(fragment: LexedFragment, definition: Definition): number | undefined {
  return SEEN[fragment.language]?.(fragment, definition);
}

/** Maximum tokens before a name that are searched for what declares it. */
const MAX_HEAD = 24;
/** Maximum arms of a condition that see what its head names. */
const MAX_ARMS = 50;
/** Maximum tokens of a block of Ruby that are searched for its end. */
const MAX_BLOCK = 2_000;

function closeOf(fragment: LexedFragment, open: number | undefined): number | undefined {
  const { partner = -1 } = open === undefined ? {} : (fragment.tokens[open] ?? {});
  return partner < 0 ? undefined : partner;
}

/** Returns the nearest of some words before a token, up to the statement before it. */
function wordBefore(fragment: LexedFragment, at: number, words: RegExp): number | undefined {
  for (let index = at - 1; index >= Math.max(0, at - MAX_HEAD); index--) {
    if (words.test(fragment.text(index))) return index;
    if (/^[;{}]$/.test(fragment.text(index))) return undefined;
  }
  return undefined;
}

/** Returns where the block ends that begins behind a token, with those of its `else`. */
function blockEnd(fragment: LexedFragment, from: number): number | undefined {
  let close = nextBraces(fragment, from);
  for (let arms = 0; arms < MAX_ARMS && close !== undefined; arms++) {
    // Before the block may stand a list: `for _, name := range []string{"a"} {`.
    if (!/^(?:else|\{)$/.test(fragment.text(close + 1))) break;
    close = nextBraces(fragment, close + 1) ?? close;
  }
  return close;
}

/** Returns the end of the braces that open at a token or soon behind it. */
function nextBraces(fragment: LexedFragment, from: number): number | undefined {
  let open = from;
  while (open < from + MAX_HEAD && fragment.text(open) !== "{") open++;
  return fragment.text(open) === "{" ? closeOf(fragment, open) : undefined;
}

/** Returns the end of the braces around a token. */
function bracesEnd(fragment: LexedFragment, at: number): number | undefined {
  const open = enclosingBracket(fragment, at);
  return open !== undefined && fragment.text(open) === "{" ? closeOf(fragment, open) : undefined;
}

/** `[name for name in names]`, and members of a class of Python. */
function inPython(fragment: LexedFragment, definition: Definition): number | undefined {
  if (definition.kind === "each") return closeOf(fragment, comprehensionAround(fragment, definition));
  return definition.kind === "assign" ? memberSeenUntil(fragment, definition.at) : undefined;
}

/** Returns the index of the bracket behind which a comprehension of Python sees the names of its loop, which stand last. */
export function seenSince(fragment: LexedFragment, definition: Definition): number | undefined {
  return fragment.language === "python" ? comprehensionAround(fragment, definition) : undefined;
}

function comprehensionAround(fragment: LexedFragment, { kind, at }: Definition): number | undefined {
  const loop = kind === "each" ? wordBefore(fragment, at, /^for$/) : undefined;
  return loop === undefined ? undefined : enclosingBracket(fragment, loop);
}

/** `name := …` and `for _, name := range names` of Go, also at the head of a block. */
function inGo(fragment: LexedFragment, { kind, at, value }: Definition): number | undefined {
  // What `err := json.Unmarshal(text, &name)` reads into is declared elsewhere.
  const isDeclared = (kind === "assign" && fragment.text(value.from - 1) === ":=") || kind === "each";
  if (!isDeclared && fragment.text(at - 1) !== "var") return undefined;
  const head = wordBefore(fragment, at, /^(?:if|for|switch)$/);
  const isHead = head !== undefined && fragment.lineOf(head) === fragment.lineOf(at);
  return isHead ? blockEnd(fragment, value.from) : bracesEnd(fragment, at);
}

/** `let name = …` and `for name in names` of Rust. */
function inRust(fragment: LexedFragment, { kind, at, value }: Definition): number | undefined {
  if (kind === "each") return blockEnd(fragment, value.to);
  const before = fragment.text(at - 1) === "mut" ? at - 2 : at - 1;
  return fragment.text(before) === "let" ? bracesEnd(fragment, before) : undefined;
}

const OPENING = /^(?:do|begin|case|def|while|until|for)$/;

/** `names.each { |name| … }` and `names.each do |name| … end` of Ruby. */
function inBlock(fragment: LexedFragment, { kind, at, value }: Definition): number | undefined {
  if (kind !== "each") return undefined;
  if (fragment.text(value.to) === "{") return closeOf(fragment, value.to);
  if (fragment.text(value.to) !== "do") return undefined;
  const { column = 0 } = fragment.tokens[value.from] ?? {};
  const line = fragment.lineOf(value.to);
  /** Blocks that begin on the line of the first. */
  let inner = 0;
  for (let index = at; index < at + MAX_BLOCK; index++) {
    const token = fragment.tokens[index];
    if (token?.line === line && OPENING.test(token.text)) inner++;
    if (token?.line === line && token.text === "end" && inner-- === 0) return index;
    if (token?.text === "end" && token.column <= column && token.line !== fragment.lineOf(index - 1))
      return index;
  }
  return undefined;
}

/** `const name = …`, `for (const name of names)`, and fields of classes and members of enumerations. */
function inJavascript(fragment: LexedFragment, definition: Definition): number | undefined {
  const { kind, value } = definition;
  let { at } = definition;
  if (kind !== "assign" && kind !== "each") return undefined;
  // `const { name } = …`
  for (
    let open = enclosingBracket(fragment, at);
    open !== undefined && isPattern(fragment, open, value.from);
  ) {
    at = open;
    open = enclosingBracket(fragment, at);
  }
  if (!/^(?:const|let)$/.test(fragment.text(at - 1))) return inType(fragment, definition);
  const open = enclosingBracket(fragment, at);
  const isLoop = open !== undefined && /^(?:for|await)$/.test(fragment.text(open - 1));
  return isLoop ? loopEnd(fragment, open) : bracesEnd(fragment, at);
}

/** Whether a bracket is a pattern, whose value begins behind it. */
function isPattern(fragment: LexedFragment, open: number, value: number): boolean {
  const { partner = -1 } = fragment.tokens[open] ?? {};
  return /^[[{]$/.test(fragment.text(open)) && partner > open && partner < value;
}

/** Returns where the statement ends that a loop of JavaScript repeats, if that is a block. */
function loopEnd(fragment: LexedFragment, open: number): number | undefined {
  const close = closeOf(fragment, open);
  return close !== undefined && fragment.text(close + 1) === "{" ? closeOf(fragment, close + 1) : undefined;
}

const TYPE = /^(?:class|enum|interface|record|struct)$/;

/** A field of a type within a function, or a member of an object that is initialised: `new User { Name = "a" }` of C#. */
function inType(fragment: LexedFragment, { kind, at, value }: Definition): number | undefined {
  const open = kind === "assign" ? enclosingBracket(fragment, at) : undefined;
  if (open === undefined || fragment.text(open) !== "{") return undefined;
  const type = wordBefore(fragment, open, TYPE);
  if (type !== undefined && isDeclaration(fragment, type)) return closeOf(fragment, open);
  const isInitialised = fragment.language === "csharp" && /^[{,]$/.test(fragment.text(at - 1));
  return isInitialised && wordBefore(fragment, open, /^new$/) !== undefined ? value.to : undefined;
}

/** Whether a word declares the type that it stands before, and is no name itself: `Kind.class`, `record.name`. */
function isDeclaration(fragment: LexedFragment, at: number): boolean {
  const isNamed = fragment.isWord(at + 1) && !isKeyword(fragment.language, fragment.text(at + 1));
  return isNamed && !MEMBER.has(fragment.text(at - 1));
}
