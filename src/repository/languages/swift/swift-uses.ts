import { CAPITAL, inAnyScript } from "../any-script.ts";
import { addNamesIn, type Grammar, placeBefore, usesOf } from "../chains.ts";

/** A name with what is taken from it: `Shop.Basket.total`, `basket?.total`. */
const CHAIN = inAnyScript(/[A-Za-z_]\w*(?:[?!]?\s*\.\s*[A-Za-z_]\w*)*/g);
/** Keywords before the name that a file gives something. */
const DECLARES = /^(?:let|var|func|for|associatedtype|typealias|precedencegroup|macro)$/;
const KEYWORD =
  /^(?:[aA]ny|as|async|await|break|case|catch|class|continue|default|defer|deinit|do|else|enum|extension|fallthrough|false|fileprivate|final|for|func|get|guard|if|import|in|init|inout|internal|is|lazy|let|mutating|nil|nonisolated|open|override|private|protocol|public|repeat|return|self|Self|set|some|static|struct|subscript|super|switch|throw|throws|true|try|typealias|var|weak|where|while|willSet|didSet|type|Type|_)$/;
/** Type parameters of a declaration. */
const PARAMETERS = inAnyScript(
  /(?<![.\w])(?:(?:class|struct|actor|enum|func|typealias|macro)\s+(?:[\w.]+|[=<>!&|+*/%^~-]{1,5})|init[?!]?|subscript)\s*<((?:[^<>()\n]|<[^<>()\n]{0,100}>){1,200})>/g,
);
const PARAMETER = inAnyScript(/(?:^|,)\s*(?:each\s+)?([A-Z]\w*)/g);
/** Parts of a name that are kept. */
const MAX_PARTS = 4;

/**
 * Returns the names that a file uses and does not give to anything itself: types with what is taken from them (`Basket`,
 * `Basket.empty`), functions and variables, and members with a dot before them (`.total`).
 */
export function swiftUses(code: string): string[] {
  const names = { free: new Set<string>(), members: new Set<string>(), own: new Set<string>() };
  for (const [, parameters = ""] of code.matchAll(PARAMETERS))
    for (const [, name = ""] of parameters.matchAll(PARAMETER)) names.own.add(name);
  addNamesIn(code, names, GRAMMAR);
  return usesOf(names);
}

const GRAMMAR: Grammar = {
  chain: CHAIN,
  separator: /[\s.?!]+/,
  keyword: KEYWORD,
  declares: DECLARES,
  // `...` and `..<` make a range.
  isMember(code, index) {
    const at = placeBefore(code, index);
    return code[at] === "." && code[at - 1] !== ".";
  },
  // `total:`, `total in`.
  isDeclared: (after) => after.startsWith(":") || /^in\b/.test(after),
  keptOf(parts) {
    const [first = ""] = parts;
    return CAPITAL.test(first) ? [first, parts.slice(0, MAX_PARTS).join(".")] : [first];
  },
};
