/**
 * Literals in lower case, one of which any text must contain that a regular expression matches. This is the
 * prefilter of grep and similar tools (R. Cox, "Regular Expression Matching with a Trigram Index").
 */
export type Literals = readonly string[];

interface Parsed {
  literals?: Literals;
  /** Index after the part that was parsed. */
  end: number;
}

/** Returns the required literals of a pattern, `undefined` if none is long enough to be worth a search. */
export function requiredLiterals({ source }: RegExp): Literals | undefined {
  return alternation(source, 0).literals;
}

function alternation(source: string, start: number): Parsed {
  const branches: (Literals | undefined)[] = [];
  let at = start;
  for (;;) {
    const branch = concatenation(source, at);
    branches.push(branch.literals);
    at = branch.end;
    if (source[at] !== "|") break;
    at++;
  }
  const literals = branches.every((branch) => branch !== undefined)
    ? [...new Set(branches.flat())]
    : undefined;
  return { end: at, ...(literals && { literals }) };
}

/** Returns the best literals that any part requires: those whose shortest one is longest. */
function concatenation(source: string, start: number): Parsed {
  let best: Literals | undefined;
  let bestWorth = 0;
  let run = "";
  let at = start;
  const offer = (literals: Literals | undefined) => {
    const offered = worth(literals);
    if (offered <= bestWorth) return;
    best = literals;
    bestWorth = offered;
  };
  const endRun = () => {
    if (run !== "") offer([run]);
    run = "";
  };
  while (at < source.length && source[at] !== "|" && source[at] !== ")") {
    const part = atom(source, at);
    const { least, most, end } = quantifier(source, part.end);
    at = end;
    if (part.zeroWidth) continue;
    if (part.character !== undefined && least > 0) {
      run += part.character.repeat(least);
      if (most !== least) endRun();
      continue;
    }
    endRun();
    if (least > 0) offer(part.literals);
  }
  endRun();
  return { end: at, ...(best && { literals: best }) };
}

/**
 * Rates literals, 0 if they are not worth a search. Almost any line has literals of fewer than three letters.
 * Signs are rarer, so that two suffice, or one beyond ASCII.
 */
function worth(literals: Literals | undefined): number {
  if (!literals || literals.length === 0) return 0;
  const shortest = Math.min(...literals.map(rarity));
  return shortest < 3 ? 0 : shortest;
}

function rarity(literal: string): number {
  if (/[^\0-\x7f]/.test(literal)) return 8;
  if (literal.trim() === "") return 0;
  return /^[^\w\s]{2,}$/.test(literal) ? literal.length + 1 : literal.length;
}

interface Atom extends Parsed {
  /** The character, if the atom is a single one regardless of case. */
  character?: string;
  zeroWidth?: boolean;
}

function atom(source: string, at: number): Atom {
  const character = source[at] as string;
  if (character === "(") return group(source, at);
  if (character === "[") return characterClass(source, at);
  if (character === "^" || character === "$") return { zeroWidth: true, end: at + 1 };
  if (character === ".") return { end: at + 1 };
  if (character !== "\\") return { character: character.toLowerCase(), end: at + 1 };
  const escaped = source[at + 1] as string;
  if (/[bB]/.test(escaped)) return { zeroWidth: true, end: at + 2 };
  if (escaped === "u")
    return { character: String.fromCharCode(Number.parseInt(source.slice(at + 2, at + 6), 16)), end: at + 6 };
  return /[A-Za-z0-9]/.test(escaped) ? { end: at + 2 } : { character: escaped, end: at + 2 };
}

function group(source: string, at: number): Atom {
  const opening = /^\((?:\?(?:<(?![=!])[^>]+>|[:=!]|<[=!]))?/.exec(source.slice(at)) as RegExpExecArray;
  const inner = alternation(source, at + opening[0].length);
  const end = inner.end + 1;
  if (/[=!]$/.test(opening[0])) return { zeroWidth: true, end };
  return { end, ...(inner.literals && { literals: inner.literals }) };
}

const MAX_MEMBERS = 12;

/** Parses a character class. `[Ee]` is a single character; a few signs, such as `[✕✗]`, are literals of their own. */
function characterClass(source: string, at: number): Atom {
  let end = at + 1;
  while (source[end] !== "]") end += source[end] === "\\" ? 2 : 1;
  const members = source.slice(at + 1, end);
  end++;
  if (members.startsWith("^") || /\\[a-zA-Z]|.-./.test(members)) return { end };
  const characters = [...new Set([...members.replaceAll("\\", "").toLowerCase()])];
  if (characters.length === 1) return { character: characters[0] as string, end };
  return characters.length <= MAX_MEMBERS ? { literals: characters, end } : { end };
}

const QUANTIFIER = /^(?:([*+?])|\{(\d+)(,(\d*))?\})\??/;

/** Parses a quantifier: how often the atom before it occurs, which is once without one. */
function quantifier(source: string, at: number): { least: number; most: number; end: number } {
  // Most atoms have none.
  const match = "*+?{".includes(source[at] ?? " ") ? QUANTIFIER.exec(source.slice(at, at + 16)) : null;
  if (!match) return { least: 1, most: 1, end: at };
  const [whole, sign, count, comma, limit] = match;
  const least = count === undefined ? Number(sign === "+") : Number(count);
  const most =
    comma === undefined && count !== undefined ? least : limit ? Number(limit) : Number.POSITIVE_INFINITY;
  return { least, most: sign === "?" ? 1 : most, end: at + whole.length };
}
