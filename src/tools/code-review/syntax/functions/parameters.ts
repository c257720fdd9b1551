import { splitAtCommas } from "../calls.ts";
import { isKeyword } from "../keywords.ts";
import type { LexedFragment } from "../lexed-fragment.ts";
import type { Range } from "../range.ts";

export interface Parameter {
  name: string;
  /** Index of its name. */
  at: number;
  /** The whole declaration: decorators, type, default. */
  declared: Range;
}

const NAME_LAST = new Set(["java", "csharp", "c", "cpp"]);

export function parametersIn(fragment: LexedFragment, range: Range): Parameter[] {
  return splitAtCommas(fragment, range).flatMap((declared) =>
    NAME_LAST.has(fragment.language) ? nameLast(fragment, declared) : nameFirst(fragment, declared),
  );
}

/** `final String name = …`, `name: String` of Kotlin and Scala, or the bare name of a lambda's parameter. */
function nameLast(fragment: LexedFragment, declared: Range): Parameter[] {
  for (let index = declared.from; index <= declared.to; index++) {
    // `@RequestParam(required = false) String name`
    const { kind, partner = -1 } = fragment.tokens[index] ?? {};
    if (kind === "open" && partner > index && partner < declared.to) index = partner;
    if (index !== declared.to && !/^[=:]$/.test(fragment.text(index))) continue;
    for (let at = index - 1; at >= declared.from; at--) {
      if (fragment.isWord(at)) return [{ name: fragment.text(at), at, declared }];
    }
  }
  return [];
}

/** `name: type = …`, or several names in the braces of a destructuring. */
function nameFirst(fragment: LexedFragment, declared: Range): Parameter[] {
  const { tokens } = fragment;
  const parameters: Parameter[] = [];
  for (let at = declared.from; at < declared.to; at++) {
    const token = tokens[at];
    if (token?.text === "=" || (token?.text === ":" && parameters.length > 0)) break;
    // A decorator: `@Query("id") id`.
    if (token?.text === "@") {
      at++;
      if (fragment.text(at + 1) === "(") at = tokens[at + 1]?.partner ?? at;
      continue;
    }
    if ((token?.text === "{" || token?.text === "[") && token.partner > at) {
      parameters.push(
        ...namesIn(fragment, { from: at + 1, to: token.partner }).map((name) => ({ ...name, declared })),
      );
      break;
    }
    // An extractor of Rust: `Query(name): Query<String>`.
    if (fragment.language === "rust" && fragment.text(at + 1) === "(" && fragment.isWord(at + 2)) {
      parameters.push({ name: fragment.text(at + 2), at: at + 2, declared });
      break;
    }
    if (token?.kind === "word" && !isModifier(fragment, token.text)) {
      parameters.push({ name: token.text, at, declared });
      if (fragment.language !== "php") break;
    }
  }
  return fragment.language === "php" ? parameters.filter(({ name }) => name.startsWith("$")) : parameters;
}

function isModifier(fragment: LexedFragment, word: string): boolean {
  return fragment.language !== "go" && isKeyword(fragment.language, word);
}

/** Returns the names bound by a destructuring pattern: `a`, `b: c` (c), `d = 1`, `...e`. */
export function namesIn(fragment: LexedFragment, range: Range): { name: string; at: number }[] {
  return splitAtCommas(fragment, range).flatMap(({ from, to }) => {
    let at = from;
    if (fragment.text(at) === "...") at++;
    if (fragment.text(at + 1) === ":" && at + 2 < to) at += 2;
    const token = fragment.tokens[at];
    if (token?.kind === "open" && token.partner > at)
      return namesIn(fragment, { from: at + 1, to: token.partner });
    return token?.kind === "word" ? [{ name: token.text, at }] : [];
  });
}

/** Maximum tokens of a pattern before a name in it. */
const MAX_PATTERN = 100;

/** Returns the keys under which a pattern takes a name, `params` and `id` in `({ params: { id } })`; none of a parameter. */
export function keysBefore(fragment: LexedFragment, { from }: Range, at: number): string[] | undefined {
  if (fragment.text(from) !== "{") return [];
  if (at - from > MAX_PATTERN) return undefined;
  const keys: string[] = [];
  for (let index = from + 1; index < at; index++) {
    const { text, partner = -1 } = fragment.tokens[index] ?? {};
    if (text !== "{") continue;
    if (partner < at) index = Math.max(index, partner);
    else keys.push(fragment.text(index - 2));
  }
  return [...keys, fragment.text(at - 1) === ":" ? fragment.text(at - 2) : fragment.text(at)];
}
