import { isPlaceholder } from "../../../text/secrets/placeholder.ts";
import { wordsOf } from "../syntax/words.ts";
import { GOOGLE_CLIENT, isParameter, isPublicIdentifier } from "./address-parameters.ts";
import { isExpression, isType } from "./code-values.ts";
import { isUuid, looksGenerated } from "./randomness.ts";
import { isReadableText } from "./readable-text.ts";
import { sensitivityOf } from "./sensitivity.ts";

/** A value behind a name that may be that of a secret. */
export interface NamedValue {
  name: string;
  value: string;
  /** Column of the value. */
  column: number;
  quoted: boolean;
  /** For a value without quotes of its own, the mark before it and the character behind it. */
  bare?: { separator: string; next: string };
  /** Whether the name is compared with the value instead of assigned it: `token === "…"`. */
  compared?: boolean;
  /** Whether it is a parameter of an address. */
  parameter?: boolean;
  /** Whether it is another string behind a comma: `"password", "…"`. */
  listed?: true;
}

/** Parts of names, one of which a name must contain to be considered. */
const CORE =
  /secret|token|passw|passphrase|\bpass\b|pwd|pw|key|auth|cred|clientid|client_id|accessid|access_id|signature|sonarqube|snyk|sentry/gi;
/** What may separate a name from its value. Two colons precede a member instead: `Token::Literal`. */
const BETWEEN = /["'`\]]{0,2}\s{0,8}(?:[=!]==?|=>|:=|=|:(?!:)|-|,|>|\|\||\?\?|\s)\s{0,8}/y;
/** A type between a name and its value: `secret: str = "…"`, `secret string = "…"`. */
const DECLARED =
  /(?::\s{0,4}(?:&'static )?[\w.[\]&<>?| ]{1,40}?|\sstring)\s{0,4}=\s{0,4}(?=[brfuBRFU@$]{0,2}["'`]|\w{1,20}\()/y;
/** What makes bytes, or a value of its own kind, of a text: `[]byte("…")`, `SecretStr("…")`. */
const CONVERTED =
  /(?:\[\]byte|Buffer\.from|(?:pydantic\.)?SecretStr|(?:\w{1,20}::)?Secret(?:String|Box)?::(?:new|from)|(?:\w{1,12}\.){0,3}GetBytes|bytes|bytearray|(?:new )?TextEncoder\(\)\.encode)\(\s{0,4}(?=[brfuBRFU@$]{0,2}["'`])/y;
const COMPARING = /^[=!]==?$/;
const OPENING = /(?:[brfuBRFU@$]{0,2}(["'`]))?/y;
const UNQUOTED = /[^\s"'`,;<>()[\]{}]{5,300}/y;
/** The continuation of a sentence behind its first word, and how many characters are searched for it. */
const SENTENCE = /^\s{1,4}\p{L}{2,40}[,.]?\s{1,4}\p{L}{1,40}/u;
const MAX_SEEN = 120;
/** Separators of words, arguments and tags. An unquoted value behind one must look like a secret. */
const LOOSE = /[,\-> ]/;

/** Returns every value on a line that follows a name like `apiToken`. */
export function namedValues(line: string): NamedValue[] {
  const found: NamedValue[] = [];
  CORE.lastIndex = 0;
  for (let match = CORE.exec(line); match; match = CORE.exec(line)) {
    let [start, end] = [match.index, match.index + match[0].length];
    while (start > 0 && match.index - start < 60 && isNamePart(line.charCodeAt(start - 1))) start--;
    while (end - match.index < 80 && isNamePart(line.charCodeAt(end))) end++;
    const value = valueAfter(line, end);
    // `?api_key=…&lang=pt`: the next parameter is not part of the value.
    const parameter = isParameter(line, start);
    if (value && parameter) value.value = value.value.replace(/(?:&|\\u0026).*/, "");
    // `"API_KEY=abc\nNAME=value\n"`: the next line of a file in a string.
    if (value?.bare && isWithinString(line, start)) value.value = value.value.replace(/\\[nr].*/, "");
    if (value?.listed && isOfLongList(line, start, value)) CORE.lastIndex = end;
    else if (value) {
      const quoted = value.quoted || (value.column === end + 1 && isWithinString(line, start));
      found.push({ name: line.slice(start, end), ...value, quoted, parameter });
      CORE.lastIndex = Math.max(end, value.column);
    } else CORE.lastIndex = end;
  }
  return found;
}

/** Whether a position is within a string, `"Server=db;Password=x"`: an odd number of quotes precedes it. */
function isWithinString(line: string, at: number): boolean {
  const before = line.slice(Math.max(0, at - 500), at);
  return (before.split('"').length - 1) % 2 === 1 || (before.split("'").length - 1) % 2 === 1;
}

/**
 * Whether a name and the string behind it are members of a list of more than two, as of columns or domains:
 * `["2fa_enabled", "2fa_secret", "2fa_backup_codes"]`. A pair is a name with its value, and so is an option of a command.
 */
function isOfLongList(line: string, start: number, { value, column }: Omit<NamedValue, "name">): boolean {
  if (line[start] === "-") return false;
  const seen = line.slice(Math.max(0, start - MAX_SEEN), start);
  const before = /["'`]\s{0,4},\s{0,4}["'`]$/.test(seen);
  const behind = /^["'`]\s{0,4},\s{0,4}["'`]/.test(
    line.slice(column + value.length, column + value.length + 12),
  );
  if (!before && !behind) return false;
  const open = lastOpenIn(seen);
  return open === "[" || (open === undefined && before && behind);
}

/** Returns the last bracket that a text leaves open. */
function lastOpenIn(text: string): string | undefined {
  let closed = 0;
  for (let at = text.length - 1; at >= 0; at--) {
    const character = text[at] as string;
    if (")]}".includes(character)) closed++;
    else if ("([{".includes(character) && closed-- === 0) return character;
  }
  return undefined;
}

function valueAfter(line: string, from: number): Omit<NamedValue, "name"> | undefined {
  const declared = matchAt(DECLARED, line, from);
  const between = declared ?? matchAt(BETWEEN, line, from);
  if (between === undefined) return undefined;
  const start = from + between.length;
  const made = start + (matchAt(CONVERTED, line, start)?.length ?? 0);
  OPENING.lastIndex = made;
  const opening = OPENING.exec(line);
  const column = made + (opening?.[0].length ?? 0);
  const quote = opening?.[1];
  const separator = declared ? "=" : between.replace(/["'`\]\s]/g, "") || " ";
  if (quote) {
    const end = line.indexOf(quote, column);
    if (end < 0 || end === column || end - column > 512) return undefined;
    if (separator === " " || separator === "-" || separator === ">") return undefined;
    // A comma separates a name from its value only if the name is quoted: `"password", "…"`.
    if (separator === "," && !/["'`]/.test(line[from] ?? "")) return undefined;
    const compared = COMPARING.test(separator);
    const listed = separator === "," && { listed: true as const };
    return { value: line.slice(column, end), column, quoted: true, ...(compared && { compared }), ...listed };
  }
  UNQUOTED.lastIndex = column;
  const value = UNQUOTED.exec(line)?.[0].replace(/[.:]$/, "");
  if (!value || /^(?:,|\|\||\?\?)$/.test(separator) || COMPARING.test(separator)) return undefined;
  if (SENTENCE.test(line.slice(column + value.length, column + value.length + MAX_SEEN))) return undefined;
  // An option behind a command is no value: `list-keys --api-id=…`.
  if (LOOSE.test(separator) && !/^(?!--?[a-z])[A-Za-z0-9+/=_-]{20,}$/.test(value)) return undefined;
  const next = line.charAt(column + value.length);
  // The next attribute of a tag: `action="EditKey" route-id="…"`.
  if (/^["'] /.test(between) && value.endsWith("=") && /["']/.test(next)) return undefined;
  return { value, column, quoted: separator === ">", bare: { separator, next } };
}

function matchAt(pattern: RegExp, line: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(line)?.[0];
}

function isNamePart(code: number): boolean {
  const letter = (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
  return letter || code === 95 || code === 45 || code === 46 || code === 36;
}

/** IPv6 and MAC addresses, and fingerprints of keys. */
const FINGERPRINT = /^(?:[0-9a-f]{0,4}:){2,40}[0-9a-f]{0,4}$/i;
/** `token=&user=…` */
const NEXT_PARAMETER = /^&\w{1,40}=/;
const MIN_COMPARED = 16;

/** Whether a value is a secret, judged by its form and its name. */
export function isSecretValue(
  { name, value, quoted, bare, compared, parameter }: NamedValue,
  inCode: boolean,
  hasTypes = inCode,
): boolean {
  const sensitivity = sensitivityOf(name);
  if ((parameter && isPublicIdentifier(name, value)) || GOOGLE_CLIENT.test(value)) return false;
  if (!sensitivity || isPlaceholder(value) || isReadableText(value)) return false;
  if (isModule(value) || (quoted && CONSTANT.test(value) && !/\d{4}/.test(value))) return false;
  if (value.length < 6 || value.includes("://") || FINGERPRINT.test(value) || NEXT_PARAMETER.test(value))
    return false;
  // Comparisons with words, such as kinds of tokens, are common.
  if (compared && !looksGenerated(value, MIN_COMPARED)) return false;
  if (/^(?:pub|pk_)/i.test(value) || EXTENDED_PUBLIC.test(value)) return false;
  if (bare && isType(value, bare.separator, hasTypes)) return false;
  // PowerShell and PHP write a literal in quotes: `$secure = ConvertTo-SecureString $password`.
  if (bare?.separator === "=" && name.startsWith("$")) return false;
  if (ALGORITHM.test(value) || FROM_ENVIRONMENT.test(value)) return false;
  if (!quoted && inCode && isExpression(value, bare?.next ?? "")) return false;
  // Operators and annotations: `token = &buffer2`, `password = !isSet(1)`.
  if (!quoted && inCode && /^[@!&]/.test(value)) return false;
  if (!quoted && /^[A-Za-z_$][\w$]{0,80}(?:\.[A-Za-z_$]|\(|\[)/.test(value) && !/\d{2}/.test(value))
    return false;
  // In code it is an identifier: `token = makeToken()`.
  if (!quoted && inCode && value.split(/\.|::/).every(isIdentifier)) return false;
  // Texts show code, too: `it = get_it_from_k8s()`.
  if (!quoted && bare?.next === "(" && /^[a-z_]+(?:[a-z]\d{1,2}[a-z])?[a-z_]*$/.test(value)) return false;
  if (isNamedAlike(name, value) || isHandler(value) || isFile(value)) return false;
  switch (sensitivity) {
    case "password":
      // The ids of password managers: `OnePassword = "bada5566-…"`.
      if (isUuid(value)) return false;
      return quoted || !inCode ? looksChosen(value) : looksGenerated(value, 12);
    case "secret":
      return (
        looksGenerated(value, quoted ? 12 : 14) ||
        (quoted && value.length >= 8 && looksGenerated(value, 8) && !/^[a-z]{1,20}\d{1,4}$/i.test(value))
      );
    case "key":
      return looksGenerated(value, 20) && !isTextKey(value);
    case "identifier":
      return isUuid(value) || looksGenerated(value, 14);
    case "provider":
      return isUuid(value) || /^[0-9a-f]{32,64}$/i.test(value);
  }
}

/** A path of a module, as of Go, with a type in it: `k8s.io/api/core/v1.SecretKeySelector`. */
function isModule(value: string): boolean {
  return /^(?:[a-z][a-z0-9-]{0,60}\.){1,4}[a-z]{2,10}(?:\/[\w-]{1,60}){1,12}(?:\.[A-Za-z]\w{0,80})?$/.test(
    value,
  );
}

/** What handles a route of Laravel: `Route::get("password", "Settings\\PasswordController@show")`. */
function isHandler(value: string): boolean {
  return /^[A-Z][\w\\]{0,120}Controller@\w{1,60}$/.test(value);
}

/**
 * A file in folders: `history_key = "state/eu-1/history.json"`, `"songs/128/$id.m4a"`, `--auth=jwt:/etc/app/jwt.key` also
 * where a manual page sets it in bold, `\\fB…\\fR`. No encoding of a secret has both signs.
 */
function isFile(value: string): boolean {
  return /^(?:(?:[a-z]{1,20}:){1,4}\/)?(?:[\w.${}-]{1,60}\/){1,12}[\w${}-]{1,60}\.[a-z][a-z0-9]{1,4}(?:\\f[RIP])?$/.test(
    value,
  );
}

/** The name of an algorithm, with its parameters: `SHA512-CRYPT`, `sha1:6`. */
const ALGORITHM =
  /^(?:hmac[-_]?)?(?:s?md5|ss?ha[-_]?\d{1,3}|s?sha|aes[-_]?\d{3}|argon2\w{0,2}|b?crypt|scrypt|pbkdf2)(?:[-:._](?:\d{1,6}|[a-z]{2,8}\d{0,3})){0,4}$/i;
/** An extended public key of a wallet (BIP 32). */
const EXTENDED_PUBLIC = /^[tuvxyz]pub[1-9A-Za-z]{50,}$/;
/** A value that is read from the environment, behind words about it: `jwt:verify:$JWT_SECRET`. */
const FROM_ENVIRONMENT = /^(?:[a-z]{1,20}[:=]){1,4}\$\{?[A-Z][A-Z0-9_]{2,40}/;

/** The key of a translated text: `labelKey: "labels.facet_timestamp_1day"`. */
function isTextKey(value: string): boolean {
  const parts = value.split(".");
  return (parts.length > 1 && parts.every(isIdentifier)) || KEY_BEGUN.test(value);
}

/** The beginning of the key of a cache, which a value follows: `"seasonal:2020:user:" . $id`. */
const KEY_BEGUN = /^(?:[A-Za-z][\w.-]{0,40}:{1,2}|\d{1,8}:{1,2}){2,8}$/;

/** The name of a constant or of a variable of the environment: `SECRET_123`. */
const CONSTANT = /^[A-Z]{2,30}(?:_(?:[A-Z]{2,30}|\d{1,3})){1,6}$/;

/** Whether a value consists of words. In a random one, case and kind of characters would change more often. */
function isIdentifier(value: string): boolean {
  const digits = value.match(/\d/g)?.length ?? 0;
  const isName = /^[A-Za-z_$][\w$]{0,80}$/.test(value) && digits <= MAX_DIGITS;
  return isName && value.length / wordsOf(value).length >= MIN_OF_WORD;
}

const MIN_OF_WORD = 3.5;
const MAX_DIGITS = 3;

/** Whether a value repeats its own name: `CanCreateApiKey = "canCreateApiKey"`. */
function isNamedAlike(name: string, value: string): boolean {
  const [own, given] = [name.slice(name.lastIndexOf(".") + 1), value].map((text) =>
    text.replace(/[^A-Za-z0-9]/g, "").toLowerCase(),
  ) as [string, string];
  return wordsOf(name).length > 1 && own.length >= MIN_ALIKE && given.includes(own);
}

const MIN_ALIKE = 8;

/** Whether a value looks like a password that a person chose: mixed letters, digits or signs, and not a sentence. */
function looksChosen(value: string): boolean {
  if (/\s/.test(value) || value.length > 128) return false;
  if (/^[\w.]{1,60}\(|=>|\|\||&&|^[a-z][\w-]{0,30}:\/\//i.test(value)) return false;
  if (looksGenerated(value, 10)) return true;
  // `monkey123`, but not the name of an algorithm such as `sha256`.
  if (
    /^[a-z]{4,20}\d{3,8}$/i.test(value) &&
    !/^(?:\w{0,8}(?:sha|aes|ecdsa|argon|utf|base)\d{2,3})$/i.test(value)
  )
    return true;
  const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z0-9]/].filter((kind) => kind.test(value)).length;
  return (
    /[\d@!$%^&*+~?]/.test(value) &&
    kinds >= 3 &&
    !/^[a-z]{1,20}[A-Z][A-Za-z]{0,40}$/.test(value) &&
    !/[./\\]\w{1,20}[./\\]/.test(value)
  );
}
