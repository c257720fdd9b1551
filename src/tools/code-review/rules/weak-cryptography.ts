import { cipherLists } from "../cryptography/cipher-lists.ts";
import { comparedMacs } from "../cryptography/compared-macs.ts";
import { fixedVectors } from "../cryptography/fixed-vectors.ts";
import { emptyKeys, guessableKeys } from "../cryptography/guessable-keys.ts";
import { isInHmac } from "../cryptography/keyed-hashes.ts";
import { misusedCiphers } from "../cryptography/node-ciphers.ts";
import { weakParameters } from "../cryptography/parameters.ts";
import { unsignedTokens } from "../cryptography/unsigned-tokens.ts";
import { isContinued, isUse, namesWeakness } from "../cryptography/uses.ts";
import { weakChoices } from "../cryptography/weak-choices.ts";
import { WEAKNESSES, type Weakness, weaknessOf } from "../cryptography/weak-names.ts";
import { COMPARING, takesAlgorithm, weaknessOfSpec } from "../cryptography/weak-specs.ts";
import type { Rule, Severity, Sighting } from "../finding.ts";
import { literalIn } from "../flow/literal.ts";
import { reachingOf } from "../flow/reaching.ts";
import { PROGRAMS } from "../language/language.ts";
import type { Fragment } from "../syntax/fragment.ts";
import { isKeyword, MEMBER } from "../syntax/keywords.ts";
import { oncePerFragment } from "../syntax/lookup/once-per-fragment.ts";
import type { Range } from "../syntax/range.ts";
import { cryptographyInText } from "./patterns/cryptography-text.ts";
import { seenAt } from "./sightings/sightings.ts";

export const weakCryptography: Rule = {
  id: "weak-cryptography",
  category: "security",
  severity: "warning",
  cwe: 327,
  languages: [...PROGRAMS, "shell", "markup", "other"],
  message: "A cryptographic algorithm or parameter is too weak for what it protects.",
  suggestion:
    "Take SHA-256 or better, AES-GCM or ChaCha20-Poly1305, RSA from 2,048 bits, Argon2id or scrypt for passwords.",
  *check(fragment) {
    if (fragment.language === "shell" || fragment.language === "markup")
      return yield* cryptographyInText(fragment);
    yield* weakIdentifiers(fragment);
    yield* renamed(fragment);
    yield* specs(fragment);
    if (fragment.language === "java") yield* namedSpecs(fragment);
    yield* misusedCiphers(fragment);
    yield* weakParameters(fragment);
    yield* unsignedTokens(fragment);
    yield* comparedMacs(fragment);
    yield* fixedVectors(fragment);
    yield* guessableKeys(fragment);
    yield* emptyKeys(fragment);
    yield* weakChoices(fragment);
    yield* cipherLists(fragment);
    yield* otherWeaknesses(fragment);
  },
};

/** Finds identifiers that name a weak algorithm, where they are called or passed. */
function* weakIdentifiers(fragment: Fragment): Iterable<Sighting> {
  for (const [name, indexes] of fragment.words) {
    const weakness = name === "des" && fragment.language === "go" ? "cipher" : weaknessOf(name);
    if (!weakness) continue;
    for (const index of indexes) {
      if (!isUse(fragment, index) || isOwnMaker(fragment, name, index)) continue;
      if (isContinued(fragment, name, index)) continue;
      if (fragment.language === "python" && notForSecurity(fragment, index)) continue;
      yield sighted(fragment, index, name, weakness);
    }
  }
}

/** `from Crypto.Hash import MD5 as quick`: algorithms imported under other names. */
function* renamed(fragment: Fragment): Iterable<Sighting> {
  for (const [local, module] of fragment.names.imports) {
    const name = module.slice(module.lastIndexOf(".") + 1);
    const weakness = local === name || !/crypto|hash|cipher/i.test(module) ? undefined : weaknessOf(name);
    if (!weakness || weaknessOf(local)) continue;
    for (const index of fragment.words.get(local) ?? []) {
      if (fragment.text(index + 1) !== "(" && !isMemberCalled(fragment, index)) continue;
      yield sighted(fragment, index, name, weakness);
    }
  }
}

function isMemberCalled(fragment: Fragment, index: number): boolean {
  return MEMBER.has(fragment.text(index + 1)) && fragment.text(index + 3) === "(";
}

/** Whether a function of this file wraps the algorithm, which is reported in its body. */
function isOwnMaker(fragment: Fragment, name: string, index: number): boolean {
  if (MEMBER.has(fragment.text(index - 1)) || fragment.text(index + 1) !== "(") return false;
  return makersOf(fragment).has(name);
}

const makersOf = oncePerFragment((fragment: Fragment): ReadonlySet<string> => {
  const named = fragment.names.functions.filter(({ name }) => name !== undefined && weaknessOf(name));
  return new Set(named.filter(({ body }) => namesWeakness(fragment, body)).map(({ name }) => name ?? ""));
});

/** `hashlib.md5(data, usedforsecurity=False)` */
function notForSecurity(fragment: Fragment, index: number): boolean {
  const open = fragment.tokens[index + 1];
  if (open?.text !== "(" || open.partner < 0) return false;
  for (let at = index + 2; at < open.partner; at++) {
    if (fragment.text(at) === "usedforsecurity" && fragment.text(at + 2) === "False") return true;
  }
  return false;
}

const NAMED = /algo|cipher|hash|digest|hmac|^alg$|^mode$|crypt|digestmod|prf|^name$/i;

/** Finds strings that name a weak algorithm, as an argument of a cryptographic call or the value of such a name. */
function* specs(fragment: Fragment): Iterable<Sighting> {
  for (const index of fragment.strings) {
    const name = fragment.text(index);
    const weakness = weaknessOfSpec(name) ?? impliedMode(fragment, index);
    if (weakness && isSpec(fragment, index)) yield sighted(fragment, index, name, weakness);
  }
}

function isSpec(fragment: Fragment, index: number): boolean {
  if (COMPARING.test(fragment.callAround(index)?.name ?? "")) return false;
  const named = /^(?:=|:|=>|:=)$/.test(fragment.text(index - 1)) && NAMED.test(fragment.text(index - 2));
  if (named && fragment.text(index - 2) !== "name") return true;
  const spec = fragment.text(index);
  for (let call = fragment.callAround(index); call; call = fragment.callAround(call.at))
    if (takesAlgorithm(call.path, spec)) return true;
  return false;
}

const CHOSEN = /^get(?:Instance|Digest)$/;
const CHOOSING =
  /(?:^|\.)(?:Cipher|MessageDigest|Mac|Signature|KeyGenerator|SecretKeyFactory|DigestUtils)\.get(?:Instance|Digest)$/;

/** `Cipher.getInstance(KIND)`, if the name does not suggest that its value is an algorithm. */
function* namedSpecs(fragment: Fragment): Iterable<Sighting> {
  for (const { path, start, args } of fragment.callsOf(CHOSEN)) {
    const [given] = args;
    const isWritten = given && given.to === given.from + 1 && fragment.isString(given.from);
    if (!given || isWritten || !CHOOSING.test(fragment.names.resolve(path))) continue;
    const { text, at } = writtenBehind(fragment, given) ?? {};
    if (text === undefined || (at !== undefined && isSpec(fragment, at))) continue;
    const isImplied = /\bCipher\./.test(path) && IMPLYING.test(text);
    const weakness = weaknessOfSpec(text) ?? (isImplied ? "mode" : undefined);
    if (weakness) yield sighted(fragment, start, text, weakness);
  }
}

/** Returns the text that a name or an expression stands for: a literal, or a constant joined from several. */
function writtenBehind(fragment: Fragment, range: Range): { text: string; at?: number } | undefined {
  const literal = literalIn(fragment, range);
  const joined = literal ? undefined : reachingOf(fragment).constants.of(range);
  return literal ?? (typeof joined === "string" ? { text: joined } : undefined);
}

/** Ciphers that Java uses in ECB mode if no mode is named. */
const IMPLYING = /^(?:AES|Blowfish)$/i;

/** Java's `Cipher.getInstance("AES")` is AES in ECB mode. */
function impliedMode(fragment: Fragment, index: number): Weakness | undefined {
  if (fragment.language !== "java" || !IMPLYING.test(fragment.text(index))) return undefined;
  return fragment.text(index - 2) === "getInstance" && fragment.text(index - 4) === "Cipher"
    ? "mode"
    : undefined;
}

/** Uses that need no strength: finding duplicates, naming caches. */
const HARMLESS =
  /etag|checksum|cache|gravatar|fingerprint|dedup|shard|bucket|integrity|content_?md5|file_?(?:hash|md5|sha1)|(?:md5|sha1)_?file|short_?hash|partition|revision|git/i;
/** What names an object, an entry or a file by its contents: `md5(serialize($this))`, `"feeds/" . sha1($url) . "/hub.json"`. */
const NAMING =
  /\bguid\b|urn:sha1|(?:\bserialize|JSON\.stringify|json_encode|json\.dumps|Json\.Encode)\(|["'][^"']{0,60}\/["']\s{0,3}[.+]\s{0,3}(?:md5|sha1)\(|(?:md5|sha1)\([^()]{0,60}\)\s{0,3}[.+]\s{0,3}["'][./]/i;
const PROTECTING = /passw|secret|salt|token|csrf|nonce|signature|\bauth/i;
/** Maximum characters on either side that are searched for the purpose of a hash. */
const AROUND = 1000;

function sighted(fragment: Fragment, index: number, name: string, part: Weakness): Sighting {
  const isKeyed = part === "hash" && isInHmac(fragment, index);
  const weakness = isKeyed ? "mac" : part;
  const { line = 0, column = 0 } = fragment.tokens[index] ?? {};
  const around = fragment.lines[line]?.text.slice(Math.max(0, column - AROUND), column + AROUND) ?? "";
  const names = HARMLESS.test(around) || (NAMING.test(around) && !PROTECTING.test(around));
  const harmless = weakness === "hash" && names;
  const severity: Severity = harmless || weakness === "mac" ? "info" : "warning";
  const subject = isKeyed ? `HMAC with ${name}` : name;
  return seenAt(fragment, [index], { message: `${subject} is ${WEAKNESSES[weakness]}.`, severity });
}

const WEAK_CURVE =
  /^(?:secp(?:112|128|160|192)[rk]\d|sect(?:113|131|163|193)[rk]\d|prime192v\d|P-192|NIST192p|brainpoolP160[rt]1|SECP192R1|SECT163[RK][12]|NID_secp(?:112|128|160|192)\w{2}|NID_X9_62_prime192v\d)$/;

const SUITE = /^TLS_\w{3,60}(?:RC4|3DES|DES_|_MD5|NULL|EXPORT|anon)\w{0,40}$/;
/** Whether a name is declared here: `static final Suite NAME = of("NAME", 4)`. */
function isName(fragment: Fragment, index: number): boolean {
  const { text, line } = fragment.tokens[index] as { text: string; line: number };
  const [before, after] = [fragment.text(index - 1), fragment.text(index + 1)];
  const isTyped = fragment.isWord(index - 1) && !isKeyword(fragment.language, before);
  if (fragment.isWord(index) && (after === "=" || isTyped)) return true;
  return fragment.tokens
    .slice(Math.max(0, index - 8), index)
    .some((token) => token.line === line && token.text === text);
}

const ARGON2 = /^argon2[id]$/;

/** Finds short curves, cipher suites with broken parts, and modes that do not detect changes to a cipher's text. */
function* otherWeaknesses(fragment: Fragment): Iterable<Sighting> {
  const either = (pattern: RegExp) => [...fragment.wordsLike(pattern), ...fragment.stringsLike(pattern)];
  for (const index of either(WEAK_CURVE)) {
    const message = `${fragment.text(index)} is too short a curve; take one of 256 bits.`;
    yield seenAt(fragment, [index], { message });
  }
  for (const index of either(SUITE)) {
    if (isName(fragment, index)) continue;
    yield seenAt(fragment, [index], {
      message: `The cipher suite ${fragment.text(index)} has a broken part.`,
    });
  }
  for (const index of fragment.words.get("CipherMode") ?? []) {
    const mode = fragment.text(index + 2);
    if (!/^(?:OFB|CFB|CTS)$/.test(mode)) continue;
    const message = `CipherMode.${mode} leaves changes to the text unnoticed; take AesGcm.`;
    yield seenAt(fragment, [index], { message });
  }
  for (const index of fragment.wordsLike(ARGON2)) {
    if (fragment.text(index - 1) !== "." || !/^(?:type|variant)$/.test(fragment.text(index - 4))) continue;
    const message = `${fragment.text(index)} withstands less than Argon2id, the variant for passwords.`;
    yield seenAt(fragment, [index], { message });
  }
}
