import type { Sighting } from "../finding.ts";
import { literalIn } from "../flow/literal.ts";
import { provenanceOf } from "../flow/provenance.ts";
import type { Language } from "../language/language.ts";
import type { Token } from "../lexer/token.ts";
import { seenCall } from "../rules/sightings/sightings.ts";
import { isCalled } from "../rules/sightings/sinks.ts";
import { assignmentsTo } from "../syntax/assignments.ts";
import type { Fragment } from "../syntax/fragment.ts";
import { optionsOf } from "../syntax/options.ts";
import type { Range } from "../syntax/range.ts";

const MESSAGE = "The initialisation vector or salt is the same each time; make a random one for each use.";

/** Calls with an initialisation vector or salt, and which argument it is. */
const VECTORS: Partial<
  Record<Language, readonly { names: RegExp; argument: number; option?: string; path?: RegExp }[]>
> = {
  javascript: [
    { names: /^createCipheriv$/, argument: 2 },
    { names: /^(?:scrypt|scryptSync|pbkdf2|pbkdf2Sync)$/, argument: 1 },
  ],
  python: [
    { names: /^new$/, path: /\b(?:AES|DES3?|Blowfish|ChaCha20)\.new$/, argument: 2 },
    { names: /^(?:CBC|CTR|CFB|OFB|GCM)$/, path: /\bmodes\.\w{3}$/, argument: 0 },
    { names: /^pbkdf2_hmac$/, argument: 2, option: "salt" },
    { names: /^(?:scrypt|PBKDF2)$/, argument: 1, option: "salt" },
    { names: /^(?:PBKDF2HMAC|Scrypt)$/, argument: 2, option: "salt" },
  ],
  java: [
    { names: /^IvParameterSpec$/, argument: 0 },
    { names: /^(?:GCMParameterSpec|PBEKeySpec)$/, argument: 1 },
  ],
  go: [
    { names: /^(?:NewCBCEncrypter|NewCTR|NewCFBEncrypter|NewOFB)$/, argument: 1 },
    { names: /^(?:Key|IDKey)$/, path: /\b(?:pbkdf2|scrypt|argon2)\.\w{3,5}$/, argument: 1 },
    {
      names: /^Seal$/,
      path: /(?:NewGCM\w{0,20}|chacha20poly1305\.NewX?)\(\)\.Seal$/,
      argument: 1,
    },
  ],
  csharp: [{ names: /^(?:CreateEncryptor|Rfc2898DeriveBytes|Pbkdf2)$/, argument: 1 }],
  php: [
    { names: /^openssl_(?:en|de)crypt$/, argument: 4 },
    { names: /^hash_pbkdf2$/, argument: 2 },
  ],
  ruby: [{ names: /^pbkdf2_hmac(?:_sha1)?$/, argument: 1, option: "salt" }],
};

/** The member of a cipher that holds its initialisation vector. */
const MEMBERS: Partial<Record<Language, string>> = { csharp: "IV", ruby: "iv" };

/** Finds initialisation vectors and salts that are the same each time. */
export function* fixedVectors(fragment: Fragment): Iterable<Sighting> {
  for (const set of assignmentsTo(fragment, MEMBERS[fragment.language] ?? "")) {
    const [value] = set.args;
    if (value && isFixed(fragment, value)) yield seenCall(fragment, set, { message: MESSAGE });
  }
  const table = VECTORS[fragment.language];
  if (!table) return;
  for (const { names, argument, option, path } of table) {
    for (const call of fragment.callsOf(names)) {
      const options = option ? optionsOf(fragment, call.args) : [];
      const named = options.find(({ name }) => name === option)?.value;
      const range = named ?? (options.length > 0 ? undefined : call.args[argument]);
      if (!range || (path && !isCalled(fragment, call, path))) continue;
      if (!isFixed(fragment, range)) continue;
      yield seenCall(fragment, call, { message: MESSAGE });
    }
  }
}

/** Maximum tokens of a value that is looked at: `new byte[] {…}` of 99 numbers, one of them negative. */
const MAX_TOKENS = 204;

/** `{0, 1, 2}`, `new byte[] {0, 1, 2}` */
function isListOfNumbers(tokens: readonly Token[]): boolean {
  const list = tokens.slice(tokens.findIndex(({ text }) => text === "{"));
  if (list.length < 4 || list[0]?.text !== "{") return false;
  const byte = ({ text }: Token) => /^(?:byte|\(|\)|,|-|\{|\})$/.test(text);
  return list.every((token) => token.kind === "number" || byte(token));
}

const ZEROES =
  /^(?:Buffer \. alloc \( \d{1,3}|new Uint8Array \( \d{1,3} \)|new byte \[ \d{1,3} \]|ByteArray \( \d{1,3} \)|bytes \( \d{1,3} \)|make \( \[ \] byte , )/;
/** Calls that overwrite the bytes of a buffer. */
const FILLING =
  /^(?:Read|ReadFull|copy|nextBytes|getRandomValues|randomFill(?:Sync)?|GetBytes|Fill|set|fill|Put\w{4,8}|arraycopy)$/;
const MAX_BEGINNING = 8;

function isZeroes(fragment: Fragment, { from, to }: Range): boolean {
  return ZEROES.test(fragment.texts({ from, to: Math.min(to, from + MAX_BEGINNING) }).join(" "));
}

/** Whether a value is constant: a string, bytes made of one, or zeroes. */
function isFixed(fragment: Fragment, range: Range, depth = 0): boolean {
  const { from, to } = range;
  const provenance = provenanceOf(fragment);
  const literal = literalIn(fragment, range);
  if (literal) return literal.text.length > 0;
  if (depth > 3 || to - from > MAX_TOKENS) return false;
  const definition =
    fragment.isWord(from) && to === from + 1
      ? fragment.names.definition(fragment.text(from), from)
      : undefined;
  if (definition?.kind === "assign") {
    const between = fragment.usesIn(fragment.text(from), { from: definition.value.to, to: from });
    // Zeroes stay zeroes if their name is not used in between. Those of another function may be filled elsewhere.
    if (isZeroes(fragment, definition.value)) {
      const { names } = fragment;
      return between.length === 0 && names.functionAt(definition.at) === names.functionAt(from);
    }
    return (
      !between.some((at) => FILLING.test(fragment.callAround(at)?.name ?? "")) &&
      isFixed(fragment, definition.value, depth + 1)
    );
  }
  const tokens = fragment.tokens.slice(from, to);
  if (isListOfNumbers(tokens)) return true;
  if (
    tokens.some(({ text }) =>
      /^(?:random\w{0,20}|urandom|get_random_bytes|token_bytes|getRandomValues|nextBytes|slice|subarray|\w{0,20}[iI][vV]|copyOfRange|nonce)$/.test(
        text,
      ),
    )
  )
    return false;
  if (isZeroes(fragment, range)) return depth === 0;
  const words = tokens.filter(({ kind }) => kind === "word").map((token) => token.text);
  const wrapped = words.every((word) =>
    /^(?:byte|bytes|iv|IV|Buffer|from|new|String|getBytes|GetBytes|Encoding|UTF8|StandardCharsets|UTF_8|encode|b|utf8)$/.test(
      word,
    ),
  );
  if (wrapped && tokens.some(({ kind }) => kind === "string")) return true;
  return tokens.some(({ kind }) => kind === "string") && provenance.of(range) === 0;
}
