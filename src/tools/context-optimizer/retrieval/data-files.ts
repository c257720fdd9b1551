/** What such files count beside code and prose that have the same words: nobody asks for a row of a table. */
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

/** Steps of a database's schema, by number or time: what was taken is never changed, others follow it. */
const MIGRATION =
  /(?:^|\/)(?:migrations?|migrate)\/(?:[^/]{1,200}\/){0,2}(?:V?\d[\d.]{1,40}[_-]|V\d[\d._]{0,40}__)/i;
const ASKS_FOR_MIGRATIONS = /\bmigrat\w*/i;

/** What people tell programs that write code. */
const INSTRUCTION =
  /(?:^|\/)\.(?:agents?|aider|augment|claude|cline|clinerules|codex|continue|cursor|gemini|junie|kiro|opencode|roo|windsurf)\/|(?:^|\/)(?:AGENTS|CLAUDE|GEMINI|copilot-instructions)\.md$/;
const ASKS_FOR_INSTRUCTIONS =
  /\b(?:(?:agents|claude|gemini|copilot-instructions)\.md|skills?|cursor rules|claude code|copilot|codex)\b|(?:^|\s)\.(?:agents|claude|cursor|opencode)\b/i;

/** What a file counts that no answer is to be found in, where nobody asks for such files. */
export function dataShareFor(query: string): (path: string) => number {
  const kinds = [
    ...(ASKS_FOR_DATA.test(query) ? [] : [TABLE, ASSET, TRANSLATED, IN_LANGUAGE]),
    ...(ASKS_FOR_MIGRATIONS.test(query) ? [] : [MIGRATION]),
    ...(ASKS_FOR_INSTRUCTIONS.test(query) ? [] : [INSTRUCTION]),
  ];
  return (path) => (kinds.some((kind) => kind.test(path)) ? DATA_SHARE : 1);
}
