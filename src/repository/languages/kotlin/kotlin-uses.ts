import { CAPITAL, inAnyScript } from "../any-script.ts";
import { classesIn } from "../classes/classes-in.ts";

/** A name with what is taken from it: `shop.Basket.total`, `basket?.total`. */
const CHAIN = inAnyScript(/[A-Za-z_]\w*(?:\s*\??\.\s*[A-Za-z_]\w*)*/g);
/** A class with its package before it. */
const QUALIFIED = inAnyScript(/^(?:[a-z_]\w*\.)+[A-Z]\w*/);
/** What may stand before `::`, of which a member is taken. */
const BEFORE_REFERENCE = inAnyScript(/[\w>)?]/);
const MAX_SPACE = 20;
const DECLARES = /^(?:val|var|fun|class|object|interface|typealias)$/;

/**
 * Returns the names that a file uses and may find in its package or an import: classes, functions and properties, and
 * members with a dot before them (`.total`), which may be extensions. Names that the file itself gives to a parameter or
 * variable are left out, as these hide others.
 */
export function kotlinUses(code: string): string[] {
  const free = new Set<string>();
  const members = new Set<string>();
  const own = new Set<string>();
  let before = "";
  let end = 0;
  for (const { index, 0: chain } of code.matchAll(CHAIN)) {
    const last = code[index - 1];
    const parts = chain.split(/[\s.?]+/);
    const [first = "", ...rest] = parts;
    const behind = index + chain.length;
    const isMember =
      last === "." ||
      (last === ":" && code[index - 2] === ":" && BEFORE_REFERENCE.test(code[index - 3] ?? ""));
    for (const name of rest) members.add(`.${name}`);
    if (isMember) members.add(`.${first}`);
    else {
      const after = code.slice(behind, behind + 3).trimStart();
      const isAlone = rest.length === 0;
      const qualified = isAlone ? undefined : QUALIFIED.exec(parts.join("."))?.[0];
      if (qualified !== undefined) for (const name of classesIn(qualified)) free.add(name);
      const isType = isAlone && /:\s*$/.test(code.slice(Math.max(0, index - MAX_SPACE), index));
      // The type that an extension is of has parameters behind it, its name has them before it.
      const isReceiver = after.startsWith("<") && /^(?:fun|val|var)$/.test(before);
      const isName = DECLARES.test(before) && index - end < 3 && !isReceiver;
      if (isAlone && (isName || isDeclared(first, after))) own.add(first);
      else if (isType || !(isAlone && /^=(?!=)/.test(after))) free.add(first);
    }
    before = isMember || rest.length > 0 ? "" : first;
    end = behind;
  }
  return [...free].filter((name) => !own.has(name)).concat([...members]);
}

/** Whether what follows a name shows that it is that of a parameter or variable: `is Basket ->` has a class before it. */
function isDeclared(name: string, after: string): boolean {
  return /^:(?!:)/.test(after) || (after.startsWith("->") && !CAPITAL.test(name));
}
