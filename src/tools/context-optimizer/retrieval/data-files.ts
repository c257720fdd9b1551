/**
 * Factor of the scores of data files beside code and prose with the same words, since queries are seldom about a row of
 * data.
 */
const DATA_SHARE = 0.4;

const TABLE = /\.(?:csv|tsv|geojson|jsonl|ndjson)$/i;
/** Pictures that are text, and data that an application is delivered or tested with. */
const ASSET =
  /\.svg$|(?:^|\/)(?:drawable|mipmap)(?:-[\w-]+)?\/|(?:^|\/)(?:assets|fixtures?|seeds?|testdata|test-data)\/(?:[^/]+\/){0,3}[^/]+\.(?:json|ya?ml|xml|html|txt)$/i;
/** Formats that hold nothing but translated texts. */
const TRANSLATED =
  /\.(?:po|pot|arb|ftl|xlf|xliff|strings|resx|resw)$|(?:^|\/)values(?:-[\w-]+)?\/strings\.xml$/i;
/** Data in general formats, in a folder of translations or named for a language: `messages_tr.properties`. */
const IN_LANGUAGE =
  /(?:^|\/)(?:i18n|l10n|locales?|lang|languages|translations?|messages)\/(?:[^/]+\/){0,3}[^/]+\.(?:json|ya?ml|properties|toml)$|(?:^|\/)messages(?:[._-][a-z]{2}(?:[_-][A-Za-z]{2,4})?)?\.(?:json|ya?ml|properties|toml)$|_[a-z]{2}(?:_[A-Z]{2})?\.properties$/;
const ASKS_FOR_DATA =
  /\b(?:translat\w*|locali[sz]\w*|internationali[sz]\w*|i18n|l10n|locales?|languages?|csv|tsv|svgs?|icons?|drawables?|images?|fixtures?|seeds?|messages\.\w+)\b/i;

/** Forms as the designer of Visual Studio writes them. Their names are those of the code beside them. */
const DESIGNED = /\.designer\.(?:cs|vb)$/i;
const ASKS_FOR_DESIGNED = /\b(?:designer|resx)\b/i;

/** Steps of a database's schema, by number or time. Released ones never change: new ones are added instead. */
const MIGRATION =
  /(?:^|\/)(?:migrations?|migrate)\/(?:[^/]{1,200}\/){0,2}(?:V?\d[\d.]{1,40}[_-]|V\d[\d._]{0,40}__)/i;
const ASKS_FOR_MIGRATIONS = /\bmigrat\w*/i;

/** Code of others that is kept beside a project's own, which is replaced rather than changed. */
const VENDORED =
  /^(?:[^/]+\/)?(?:vendor|vendored)\/|(?:^|\/)(?:_vendor|third[-_]?party|3rd[-_]?party|bower_components)\//i;
const ASKS_FOR_VENDORED = /\b(?:vendor\w*|third[- _]?party|3rd[- _]?party|bundled)\b/i;

/** Instructions for coding agents. */
const INSTRUCTION =
  /(?:^|\/)\.(?:agents?|aider|augment|claude|cline|clinerules|codex|continue|cursor|gemini|junie|kiro|opencode|roo|windsurf)\/|(?:^|\/)(?:AGENTS|CLAUDE|GEMINI|copilot-instructions)\.md$/;
const ASKS_FOR_INSTRUCTIONS =
  /\b(?:(?:agents|claude|gemini|copilot-instructions)\.md|skills?|cursor rules|claude code|copilot|codex)\b|(?:^|\s)\.(?:agents|claude|cursor|opencode)\b/i;

/**
 * Returns a function from a path to the factor of its score. It is low for files that seldom hold an answer, unless the
 * query asks for them.
 */
export function dataShareFor(query: string): (path: string) => number {
  const kinds = [
    ...(ASKS_FOR_DATA.test(query) ? [] : [TABLE, ASSET, TRANSLATED, IN_LANGUAGE]),
    ...(ASKS_FOR_DESIGNED.test(query) ? [] : [DESIGNED]),
    ...(ASKS_FOR_MIGRATIONS.test(query) ? [] : [MIGRATION]),
    ...(ASKS_FOR_VENDORED.test(query) ? [] : [VENDORED]),
    ...(ASKS_FOR_INSTRUCTIONS.test(query) ? [] : [INSTRUCTION]),
  ];
  return (path) => (kinds.some((kind) => kind.test(path)) ? DATA_SHARE : 1);
}
