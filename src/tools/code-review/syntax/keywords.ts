import type { Language } from "../language/language.ts";

const words = (text: string): readonly string[] => text.split(" ");

const EVERYWHERE = words(
  "if else for while return case break continue default do switch class new import try catch finally throw",
);
const C_FAMILY = words(
  "const static void enum struct public private protected this super instanceof extends implements interface sizeof goto volatile final abstract",
);

const OWN: Partial<Record<Language, readonly string[]>> = {
  javascript: words(
    "in function let var const of typeof instanceof delete yield await async export from static public private protected readonly extends implements interface enum as super void abstract override declare",
  ),
  python: words(
    "in elif def lambda pass raise except with as from not and or is global nonlocal yield await async del assert",
  ),
  go: words("func var const range select defer go chan map interface struct package type fallthrough goto"),
  java: [
    ...C_FAMILY,
    ...words("throws package synchronized assert val var fun when override object companion"),
  ],
  ruby: words(
    "in elsif unless until when then end begin rescue ensure def module and or not yield self raise redo retry next super",
  ),
  php: words(
    "elseif foreach function fn use namespace global static public private protected abstract final const as and or xor instanceof extends implements interface trait match yield array list isset unset empty",
  ),
  c: [...C_FAMILY, ...words("typedef union extern register unsigned signed")],
  cpp: [
    ...C_FAMILY,
    ...words(
      "typedef union extern using namespace template typename delete operator noexcept constexpr auto unsigned signed override",
    ),
  ],
  csharp: [
    ...C_FAMILY,
    ...words(
      "in using namespace foreach var async await override virtual readonly out ref params is as lock typeof nameof internal sealed when where select",
    ),
  ],
  rust: words(
    "in fn let mut match loop impl trait struct enum pub use mod crate move ref where as unsafe async await dyn type const static",
  ),
};

const sets = new Map<Language, ReadonlySet<string>>();

/** Whether a word is reserved in a language, except `this`, `self` and `super`, which name values. */
export function isKeyword(language: Language, word: string): boolean {
  let set = sets.get(language);
  if (!set) {
    set = new Set([...EVERYWHERE, ...(OWN[language] ?? [])]);
    for (const name of ["this", "self", "super"]) (set as Set<string>).delete(name);
    sets.set(language, set);
  }
  return set.has(word);
}

/** Names with a fixed value. */
export const LITERALS: ReadonlySet<string> = new Set(
  words(
    "true false null undefined None True False nil NULL nullptr NaN Infinity TRUE FALSE __DIR__ __FILE__ __CLASS__ __FUNCTION__ __METHOD__ __NAMESPACE__ __dirname __filename __file__ __name__",
  ),
);

/** Operators of member access. */
export const MEMBER: ReadonlySet<string> = new Set(words(". ?. -> ::"));
