import { isIP } from "node:net";
import { CARDS, IBANS, isCard, isIban, isPhone, PHONES } from "./numbers.ts";

/** A text with everything masked that reveals its origin, and the kinds of what was masked. */
export interface Anonymous {
  text: string;
  kinds: string[];
}

type Rule = readonly [kind: string, pattern: RegExp, really?: (found: string) => boolean];

/** Characters that end an unquoted name or path, for use in a character class. */
const STOP = "\\s\"'`<>|,;()\\[\\]{}";

/**
 * The rules in the order of application: one comes before those that would split its matches. If groups of a
 * pattern match, only the last of them is masked. A pattern that begins with a repetition may match only from where
 * the repeated characters begin: trying each of them again would take quadratic time.
 */
const RULES: readonly Rule[] = [
  ["secret", /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]{0,40}PRIVATE KEY-----|$)/g],
  ["url", new RegExp(`\\b[a-z][a-z0-9+.-]{0,20}://[^${STOP}]+|\\b(?:mailto|www)[:.][^${STOP}]+`, "gi")],
  ["url", new RegExp(`(?<![\\w.+-])[\\w.+-]+@[\\w.-]+:[^${STOP}]+`, "g")],
  ["email", new RegExp(`(?<![^${STOP}@:=])[^${STOP}@:=]+@[^${STOP}@:=]+`, "g")],
  ["name", new RegExp(`@[\\p{L}\\p{N}][^${STOP}]*`, "gu")],
  ["secret", /\b(?:Bearer|Basic)\s+([\w.~+/=-]{8,})/gi],
  [
    "secret",
    /(?:passw(?:or)?d|passphrase|pwd|secret|token|credentials?|(?:api|access|private)[ _-]?key)["']?\s*(?:[:=]|\bis\b(?=\s*\S*\d))\s*["'`]?([^\s"'`,;)\]}]+)/gi,
  ],
  ["name", /\b(?:user(?:name)?|login|author|owner|host(?:name)?)\s*[:=]\s*["'`]?([^\s"'`,;)\]}]+)/gi],
  ["id", /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi],
  ["address", /(?<![\w:])[0-9a-f:]{2,39}(?:\.\d{1,3}){0,3}(?:%\w+)?(?:\/\d{1,3})?/gi, isAddress],
  ...CARDS.map((pattern): Rule => ["card", pattern, isCard]),
  ...IBANS.map((pattern): Rule => ["iban", pattern, isIban]),
  ...PHONES.map((pattern): Rule => ["phone", pattern, isPhone]),
  ["address", /\b[0-9a-f]{2}(?:[:-][0-9a-f]{2}){5}\b/gi],
  ["path", /(["'`])((?:~|\.{0,2}\/|[A-Za-z]:[\\/]|\\\\)[^"'`\n]*)(?=\1)/g],
  ["path", new RegExp(`(?<![\\w:])(?:[A-Za-z]:[\\\\/]|\\\\\\\\|[$%~][\\w{}%.-]*[\\\\/])[^${STOP}]*`, "g")],
  ["path", new RegExp(`(?<![^${STOP}\\\\])[^${STOP}\\\\]*\\\\[^${STOP}]+`, "g")],
  ["address", /(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?::\d+|\/\d+)?(?![\w.]*\d)/g],
  ["path", new RegExp(`(?<![^${STOP}/])[^${STOP}/]*/[^${STOP}]*`, "g"), isPath],
  ["secret", /[\w+/=-]{20,}/g, (found) => /\d/.test(found) && /[a-z]/i.test(found)],
  ["id", /\b[0-9a-f]{12,}\b/gi, (found) => /\d/.test(found)],
  // It begins where no earlier part of it can, or right behind the port of another.
  [
    "host",
    /[\p{L}\p{N}](?:(?<![\p{L}\p{N}][_.-]*.)|(?<=:\d+(?:[_.-]+.|\D)))(?:[\p{L}\p{N}_-]*\.)+(?:[\p{L}][\p{L}\p{N}-]+(?::\d+)?|\p{L}:\d+)/gu,
    isHost,
  ],
  ["host", /(?<![\p{L}\p{N}_.-])(?:localhost|[\p{L}][\p{L}\p{N}_-]*):\d{2,5}\b|\blocalhost\b/giu],
];

/** The beginning of an earlier mask. */
const MASK = /^\[(?:secret|url|email|name|id|card|iban|phone|address|path|host)\b/;

/** File names with common extensions and technologies with a dot, which are no hosts. */
const KNOWN =
  /^(?:[\w-]+\.(?:(?:config|test|spec|d|module)\.)?(?:[cm]?[jt]sx?|json5?|ya?ml|toml|lock|xml|html?|s?css|txt|log|sql|gradle|kts?|java|go|rb|php|env|cfg|ini|conf|csv|svg|png|pdf|dll|exe|jar|war)|(?:asp|vb|ml)\.net)$/i;

/**
 * Masks what identifies: addresses, hosts, URLs, paths, ids, numbers of cards, bank accounts and telephones, secrets,
 * and the names given.
 *
 * @param names of the account, its users and its projects
 */
export function anonymise(text: string, names: readonly string[]): Anonymous {
  const kinds = new Set<string>();
  // Zero-width characters and compatibility look-alikes could hide a match.
  let masked = text.normalize("NFKC").replace(/\p{Cf}|\u034f|[\ufe00-\ufe0f]/gu, "");
  for (const rule of RULES) masked = mask(masked, rule, kinds);
  const named = ruleOf(names, masked);
  if (named) masked = mask(masked, named, kinds);
  return { text: masked, kinds: [...kinds].sort() };
}

function mask(text: string, [kind, pattern, really]: Rule, kinds: Set<string>): string {
  let masked = "";
  let end = 0;
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    const [whole, ...groups] = match;
    const found = groups.findLast((group) => group !== undefined) ?? whole;
    if (MASK.test(found)) continue;
    if (really && !really(found)) {
      // A later word of this match may begin another one.
      const space = whole.search(/\s/);
      if (space > 0) pattern.lastIndex = match.index + space;
      continue;
    }
    kinds.add(kind);
    masked += `${text.slice(end, match.index + whole.length - found.length)}[${kind}]`;
    end = pattern.lastIndex;
  }
  return masked + text.slice(end);
}

const MIN_NAME_LENGTH = 3;
/** Common names. Masking them would protect nothing and spoil the text. */
const COMMON = new Set(["default", "owner", "admin", "root", "user", "test", "main"]);

/**
 * Returns a rule for those of the names that may be in the text, longest first, since one may be part of another.
 * An account may have a thousand names, of which a text has few.
 */
function ruleOf(names: readonly string[], text: string): Rule | undefined {
  const folded = fold(text);
  const patterns = [...new Set(names.map((name) => name.normalize("NFKC").trim()))]
    .filter((name) => name.length >= MIN_NAME_LENGTH && !COMMON.has(name.toLowerCase()))
    // One of dashes alone would match the empty text, without end.
    .filter((name) => fold(name) !== "" && folded.includes(fold(name)))
    .sort((left, right) => right.length - left.length)
    .map((name) => {
      const words = name.split(/[\s_-]+/).map((word) => word.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"));
      return words.join("[\\s_-]*");
    });
  if (patterns.length === 0) return undefined;
  const any = `(?<![\\p{L}\\p{N}])(?:${patterns.join("|")})(?![\\p{L}\\p{N}])`;
  return ["name", new RegExp(any, "giu")];
}

/** Makes all forms of a name the same: in any case, with or without spaces and dashes. */
function fold(text: string): string {
  return text
    .replace(/[\s_-]+/g, "")
    .toLowerCase()
    .toUpperCase();
}

function isAddress(found: string): boolean {
  return found.includes(":") && isIP(found.replace(/[/].*$/, "")) === 6;
}

/**
 * Pairs of words, languages and rates that are no paths. Any other pair may be one: `acme/shop` may be a
 * repository.
 */
const NO_PATH = new RegExp(
  `^(?:${[
    "[A-Z\\d]{1,4}/[A-Z\\d]{1,4}",
    "and/or|either/or|on/off|yes/no|true/false|pass/fail|input/output|read/write|client/server",
    "pl/(?:sql|pgsql|python|perl|i|m)|tcl/tk|c/c\\+\\+",
    "(?:\\d[\\d.]*|builds|deploys|errors|failures|requests|tasks|tests)/(?:s|min|h|hour|day|week|sprint|month|build|run)",
  ].join("|")})$`,
);

function isPath(found: string): boolean {
  return /[^/]/.test(found) && !NO_PATH.test(found.replace(/[.:!?]+$/, ""));
}

function isHost(found: string): boolean {
  // `app.ts:12` is a line of a file.
  return !KNOWN.test(found.replace(/:\d+$/, "")) && !/^(?:e\.g|i\.e)$/i.test(found);
}
