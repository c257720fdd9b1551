import { CAPITAL, inAnyScript } from "../any-script.ts";

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
const MAX_SPACE = 20;
/** Parts of a name that are kept. */
const MAX_PARTS = 4;

/**
 * Returns the names that a file uses and does not give to anything itself: types with what is taken from them (`Basket`,
 * `Basket.empty`), functions and variables, and members with a dot before them (`.total`).
 */
export function swiftUses(code: string): string[] {
  const free = new Set<string>();
  const members = new Set<string>();
  const own = new Set<string>();
  for (const [, parameters = ""] of code.matchAll(PARAMETERS))
    for (const [, name = ""] of parameters.matchAll(PARAMETER)) own.add(name);
  let before = "";
  let end = 0;
  for (const { index, 0: chain } of code.matchAll(CHAIN)) {
    const parts = chain.split(/[\s.?!]+/);
    const [first = "", ...rest] = parts;
    const behind = index + chain.length;
    if (index - end > MAX_SPACE || code.slice(end, index).trim() !== "") before = "";
    for (const name of rest) members.add(`.${name}`);
    if (isMember(code, index)) members.add(`.${first}`);
    else if (!KEYWORD.test(first)) {
      const isAlone = rest.length === 0;
      const after = isAlone ? code.slice(behind, behind + 3).trimStart() : "";
      if (isAlone && (DECLARES.test(before) || (!CAPITAL.test(first) && isDeclared(after)))) own.add(first);
      else {
        free.add(first);
        if (!isAlone && CAPITAL.test(first)) free.add(parts.slice(0, MAX_PARTS).join("."));
      }
    }
    before = rest.length > 0 ? "" : first;
    end = behind;
  }
  return [...[...free].filter((name) => !own.has(name.replace(/\..*/, ""))), ...members];
}

/** Whether a dot stands before, which may be on the line above. `...` and `..<` make a range. */
function isMember(code: string, index: number): boolean {
  let at = index - 1;
  while (at > index - 20 && /\s/.test(code[at] ?? "")) at--;
  return code[at] === "." && code[at - 1] !== ".";
}

/** Whether what follows a name shows that it is that of a parameter or an argument: `total:`, `total in`. */
function isDeclared(after: string): boolean {
  return after.startsWith(":") || /^in\b/.test(after);
}
