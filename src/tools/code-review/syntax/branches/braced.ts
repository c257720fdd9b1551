import type { LexedFragment } from "../lexed-fragment.ts";
import type { Range } from "../range.ts";
import { statementEnd } from "../statements.ts";
import type { Branch, Chain } from "./branch.ts";

const IFS = new Set(["if", "elseif"]);
const LOOPS = new Set(["for", "foreach", "while", "loop"]);
const SWITCHES = new Set(["switch", "match", "when", "select"]);
/** Languages that write no brackets around a condition. */
const BARE = new Set(["go", "rust", "other"]);
/** Maximum tokens of a condition or a case label. */
const MAX_HEAD = 200;

/** Returns the branches of a hunk, found by braces. A single statement needs none. */
export function bracedBranches(fragment: LexedFragment): Branch[] {
  const branches: Branch[] = [];
  /** Arms by the index of the token behind them, where an `else` continues the chain. */
  const endings = new Map<number, Branch>();
  for (const at of headsIn(fragment)) {
    const word = fragment.text(at);
    if (SWITCHES.has(word)) {
      for (const branch of switched(fragment, at)) branches.push(branch);
      continue;
    }
    if (word === "else" && /^(?:if|elseif)$/.test(fragment.text(at + 1))) continue;
    const found = bodyBehind(fragment, at);
    if (!found) continue;
    const continued = continuedChain(fragment, at, word, endings);
    const chain: Chain = continued ?? { arms: [], ...(LOOPS.has(word) && { loop: true }) };
    if (word === "else") {
      if (!continued) continue;
      chain.complete = true;
    }
    const branch: Branch = { ...found.body, chain, ...(IFS.has(word) && { condition: found.condition }) };
    chain.arms.push(branch);
    branches.push(branch);
    endings.set(found.end, branch);
  }
  return branches;
}

function* headsIn(fragment: LexedFragment): Iterable<number> {
  for (const [index, { kind, text }] of fragment.tokens.entries()) {
    if (kind !== "word") continue;
    const isHead =
      IFS.has(text) || LOOPS.has(text) || SWITCHES.has(text) || text === "else" || text === "catch";
    if (isHead && fragment.text(index - 1) !== ".") yield index;
  }
}

/** Returns the chain that `else {`, `else if (…) {` or `elseif (…) {` continues. */
function continuedChain(
  fragment: LexedFragment,
  at: number,
  word: string,
  endings: ReadonlyMap<number, Branch>,
): Chain | undefined {
  if (word === "else" || word === "elseif") return endings.get(at)?.chain;
  if (word === "if" && fragment.text(at - 1) === "else") return endings.get(at - 1)?.chain;
  return undefined;
}

/** Returns the condition and the body of a head, and the index of the token behind the body. */
function bodyBehind(
  fragment: LexedFragment,
  at: number,
): { condition: Range; body: Range; end: number } | undefined {
  const { tokens, language } = fragment;
  let next = at + 1;
  let condition: Range = { from: next, to: next };
  const bracket = tokens[next];
  if (!BARE.has(language) && bracket?.text === "(") {
    if (bracket.partner < 0) return undefined;
    condition = { from: next + 1, to: bracket.partner };
    next = bracket.partner + 1;
  } else if (fragment.text(at) !== "else" && fragment.text(at) !== "catch") {
    while (next < at + MAX_HEAD && fragment.text(next) !== "{") {
      const token = tokens[next];
      if (!token || token.kind === "close") return undefined;
      next = token.kind === "open" && token.partner > next ? token.partner + 1 : next + 1;
    }
    condition = { from: lastPart(fragment, at + 1, next), to: next };
  }
  const open = tokens[next];
  if (open?.text === "{" && open.kind === "open") {
    const to = open.partner < 0 ? tokens.length : open.partner;
    return { condition, body: { from: next + 1, to }, end: to + 1 };
  }
  if (BARE.has(language) || !open) return undefined;
  let to = statementEnd(fragment, next);
  if (fragment.text(to) === ";") to++;
  return { condition, body: { from: next, to }, end: to };
}

/** `if x := f(); x != nil {` of Go: the condition follows the last semicolon. */
function lastPart(fragment: LexedFragment, from: number, to: number): number {
  for (let index = to - 1; index > from; index--) if (fragment.text(index) === ";") return index + 1;
  return from;
}

/** Returns the cases of a `switch`, each from its label to the next. */
function switched(fragment: LexedFragment, at: number): Branch[] {
  const { tokens } = fragment;
  const found = bodyBehind(fragment, at);
  if (!found || fragment.text(found.body.from - 1) !== "{") return [];
  const chain: Chain = { arms: [], subject: found.condition };
  let current: Branch | undefined;
  for (let index = found.body.from; index < found.body.to; index++) {
    const token = tokens[index];
    // What follows a brace that the hunk does not close is within it, and read once: not for each switch around it.
    if (token?.kind === "open" && token.text === "{" && token.partner < 0) break;
    if (token?.kind === "open" && token.partner > index) index = token.partner;
    else if (token?.kind === "word" && (token.text === "case" || token.text === "default")) {
      const colon = labelEnd(fragment, index, found.body.to);
      if (current) current.to = index;
      // Adjacent labels share a body.
      const shared = current && current.from === index ? current : undefined;
      current = { from: colon, to: found.body.to, chain };
      if (token.text === "default") chain.complete = true;
      else if (!shared || shared.condition) {
        current.condition = { from: shared?.condition?.from ?? index + 1, to: colon - 1 };
      }
      if (shared) chain.arms.pop();
      chain.arms.push(current);
      index = colon - 1;
    }
  }
  return chain.arms;
}

function labelEnd(fragment: LexedFragment, at: number, to: number): number {
  for (let index = at + 1; index < Math.min(to, at + MAX_HEAD); index++) {
    const token = fragment.tokens[index];
    if (token?.kind === "open" && token.partner > index) index = token.partner;
    else if (/^(?::|->|=>)$/.test(fragment.text(index)) && token?.kind === "mark") return index + 1;
  }
  return at + 1;
}
