import type { LexedFragment } from "../lexed-fragment.ts";
import { statementEnd } from "../statements.ts";
import type { Branch, Chain } from "./branch.ts";

/** Keywords that begin blocks in Python and Ruby: those of `NEXT` continue the block before at the same depth. */
const FIRST = new Set(["if", "unless", "match", "case"]);
const LOOPS = new Set(["for", "while", "until"]);
const NEXT = new Set(["elif", "elsif", "else", "except", "rescue", "when", "in"]);
const CERTAIN = new Set(["try", "with", "begin", "finally", "ensure", "def", "class", "module"]);

interface Open {
  indentation: number;
  head: string;
  chain?: Chain;
  branch?: Branch;
}

/** Returns the branches of a hunk, found by indentation. */
export function indentedBranches(fragment: LexedFragment): Branch[] {
  const { tokens } = fragment;
  const branches: Branch[] = [];
  const open: Open[] = [];
  let bracketEnd = -1;
  for (let index = 0; index < tokens.length; index++) {
    const token = tokens[index];
    if (!token) break;
    const startsLine = fragment.lineOf(index - 1) !== token.line;
    if (startsLine && index > bracketEnd) {
      const head = token.kind === "word" ? token.text : "";
      const before = close(open, token.column, index);
      const branch = opened(fragment, index, head, before, open);
      if (branch) branches.push(branch);
    } else if (fragment.language === "ruby" && token.kind === "word" && /^(?:if|unless)$/.test(token.text)) {
      const branch = modified(fragment, index);
      if (branch) branches.push(branch);
    }
    if (token.kind === "open" && token.partner > index && token.text !== "{") {
      bracketEnd = Math.max(bracketEnd, token.partner);
    }
  }
  close(open, -1, tokens.length);
  return branches;
}

/** Ends the blocks that a line at this depth is not part of. Returns the one at the same depth, if any. */
function close(open: Open[], indentation: number, at: number): Open | undefined {
  let last: Open | undefined;
  for (let top = open.at(-1); top && top.indentation >= indentation; top = open.at(-1)) {
    if (top.branch && top.branch.to > at) top.branch.to = at;
    last = top;
    open.pop();
  }
  return last?.indentation === indentation ? last : undefined;
}

function opened(
  fragment: LexedFragment,
  at: number,
  head: string,
  before: Open | undefined,
  open: Open[],
): Branch | undefined {
  const indentation = fragment.tokens[at]?.column ?? 0;
  const end = headEnd(fragment, at);
  const entry: Open = { indentation, head };
  const condition = { from: at + 1, to: end };
  const from = end + (fragment.text(end) === ":" ? 1 : 0);
  const make = (chain: Chain, more: Partial<Branch> = {}): Branch => {
    const branch = { from, to: fragment.tokens.length, chain, ...more };
    chain.arms.push(branch);
    entry.chain = chain;
    entry.branch = branch;
    return branch;
  };
  if (head === "case" && fragment.language === "python") {
    const around = open.at(-1);
    if (around?.head !== "match" || !around.chain) return undefined;
    open.push(entry);
    const wild = fragment.text(at + 1) === "_" && end === at + 2;
    if (wild) around.chain.complete = true;
    return make(around.chain, wild ? {} : { condition });
  }
  if (head === "match" && fragment.text(end) !== ":") return undefined;
  if (FIRST.has(head)) {
    open.push(entry);
    if (head === "match" || head === "case") {
      entry.chain = { arms: [], subject: condition };
      return undefined;
    }
    return make({ arms: [] }, { condition, ...(head === "unless" && { negated: true }) });
  }
  if (LOOPS.has(head)) {
    open.push(entry);
    return make({ arms: [], loop: true });
  }
  if (NEXT.has(head) && before) {
    open.push(entry);
    const chain = before.chain && !before.chain.loop ? before.chain : { arms: [] };
    if (head !== "else") return make(chain, /^(?:elif|elsif|when|in)$/.test(head) ? { condition } : {});
    if (chain.arms.length > 0) chain.complete = true;
    return make(chain);
  }
  if (CERTAIN.has(head)) open.push(entry);
  return undefined;
}

/** Returns the end of a head: its colon in Python, the end of its line or `then` in Ruby. */
function headEnd(fragment: LexedFragment, at: number): number {
  const { tokens, language } = fragment;
  const end = statementEnd(fragment, at);
  for (let index = at; index < end; index++) {
    const token = tokens[index];
    if (token?.kind === "open" && token.partner > index) index = token.partner;
    else if (language === "python" && token?.text === ":" && token.kind === "mark") return index;
    else if (language === "ruby" && (token?.text === "then" || token?.line !== fragment.lineOf(at)))
      return index;
  }
  return end;
}

/** `name = value if condition` of Ruby. */
function modified(fragment: LexedFragment, at: number): Branch | undefined {
  const { tokens } = fragment;
  const before = tokens[at - 1];
  if (before?.kind === "mark" && before.text !== "]") return undefined;
  let from = at;
  while (at - from < 100 && fragment.lineOf(from - 1) === fragment.lineOf(at)) from--;
  const chain: Chain = { arms: [] };
  const branch: Branch = {
    from,
    to: at,
    chain,
    condition: { from: at + 1, to: statementEnd(fragment, at + 1) },
  };
  if (fragment.text(at) === "unless") branch.negated = true;
  chain.arms.push(branch);
  return branch;
}
