import type { Sighting } from "../finding.ts";
import { receiverPath } from "../flow/receivers.ts";
import { seenCall, seenOption } from "../rules/sightings/sightings.ts";
import type { Call } from "../syntax/calls.ts";
import type { Fragment } from "../syntax/fragment.ts";
import { optionsOf } from "../syntax/options.ts";
import type { Range } from "../syntax/range.ts";

/** Bits of an RSA, DSA or Diffie-Hellman key. A shorter one has less than 112 bits of strength (NIST SP 800-57). */
const MIN_MODULUS = 2048;
/** Bits of a symmetric key. */
const MIN_SYMMETRIC = 128;
/** OWASP recommends hundreds of thousands of iterations. A count below this was never measured. */
const MIN_ITERATIONS = 10_000;
const MIN_BCRYPT_ROUNDS = 10;

const MODULUS_CALLS =
  /^(?:generate_private_key|generate_parameters|GenerateKey|GenerateMultiPrimeKey|RSACryptoServiceProvider|DSACryptoServiceProvider|RSACng|generateKeyPair|generateKeyPairSync|createDiffieHellman|generateKeySync|RSA_generate_key|RSA_generate_key_ex|DSA_generate_parameters|DSA_generate_parameters_ex|DH_generate_parameters|DH_generate_parameters_ex|EVP_PKEY_CTX_set_rsa_keygen_bits|initialize|generate|GenerateParameters|makeKeyPair|generateKey|generate_key|openssl_pkey_new|NodeRSA|importKey)$/;
const MODULUS_PATHS =
  /(?:RSA|DSA|Rsa|Dsa|RsaPrivateKey|rsa|dsa|DiffieHellman|DH)(?:\.\w{1,24}|::\w{1,24})?(?:\(\))?(?:\.(?:new|Create|generate))?$|PKey\.(?:RSA|DSA|DH)\.(?:new|generate)$/;
const MODULUS_OPTIONS =
  /^(?:key_size|keySize|KeySize|modulusLength|modulus_length|bits|private_key_bits|RSAKeySize|primeLength|numBits|rsaBits|b)$/;
const DERIVATIONS =
  /^(?:pbkdf2|pbkdf2Sync|pbkdf2_hmac|PBKDF2|PBKDF2HMAC|Rfc2898DeriveBytes|PBEKeySpec|PBEParameterSpec|hash_pbkdf2|pbkdf2_hmac_sha1|PKCS5_PBKDF2_HMAC|PKCS5_PBKDF2_HMAC_SHA1|CCKeyDerivationPBKDF|Key|Pbkdf2|KeyDerivation)$/;
/** Prefilter of the names that the patterns above and those of bcrypt below may match. */
const CANDIDATES = /key|gen|rsa|dsa|dh|pbkdf|pbe|derive|crypt|hash|salt|create|new|init|make/i;
const ITERATION_OPTIONS = /^(?:iterations|iterationCount|iteration_count|iter|count|rounds|cost|c)$/;

/** Finds keys that are too short and key derivations that are too fast. */
export function* weakParameters(fragment: Fragment): Iterable<Sighting> {
  for (const call of fragment.callsOf(CANDIDATES)) {
    yield* modulus(fragment, call);
    yield* derivation(fragment, call);
  }
  yield* keySizes(fragment);
  if (fragment.language === "java") yield* generatedKeys(fragment);
}

/** `KeyGenerator.getInstance("AES").init(64)` */
function* generatedKeys(fragment: Fragment): Iterable<Sighting> {
  for (const call of fragment.callsOf(/^init$/)) {
    const size = call.args[0] && numberAt(fragment, call.args[0]);
    if (size === undefined || size >= MIN_SYMMETRIC) continue;
    if (!/\bKeyGenerator\b/.test(receiverPath(fragment, call.path, call.start))) continue;
    yield seenCall(fragment, call, {
      message: `A key of ${size} bits is too short; take ${MIN_SYMMETRIC} or more.`,
    });
  }
}

function* modulus(fragment: Fragment, call: Call): Iterable<Sighting> {
  const isCall = MODULUS_CALLS.test(call.name) || MODULUS_PATHS.test(call.path);
  if (!isCall || /(?:^|\.)(?:ec|EC|ed25519|x25519|aes|AES|elliptic|ecdsa)\./.test(call.path)) return;
  const options = optionsOf(fragment, call.args);
  const named = options.find(({ name }) => MODULUS_OPTIONS.test(name));
  const sizes = named
    ? [numberAt(fragment, named.value)]
    : call.args.map((range) => numberAt(fragment, range));
  const size = sizes.find(
    (each) => each !== undefined && each >= 256 && each < MIN_MODULUS && each % 8 === 0,
  );
  // 256 bits and more are strong for elliptic curves, which these calls can create too.
  if (size === undefined || (size < 512 && /^(?:initialize|generate)$/.test(call.name))) return;
  const message = `A key of ${size} bits is too short; ${MIN_MODULUS} is the least for RSA, DSA and Diffie-Hellman.`;
  yield named ? seenOption(fragment, named.at, { message }) : seenCall(fragment, call, { message });
}

function* derivation(fragment: Fragment, call: Call): Iterable<Sighting> {
  const { name, path } = call;
  const bcrypt =
    /bcrypt/i.test(fragment.names.resolve(path)) &&
    /^(?:hash|hashSync|genSalt|genSaltSync|gensalt|GenerateFromPassword|hashpw|create|BCryptPasswordEncoder)$/.test(
      name,
    );
  const options = optionsOf(fragment, call.args);
  const named = options.find((option) => ITERATION_OPTIONS.test(option.name));
  if (bcrypt || name === "password_hash") {
    const rounds = [named?.value, call.args.at(-1)]
      .map((range) => range && numberAt(fragment, range))
      .find((each) => each !== undefined);
    if (rounds === undefined || rounds >= MIN_BCRYPT_ROUNDS) return;
    yield seenCall(fragment, call, {
      message: `bcrypt with ${rounds} rounds is quick to try; take at least ${MIN_BCRYPT_ROUNDS}.`,
    });
    return;
  }
  if (!DERIVATIONS.test(name) || (name === "Key" && !/\bpbkdf2\.Key$/.test(path))) return;
  const given = named ? [named.value] : call.args.slice(2, 5);
  // The numbers may include the length of the key, which follows the iterations, so the first one counts.
  const count = given.map((range) => numberAt(fragment, range)).find((each) => each !== undefined);
  if (count === undefined || count >= MIN_ITERATIONS) return;
  const message = `${count} iterations are quick to try; current advice for PBKDF2 is hundreds of thousands.`;
  yield named ? seenOption(fragment, named.at, { message }) : seenCall(fragment, call, { message });
}

/** `rsa.KeySize = 1024` */
function* keySizes(fragment: Fragment): Iterable<Sighting> {
  for (const index of fragment.words.get("KeySize") ?? []) {
    if (fragment.text(index + 1) !== "=") continue;
    const size = numberAt(fragment, { from: index + 2, to: index + 3 });
    const asymmetric = /rsa|dsa|dh/i.test(fragment.text(index - 2));
    if (size === undefined || size >= (asymmetric ? MIN_MODULUS : MIN_SYMMETRIC)) continue;
    yield seenOption(fragment, index, { message: `A key of ${size} bits is too short.` });
  }
}

/** Returns the integer that an argument is, following names. */
function numberAt(fragment: Fragment, { from, to }: Range, depth = 0): number | undefined {
  if (to - from !== 1) {
    // `key_size=1024`, `bits: 1024`
    return /^[=:]$/.test(fragment.text(from + 1)) && to - from === 3
      ? numberAt(fragment, { from: from + 2, to }, depth)
      : undefined;
  }
  const token = fragment.tokens[from];
  if (token?.kind === "number") {
    const value = Number(token.text.replaceAll("_", "").replace(/[uUlLnN]{1,3}$/, ""));
    return Number.isInteger(value) ? value : undefined;
  }
  if (token?.kind !== "word" || depth > 2) return undefined;
  const definition = fragment.names.definition(token.text, from);
  return definition?.kind === "assign" ? numberAt(fragment, definition.value, depth + 1) : undefined;
}
