import { isPlaceholder } from "../../../text/secrets/placeholder.ts";
import type { Sighting } from "../finding.ts";
import { type LiteralString, literalIn } from "../flow/literal.ts";
import type { Language } from "../language/language.ts";
import { seenAt } from "../rules/sightings/sightings.ts";
import { isCalled } from "../rules/sightings/sinks.ts";
import { enclosingBracket } from "../syntax/brackets.ts";
import type { Call } from "../syntax/calls.ts";
import { membersOf } from "../syntax/definitions/definitions.ts";
import type { Fragment } from "../syntax/fragment.ts";
import { expressionEnd } from "../syntax/functions/functions.ts";
import { MEMBER } from "../syntax/keywords.ts";
import { optionsOf } from "../syntax/options.ts";
import type { Range } from "../syntax/range.ts";

/** An argument that must be a secret key. */
interface KeyArgument {
  names: RegExp;
  path?: RegExp;
  argument: number;
  /** Matches the argument before it, which says what it is: `put(SECURITY_CREDENTIALS, …)`. */
  behind?: RegExp;
  /** Skips placeholders such as `password`, which are common as this argument. */
  chosen?: true;
}

const JWT = /jwt|jsonwebtoken|jose/i;
const KEYS: Partial<Record<Language, readonly KeyArgument[]>> = {
  javascript: [
    { names: /^(?:sign|verify|encode|decode|signAsync|verifyAsync)$/, path: JWT, argument: 1 },
    { names: /^(?:createHmac|createCipheriv|createDecipheriv|createCipher|createDecipher)$/, argument: 1 },
    { names: /^cookieParser$/, argument: 0 },
  ],
  python: [
    { names: /^(?:encode|decode)$/, path: JWT, argument: 1 },
    {
      names: /^new$/,
      path: /^(?:hmac|AES|DES3?|Cryptodome\.\w{1,20}\.AES|Crypto\.Cipher\.\w{1,8})\.new$/,
      argument: 0,
    },
    { names: /^(?:Fernet|URLSafeSerializer|URLSafeTimedSerializer|TimestampSigner)$/, argument: 0 },
  ],
  go: [
    { names: /^(?:SignedString|NewCookieStore|NewCipher)$/, argument: 0 },
    { names: /^New$/, path: /^(?:crypto\.)?hmac\.New$/, argument: 1 },
  ],
  java: [
    {
      names:
        /^(?:HMAC256|HMAC384|HMAC512|setSigningKey|SecretKeySpec|hmacShaKeyFor|DESKeySpec|DESedeKeySpec|PBEKeySpec|PasswordProtection)$/,
      argument: 0,
    },
    { names: /^(?:signWith|PasswordAuthentication|UsernamePasswordCredentials)$/, argument: 1 },
    { names: /^(?:BasicAWSCredentials|BasicSessionCredentials|DefaultAuthenticator)$/, argument: 1 },
    { names: /^create$/, path: /(?:^|\.)Aws(?:Basic|Session)Credentials\.create$/, argument: 1 },
    { names: /^basic$/, path: /^Credentials\.basic$/, argument: 1 },
    { names: /^getConnection$/, path: /DriverManager/, argument: 2 },
    { names: /^(?:load|getKey)$/, path: /^KeyStore\.(?:getInstance\(\)\.)?(?:load|getKey)$/, argument: 1 },
    { names: /^init$/, path: /^KeyManagerFactory\.(?:getInstance\(\)\.)?init$/, argument: 1 },
    { names: /^(?:setPassword|setPassphrase)$/, argument: 0, chosen: true },
    { names: /^(?:setBasicAuth|setAuthentication)$/, argument: 1, chosen: true },
    {
      names: /^(?:put|setProperty|addToEnvironment)$/,
      behind: /^(?:SECURITY_CREDENTIALS|java\.naming\.security\.credentials)$/,
      argument: 1,
    },
  ],
  ruby: [
    { names: /^(?:encode|decode)$/, path: /^JWT\./, argument: 1 },
    { names: /^(?:digest|hexdigest|base64digest)$/, path: /HMAC\./, argument: 1 },
  ],
  php: [
    { names: /^(?:encode|decode)$/, path: /^JWT\./, argument: 1 },
    {
      names: /^(?:hash_hmac|PDO|mysqli|mysqli_connect|mysql_connect|openssl_encrypt|openssl_decrypt)$/,
      argument: 2,
    },
  ],
  csharp: [
    { names: /^(?:SymmetricSecurityKey|HMACSHA256|HMACSHA512|HMACSHA1)$/, argument: 0 },
    { names: /^NetworkCredential$/, argument: 1 },
  ],
  rust: [{ names: /^(?:from_secret|new_from_slice)$/, argument: 0 }],
};

/** Calls that take their key as an option. */
const CONFIGURED = /session|jwt|strategy$|passport|auth|cookie/i;
const KEY_OPTIONS =
  /^(?:secret|secrets|secretOrKey|clientSecret|consumerSecret|keys|jwtSecret|cookieSecret|sessionSecret)$/;
/** Calls that only change a text's type. */
const WRAPPERS =
  /^(?:from|asKey|encode|getBytes|GetBytes|as_bytes|as_ref|toCharArray|byte|bytes|Bytes|to_vec|createSecretKey)$/;

/** Finds strings that are used as the key of a signature, cipher or session: secrets, however simple they look. */
export function* keyLiterals(fragment: Fragment): Iterable<{ sighting: Sighting; what: string }> {
  const table = KEYS[fragment.language];
  if (!table) return;
  for (const { names, path, argument, behind, chosen } of table) {
    for (const call of fragment.callsOf(names)) {
      if (path && !isCalled(fragment, call, path)) continue;
      const before = call.args[argument - 1];
      if (behind && !(before && behind.test(fragment.text(before.to - 1)))) continue;
      const range = call.args[argument];
      const literal = range && (keyIn(fragment, range) ?? bytesIn(fragment, range));
      if (literal && !(chosen && isPlaceholder(literal.text)))
        yield found(
          fragment,
          call.start,
          call.at,
          literal,
          `the ${chosen || behind ? "password" : "key"} of ${call.name}()`,
        );
    }
  }
  if (fragment.language === "python") yield* flaskKeys(fragment);
  if (fragment.language !== "javascript" || fragment.wordsLike(KEY_OPTIONS).length === 0) return;
  for (const call of fragment.calls) {
    if (CONFIGURED.test(fragment.names.resolve(call.path))) yield* optionLiterals(fragment, call);
  }
}

const FLASK_KEY = /^(?:(?:JWT_|WTF_CSRF_)?SECRET_KEY|SECURITY_PASSWORD_SALT|secret_key)$/;

/** `app.config["SECRET_KEY"] = "…"`, `app.secret_key = "…"`, `app.config.update(SECRET_KEY="…")` of Flask. */
function* flaskKeys(fragment: Fragment) {
  for (const index of [...fragment.stringsLike(FLASK_KEY), ...fragment.wordsLike(FLASK_KEY)]) {
    const name = fragment.text(index);
    const [before, owner] = [fragment.text(index - 1), fragment.text(index - 2)];
    const isMember = before === "." && name === "secret_key" && !/^(?:self|cls)$/.test(owner);
    const isKey = before === "[" && owner === "config" && fragment.text(index + 1) === "]";
    const mark = isKey ? index + 2 : index + 1;
    if (!/^[=:]$/.test(fragment.text(mark))) continue;
    const isSet = (isMember || isKey) && fragment.text(mark) === "=";
    if (!isSet && !/\bconfig\.update$/.test(fragment.callAround(index)?.path ?? "")) continue;
    const literal = keyIn(fragment, { from: mark + 1, to: expressionEnd(fragment, mark + 1) });
    if (literal) yield found(fragment, index, index, literal, `the key that signs sessions, ${name}`);
  }
}

function* optionLiterals(fragment: Fragment, call: Call) {
  for (const { name, value, at } of optionsOf(fragment, call.args)) {
    if (!KEY_OPTIONS.test(name)) continue;
    const inner = fragment.text(value.from) === "[" ? { from: value.from + 1, to: value.from + 2 } : value;
    const literal = keyIn(fragment, inner);
    if (!literal) continue;
    const open = enclosingBracket(fragment, at);
    const inline = open !== undefined && open > call.at;
    yield found(fragment, inline ? open : call.start, at, literal, `the ${name} of ${call.name}()`);
  }
}

function found(fragment: Fragment, sink: number, name: number, { text, at }: LiteralString, what: string) {
  return { sighting: seenAt(fragment, [sink, name, at], { secret: text }), what };
}

function keyIn(fragment: Fragment, range: Range, depth = 0): LiteralString | undefined {
  const literal = literalIn(fragment, range);
  if (literal) return isKey(literal.text) ? literal : undefined;
  if (depth > 3) return undefined;
  const { from, to } = range;
  // `"text".encode()`, `NAME.getBytes(UTF_8)`
  const open = fragment.tokens[to - 1]?.partner ?? -1;
  if (open - 2 > from && MEMBER.has(fragment.text(open - 2)) && WRAPPERS.test(fragment.text(open - 1))) {
    const changed = keyIn(fragment, { from, to: open - 2 }, depth + 1);
    if (changed) return changed;
  }
  const definition =
    fragment.isWord(from) && to === from + 1
      ? fragment.names.definition(fragment.text(from), from)
      : undefined;
  if (definition?.kind === "assign") return keyIn(fragment, definition.value, depth + 1);
  for (let index = from; index < to; index++) {
    const token = fragment.tokens[index];
    if (token?.text !== "(" || token.partner < 0 || token.partner !== to - 1) continue;
    if (!WRAPPERS.test(fragment.text(index - 1))) return undefined;
    const comma = fragment.text(index + 2) === "," ? index + 2 : token.partner;
    return keyIn(fragment, { from: index + 1, to: comma }, depth + 1);
  }
  return undefined;
}

/** Returns a list of literal bytes: `new byte[] { 0x3f, 0x11, … }`. */
function bytesIn(fragment: Fragment, range: Range, depth = 0): LiteralString | undefined {
  const { from, to } = range;
  const named = to === from + 1 ? fragment.names.definition(fragment.text(from), from) : undefined;
  if (named?.kind === "assign" && depth === 0) return bytesIn(fragment, named.value, 1);
  const bytes = membersOf(fragment, range);
  const areWritten = bytes.every(({ to: end }) => fragment.tokens[end - 1]?.kind === "number");
  return bytes.length >= MIN_BYTES && areWritten ? { text: "", at: from } : undefined;
}

const MIN_BYTES = 8;

function isKey(text: string): boolean {
  return text.length > 0 && !/^(?:\$|<|%|-----BEGIN (?:RSA )?PUBLIC|-----BEGIN CERT|https?:)/.test(text);
}
