import { entropyOf } from "../entropy.ts";
import { secretsInCommands } from "./command-secrets.ts";
import { knownTokens } from "./known-tokens.ts";

/**
 * Patterns of secrets with a recognisable form, under the kinds that answers have always named. They take what is only
 * nearly in the form, which for a finding of the review is too little; `knownTokens` finds those of all other issuers. If
 * there is a first group, only that is masked. What follows it must not repeat it.
 */
const FORMS: readonly (readonly [kind: string, pattern: RegExp])[] = [
  [
    "private-key",
    /-----BEGIN [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----[\s\S]{0,65536}?(?:-----END [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----|$)/g,
  ],
  // Anchored at the start of a word. Starting at each of its parts would rescan words with many dashes.
  ["json-web-token", /(?<![\w-])[\w-]{0,40}?\b(eyJ[\w-]{8,2000}\.eyJ[\w-]{8,4000}\.[\w-]{8,2000})/g],
  ["aws-key", /\b(?:AKIA|ASIA|ABIA|ACCA)[0-9A-Z]{16}\b/g],
  ["github-token", /\b(?:gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_\w{22,255})\b/g],
  ["gitlab-token", /\bgl(?:pat|dt|rt|cbt|ptt|ft|soat)-[\w-]{20,100}\b/g],
  ["slack-token", /\bxox[abeoprs]-[A-Za-z0-9-]{10,250}\b|\bxapp-\d-[A-Za-z0-9-]{10,250}\b/g],
  ["slack-webhook", /https:\/\/hooks\.slack\.com\/(?:services|workflows)\/[\w/+-]{20,200}/g],
  [
    "stripe-key",
    /\b(?:sk|rk|pk|whsec)_(?:(?:live|test)_[A-Za-z0-9]{16,250}|(?=[A-Za-z]{0,250}\d)[A-Za-z0-9]{16,250})\b/g,
  ],
  ["api-key", /\bsk-(?=[A-Za-z_-]{0,250}\d)[\w-]{20,250}/g],
  ["google-key", /\bAIza[\w-]{35}|\bya29\.[\w-]{20,500}|\bGOCSPX-[\w-]{20,40}/g],
  ["npm-token", /\bnpm_[A-Za-z0-9]{36}\b/g],
  ["pypi-token", /\bpypi-[\w-]{40,250}/g],
  ["hugging-face-token", /\bhf_[A-Za-z0-9]{30,60}\b/g],
  ["digitalocean-token", /\bdo[por]_v1_[a-f0-9]{64}\b/g],
  ["shopify-token", /\bshp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}\b/g],
  ["sendgrid-key", /\bSG\.[\w-]{16,32}\.[\w-]{30,64}/g],
  ["toolplane-credential", /\bt(?:at|rt|ak|se|sl)_[A-Za-z0-9_-]{20,200}/g],
  ["password-in-url", /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:/@]{0,100}:([^\s/@]{1,200})@/gi],
  [
    "bearer-token",
    /\b(?:Bearer|Basic)\s{1,4}(?=[\w.~+/-]{0,2000}?(?:\d|=|[a-z][A-Z]))([\w.~+/-]{16,2000}={0,2})/g,
  ],
];

/** `db_pass`, but not `proxy_pass` of nginx or `render_pass`. */
const PASS =
  "[_-]pass(?<!(?:proxy|fastcgi|uwsgi|scgi|grpc|by|render|depth|shadow|forward|backward|first|second|one|two|single|multi|tests?)[_-]pass)(?![a-rt-z])";

/** `pwd=…`, but not the directory that a shell prints. */
const PWD = `pwd(?!["']?\\s{0,4}(?:[:=]|\\bis\\b)\\s{0,4}["']?(?:~?/|[a-z]:\\\\))`;

const NAMES = `passwor[dt]|passwd|passphrase|kennwort|contraseña|${PWD}|${PASS}`;

const PASSWORD = new RegExp(NAMES, "i");
const ASSIGNABLE = `[\\w-]{0,40}?(?:${NAMES}|secret|token|api[ _-]?key|access[ _-]?key|private[ _-]?key|credentials?)`;

/** A quote, if there is one, which is escaped where JSON or a command stands in a text: `{\\"password\\":\\"…\\"}`. */
const QUOTE = "(?:\\\\{0,3}[\"'])?";

/** The end of a name for something about a secret: `secretName`, `token_type`, `api_key_header`. */
const ABOUT = "name|header|type|ur[il]|arn|path|file|folder|ttl|version|length|rotation|izers?";

/**
 * Matches assignments such as `password = "…"`, `api_key: …`, `"clientSecret": "…"`, `config["password"] = "…"`, and
 * `password: |` above its value. Addresses are searched themselves. "Unexpected token" is what parsers say of others.
 */
const ASSIGNED = new RegExp(
  `\\b(?<!expected )(${ASSIGNABLE}[\\w-]{0,20}?)(?<!${ABOUT})${QUOTE}(?:\\s{0,4}(?:=>|:=|[:=]|\\bis\\b)|\\]\\s{0,4}=>?)\\s{0,4}(?:[|>][+-]?\\s{1,60})?(?:\\\\{1,3}["']((?:[^"'\\\\\\n]|\\\\{1,3}(?!["'\\\\])){4,500})\\\\{1,3}["']|"([^"\\n]{4,500})"|'([^'\\n]{4,500})'|\`([^\`\\n]{4,500})\`|(?!https?://)([^\\s"'\`,;(){}[\\]]{6,500}))`,
  "gi",
);
/**
 * Matches a value apart from its name: `<password>…</password>`, `name: DB_PASSWORD` above `value: …` in a manifest of
 * Kubernetes, `<add key="ApiKey" value="…"/>`, `ENV API_KEY …`, `ALTER USER ada WITH PASSWORD '…'`.
 */
const APART = [
  new RegExp(
    `<(${ASSIGNABLE})(?:\\s[^<>]{0,200})?>\\s{0,60}(?:<!\\[CDATA\\[)?([^<>\\s\\]]{4,500})(?:\\]\\]>)?\\s{0,60}</`,
    "gi",
  ),
  new RegExp(
    `\\b(?:name|key)${QUOTE}\\s{0,4}[:=]\\s{0,4}${QUOTE}(${ASSIGNABLE})${QUOTE}(?:,\\s{0,60}|\\s{1,60})${QUOTE}value${QUOTE}\\s{0,4}[:=]\\s{0,4}${QUOTE}([^\\s"'<>{}[\\],\\\\]{4,500})`,
    "gi",
  ),
  new RegExp(
    `\\b(?:ENV|setx|config(?:ure)?\\s{1,4}set)\\s{1,4}(?:[^\\s=]{0,100}:)?(${ASSIGNABLE})\\s{1,4}([^\\s"'\`=]{6,500})`,
    "gi",
  ),
  /\b(with\s{1,4}password|identified\s{1,4}by(?:\s{1,4}password)?)\s{1,4}'([^'\n]{4,500})'/gi,
];
const SENSITIVE_NAME = new RegExp(
  `(?:${NAMES}|secret|api[_-]?key|access[_-]?key|private[_-]?key|token|credential)s?$`,
  "i",
);
/** What follows a name in Maven's coordinates: `org.jenkins-ci.plugins:ssh-credentials:jar:1.2.3`. */
const COORDINATES = /^:(?:(?:jar|war|ear|aar|pom|hpi|bundle|test-jar|maven-plugin)(?::|$)|\d+(?:\.\w+)+)/;
/** The version of a package: `"jsonwebtoken": "^9.0.2"`, `tokenizers==0.15.2`. */
const VERSION = /^[~^<>=v]{0,3}\d{1,4}\.\d{1,4}(?:\.\d{1,4})?(?:[-+][\w.]{1,20})?$/;
const NUMBER = /^[\d._]+$/;
/** A member in a program: `s3Config.accessKeySecret`. */
const MEMBER = /^[a-z_]+(?:\d[a-z_]*)?(?:\.[a-z_]+(?:\d[a-z_]*)?)+$/i;
const PLACEHOLDER =
  /^(?:\$|<|%|#?\{|\*{3}|\[masked|x{4,}|arn:|vault:|your|example|changeme|redacted|process\.|null|undefined|true|false)/i;
/** Bits per character. Prose is below, random strings are above. */
const MIN_ENTROPY = 2.5;

/** A text without its secrets, and the kinds of secrets it contained. */
export interface MaskedText {
  text: string;
  kinds: Set<string>;
}

export function maskSecrets(text: string): MaskedText {
  const kinds = new Set<string>();
  const mask = (kind: string): string => {
    kinds.add(kind);
    return `[masked ${kind}]`;
  };
  let masked = text;
  for (const [kind, pattern] of FORMS) {
    masked = masked.replace(pattern, (whole: string, ...rest: unknown[]) =>
      typeof rest[0] === "string" ? replaceLast(whole, rest[0], mask(kind)) : mask(kind),
    );
  }
  masked = masked.includes("\n") ? masked.split("\n").map(maskLine).join("\n") : maskLine(masked);
  masked = masked.replace(ASSIGNED, (whole: string, name: string, ...groups: unknown[]) => {
    const quoted = groups.slice(0, 4).find((group) => typeof group === "string") as string | undefined;
    const value = quoted ?? (groups[4] as string);
    const [offset, all] = groups.slice(-2) as [number, string];
    if (all[offset - 1] === ":" && COORDINATES.test(whole.slice(name.length))) return whole;
    // How many tokens a model takes: `max_tokens: 1048576`.
    if (/tokens/i.test(name) && NUMBER.test(value)) return whole;
    if (!looksSecret(value, quoted !== undefined)) return whole;
    return replaceLast(whole, value, mask("assigned-secret"));
  });
  for (const pattern of APART) {
    masked = masked.replace(pattern, (whole: string, name: string, value: string) =>
      looksSecret(value, PASSWORD.test(name)) ? replaceLast(whole, value, mask("assigned-secret")) : whole,
    );
  }
  return { text: masked, kinds };

  /** Masks the credentials whose issuer is known by their form, and passwords that are given to commands. */
  function maskLine(line: string): string {
    const tokens = knownTokens(line).filter(({ isMark }) => !isMark);
    const passwords = secretsInCommands(line).filter(({ text }) => !text.startsWith("[masked"));
    const found = [
      ...tokens.map((token) => ({ ...token, kind: "credential" })),
      ...passwords.map((password) => ({ ...password, kind: "password-in-command" })),
    ].sort((one, other) => one.column - other.column);
    let end = 0;
    let masked = "";
    for (const { column, text, kind } of found) {
      if (column >= end) masked += line.slice(end, column) + mask(kind);
      end = Math.max(end, column + text.length);
    }
    return masked + line.slice(end);
  }
}

/** Replaces the last occurrence: in `postgres://postgres:postgres@db`, the password is also the name and the scheme. */
function replaceLast(whole: string, part: string, by: string): string {
  const at = whole.lastIndexOf(part);
  return whole.slice(0, at) + by + whole.slice(at + part.length);
}

/**
 * Masks secrets in free-form data: in its strings, and every value under a sensitive name, or beside one as in a list of
 * variables.
 */
export function maskSecretsIn(value: unknown, kinds: Set<string>, name = ""): unknown {
  if (typeof value === "string") {
    const masked = maskSecrets(value);
    for (const kind of masked.kinds) kinds.add(kind);
    if (masked.kinds.size > 0 || !SENSITIVE_NAME.test(name) || PLACEHOLDER.test(value) || value === "") {
      return masked.text;
    }
    kinds.add("assigned-secret");
    return "[masked assigned-secret]";
  }
  if (Array.isArray(value)) return value.map((item) => maskSecretsIn(item, kinds, name));
  if (typeof value !== "object" || value === null) return value;
  const given = value as { name?: unknown; key?: unknown };
  const of = [given.name, given.key].find((each) => typeof each === "string" && SENSITIVE_NAME.test(each));
  const nameOf = (key: string) => (key === "value" && of !== undefined ? (of as string) : key);
  // `fromEntries`, because assignment would treat `__proto__` specially.
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, maskSecretsIn(member, kinds, nameOf(key))]),
  );
}

/** Whether a value looks secret. An unquoted word after "the token is" may just be part of the sentence. */
function looksSecret(value: string, quoted: boolean): boolean {
  if (PLACEHOLDER.test(value) || VERSION.test(value)) return false;
  if (quoted) return !/\s/.test(value) || entropyOf(value) > MIN_ENTROPY + 1.5;
  return /\d/.test(value) && !MEMBER.test(value) && entropyOf(value) >= MIN_ENTROPY;
}
