import { CAPITAL } from "./any-script.ts";

/** The names in code: those that a file gives to something itself, and those that it uses. */
export interface NamesInUse {
  /** Names without a dot before them, with what is kept of what is taken from them: `Basket`, `shop.Basket`. */
  free: Set<string>;
  /** Members with a dot before them: `.total`. */
  members: Set<string>;
  /** Names of parameters and values, which hide others. */
  own: Set<string>;
}

export interface Grammar {
  /** Global: a name with what is taken from it, `Shop.Basket.total`. */
  chain: RegExp;
  /** What stands between the names of a chain. */
  separator: RegExp;
  keyword: RegExp;
  /** Keywords before the name that a file gives something. */
  declares: RegExp;
  /** Whether a dot before the name at `index` has it be a member. */
  isMember(code: string, index: number): boolean;
  /** Whether what follows a name shows that it is that of a parameter or value. */
  isDeclared(after: string): boolean;
  /** Returns what is kept of a name from which something is taken. */
  keptOf(parts: readonly string[]): readonly string[];
}

const MAX_SPACE = 20;
/** What is looked at behind a name. */
const MAX_AFTER = 4;

/** Adds the names in code to those that are known. */
export function addNamesIn(code: string, { free, members, own }: NamesInUse, grammar: Grammar): void {
  let before = "";
  let end = 0;
  for (const { index, 0: chain } of code.matchAll(grammar.chain)) {
    const parts = chain.split(grammar.separator);
    const [first = "", ...rest] = parts;
    const behind = index + chain.length;
    if (index - end > MAX_SPACE || code.slice(end, index).trim() !== "") before = "";
    for (const name of rest) members.add(`.${name}`);
    if (grammar.isMember(code, index)) members.add(`.${first}`);
    else if (!grammar.keyword.test(first)) {
      if (rest.length > 0) for (const name of grammar.keptOf(parts)) free.add(name);
      else {
        const after = code.slice(behind, behind + MAX_AFTER).trimStart();
        const isOwn = grammar.declares.test(before) || (!CAPITAL.test(first) && grammar.isDeclared(after));
        (isOwn ? own : free).add(first);
      }
    }
    before = rest.length > 0 ? "" : first;
    end = behind;
  }
}

/** Returns the names that a file uses and does not give to anything itself. */
export function usesOf({ free, members, own }: NamesInUse): string[] {
  return [...[...free].filter((name) => !own.has(name.replace(/\..*/, ""))), ...members];
}

/** Returns the place of the last character before a name that is no space, which may be on the line above. */
export function placeBefore(code: string, index: number): number {
  let at = index - 1;
  while (at > index - MAX_SPACE && /\s/.test(code[at] ?? "")) at--;
  return at;
}
