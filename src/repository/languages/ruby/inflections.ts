/** Returns what a word may be the plural of, and itself. */
export function singularsOf(word: string): string[] {
  const forms: [RegExp, string][] = [
    [/ies$/, "y"],
    [/(?<=s|x|z|ch|sh)es$/, ""],
    [/s$/, ""],
  ];
  return [
    word,
    ...forms.flatMap(([ending, instead]) => (ending.test(word) ? word.replace(ending, instead) : [])),
  ];
}

/** Returns what may be the plural of a word. */
export function pluralsOf(word: string): string[] {
  return [`${word}s`, `${word}es`, ...(word.endsWith("y") ? [`${word.slice(0, -1)}ies`] : [])];
}

/** Returns the name of a class in words: `LineItem` of `line_item`. */
export function camelized(word: string): string {
  return word.replace(/(?:^|_)(\p{Ll})/gu, (_, letter: string) => letter.toUpperCase());
}

/** Returns the path by which autoloaders find a class: `shop/html_cart` of `Shop::HTMLCart`. */
export function underscored(name: string): string {
  return name
    .replace(/^::/, "")
    .replaceAll("::", "/")
    .replace(/(?<=[A-Z])(?=[A-Z][a-z])|(?<=[a-z\d])(?=[A-Z])/g, "_")
    .toLowerCase();
}
