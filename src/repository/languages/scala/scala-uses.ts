import { CAPITAL, inAnyScript } from "../any-script.ts";
import { addNamesIn, type Grammar, placeBefore, usesOf } from "../chains.ts";
import type { Layout } from "../layout.ts";

/** A name with what is taken from it: `shop.Basket.total`. */
const CHAIN = inAnyScript(/[A-Za-z_$][\w$]*(?:\s*\.\s*[A-Za-z_$][\w$]*)*/g);
/** The package that all others are in, by which a path begins that means no relative one. */
const ROOT = "_root_";
const QUOTED = /`[^`\n]+`/g;
const DECLARES = /^(?:val|var)$/;
const KEYWORD =
  /^(?:abstract|as|case|catch|class|def|derives|do|else|end|enum|export|extends|extension|false|final|finally|for|forSome|given|if|implicit|import|inline|lazy|macro|match|new|null|object|opaque|open|override|package|private|protected|return|sealed|super|then|this|throw|trait|transparent|true|try|type|using|val|var|while|with|yield|_)$/;
const PARAMETERS = inAnyScript(
  /(?<![.\w$])(?:(?:class|trait|def|type|enum|given)[ \t]+(?:[\w$]+|[^\s\w([{:;,)\]}]+)|extension|given)\s{0,20}(?=\[)/g,
);
const PARAMETER = inAnyScript(/(?:^|,)\s*[+-]?\s*([A-Za-z_$][\w$]*)/g);
const MAX_PARAMETERS = 400;
/** Parts of a name that are kept. */
const MAX_PARTS = 8;

/**
 * Returns the names that a file uses and may find in its packages or an import: classes, objects, functions and values
 * (`Basket`), these with the package before them (`shop.Basket`), and members with a dot before them (`.total`), which may
 * be extensions. Names that the file itself gives to a parameter or value are left out, as these hide others.
 */
export function scalaUses({ code, closing }: Layout, text: string): string[] {
  const names = { free: new Set<string>(), members: new Set<string>(), own: new Set<string>() };
  for (const { index, 0: quoted } of code.matchAll(QUOTED))
    (GRAMMAR.isMember(code, index) ? names.members : names.free).add(
      text.slice(index + 1, index + quoted.length - 1),
    );
  for (const match of code.matchAll(PARAMETERS))
    for (const name of parametersAt(code, match.index + match[0].length, closing)) names.own.add(name);
  addNamesIn(code, names, GRAMMAR);
  return usesOf(names);
}

const GRAMMAR: Grammar = {
  chain: CHAIN,
  separator: /[\s.]+/,
  keyword: KEYWORD,
  declares: DECLARES,
  isMember: (code, index) => code[placeBefore(code, index)] === ".",
  // `total:`, `total =>`, `total <-`, `total @`.
  isDeclared: (after) => /^(?::(?![:\w])|=>|<-|@(?!\w))/.test(after),
  keptOf(parts) {
    const [first = "", ...rest] = parts;
    if (first === ROOT) return rest.length > 1 ? GRAMMAR.keptOf(rest) : rest;
    if (CAPITAL.test(first)) return [first];
    const capital = parts.findIndex((part) => CAPITAL.test(part));
    return [parts.slice(0, capital < 0 ? MAX_PARTS : Math.min(capital + 1, MAX_PARTS)).join(".")];
  },
};

/** Returns the names of type parameters, without those of their own parameters: `[F[_], +A <: B]`. */
function parametersAt(code: string, bracket: number, closing: Layout["closing"]): string[] {
  const whole = code.slice(bracket + 1, Math.min(closing(bracket), bracket + MAX_PARAMETERS));
  const flat = whole.replace(/\[[^[\]]*\]/g, "").replace(/\[[^[\]]*\]/g, "");
  return [...flat.matchAll(PARAMETER)].map(([, name = ""]) => name);
}
