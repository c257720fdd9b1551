/** What data counts beside code and prose that have the same words: nobody asks for a row of a table. */
const DATA_SHARE = 0.4;

const TABLE = /\.(?:csv|tsv|geojson|jsonl|ndjson)$/i;
/** Pictures that are text, and what an application is delivered with or tried on. */
const ASSET =
  /\.svg$|(?:^|\/)(?:drawable|mipmap)(?:-[\w-]+)?\/|(?:^|\/)(?:assets|fixtures?|seeds?|testdata|test-data)\/(?:[^/]+\/){0,3}[^/]+\.(?:json|ya?ml|xml|html|txt)$/i;
/** Formats that hold nothing but translated texts. */
const TRANSLATED = /\.(?:po|pot|arb|ftl|xliff?|strings|resx)$|(?:^|\/)values(?:-[\w-]+)?\/strings\.xml$/i;
/** Data of any program, in a folder of translations or named for a language: `messages_tr.properties`. */
const IN_LANGUAGE =
  /(?:^|\/)(?:i18n|l10n|locales?|lang|languages|translations?|messages)\/(?:[^/]+\/){0,3}[^/]+\.(?:json|ya?ml|properties|toml)$|(?:^|\/)messages(?:[._-][a-z]{2}(?:[_-][A-Za-z]{2,4})?)?\.(?:json|ya?ml|properties|toml)$|_[a-z]{2}(?:_[A-Z]{2})?\.properties$/;
const ASKS_FOR_DATA =
  /\b(?:translat\w*|locali[sz]\w*|internationali[sz]\w*|i18n|l10n|locales?|languages?|csv|tsv|svgs?|icons?|drawables?|images?|fixtures?|seeds?|messages\.\w+)\b/i;

/** What a file counts that holds translations or a table, where nobody asks for such files. */
export function dataShareFor(query: string): (path: string) => number {
  if (ASKS_FOR_DATA.test(query)) return () => 1;
  return (path) =>
    TABLE.test(path) || ASSET.test(path) || TRANSLATED.test(path) || IN_LANGUAGE.test(path) ? DATA_SHARE : 1;
}
