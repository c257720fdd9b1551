import { CAPITAL, inAnyScript } from "../any-script.ts";
import type { Layout } from "../layout.ts";

/** A name with what is taken from it: `shop.Basket.total`. */
const CHAIN = inAnyScript(/[A-Za-z_$][\w$]*(?:\s*\.\s*[A-Za-z_$][\w$]*)*/g);
const QUOTED = /`[^`\n]+`/g;
const DECLARES = /^(?:val|var)$/;
const KEYWORD =
  /^(?:abstract|as|case|catch|class|def|derives|do|else|end|enum|export|extends|extension|false|final|finally|for|forSome|given|if|implicit|import|inline|lazy|macro|match|new|null|object|opaque|open|override|package|private|protected|return|sealed|super|then|this|throw|trait|transparent|true|try|type|using|val|var|while|with|yield|_)$/;
const PARAMETERS = inAnyScript(
  /(?<![.\w$])(?:(?:class|trait|def|type|enum|given)[ \t]+(?:[\w$]+|[^\s\w([{:;,)\]}]+)|extension|given)\s{0,20}(?=\[)/g,
);
const PARAMETER = inAnyScript(/(?:^|,)\s*[+-]?\s*([A-Za-z_$][\w$]*)/g);
const MAX_PARAMETERS = 400;
const MAX_SPACE = 20;
/** Parts of a name that are kept. */
const MAX_PARTS = 8;

/**
 * Returns the names that a file uses and may find in its packages or an import: classes, objects, functions and values
 * (`Basket`), these with the package before them (`shop.Basket`), and members with a dot before them (`.total`), which may
 * be extensions. Names that the file itself gives to a parameter or value are left out, as these hide others.
 */
export function scalaUses({ code, closing }: Layout, text: string): string[] {
  const free = new Set<string>();
  const members = new Set<string>();
  for (const { index, 0: quoted } of code.matchAll(QUOTED))
    (isMember(code, index) ? members : free).add(text.slice(index + 1, index + quoted.length - 1));
  const own = new Set<string>();
  for (const match of code.matchAll(PARAMETERS))
    for (const name of parametersAt(code, match.index + match[0].length, closing)) own.add(name);
  let before = "";
  let end = 0;
  for (const { index, 0: chain } of code.matchAll(CHAIN)) {
    const parts = chain.replace(/^_root_\s*\.\s*/, "").split(/[\s.]+/);
    const [first = "", ...rest] = parts;
    const behind = index + chain.length;
    if (index - end > MAX_SPACE || code.slice(end, index).trim() !== "") before = "";
    for (const name of rest) members.add(`.${name}`);
    if (isMember(code, index)) members.add(`.${first}`);
    else if (!KEYWORD.test(first)) {
      const after = rest.length > 0 ? "" : code.slice(behind, behind + 4).trimStart();
      if (rest.length === 0 && (DECLARES.test(before) || (!CAPITAL.test(first) && isDeclared(after))))
        own.add(first);
      else if (rest.length === 0 || CAPITAL.test(first)) free.add(first);
      else {
        const capital = parts.findIndex((part) => CAPITAL.test(part));
        free.add(parts.slice(0, capital < 0 ? MAX_PARTS : Math.min(capital + 1, MAX_PARTS)).join("."));
      }
    }
    before = rest.length > 0 ? "" : first;
    end = behind;
  }
  return [...[...free].filter((name) => !own.has(name.replace(/\..*/, ""))), ...members];
}

/** Returns the names of type parameters, without those of their own parameters: `[F[_], +A <: B]`. */
function parametersAt(code: string, bracket: number, closing: Layout["closing"]): string[] {
  const whole = code.slice(bracket + 1, Math.min(closing(bracket), bracket + MAX_PARAMETERS));
  const flat = whole.replace(/\[[^[\]]*\]/g, "").replace(/\[[^[\]]*\]/g, "");
  return [...flat.matchAll(PARAMETER)].map(([, name = ""]) => name);
}

/** Whether a dot stands before, which may be on the line above. */
function isMember(code: string, index: number): boolean {
  let at = index - 1;
  while (at > index - MAX_SPACE && /\s/.test(code[at] ?? "")) at--;
  return code[at] === ".";
}

/** Whether what follows a name shows that it is that of a parameter or value: `total:`, `total =>`, `total <-`, `total @`. */
function isDeclared(after: string): boolean {
  return /^(?::(?![:\w])|=>|<-|@(?!\w))/.test(after);
}
