import type { Sighting } from "../finding.ts";
import type { Language } from "../language/language.ts";
import { seenAt, seenCall } from "../rules/sightings/sightings.ts";
import { pathBefore } from "../syntax/calls.ts";
import type { Fragment } from "../syntax/fragment.ts";
import { isImport } from "../syntax/imports.ts";
import { MEMBER } from "../syntax/keywords.ts";

const QUICK_TO_GUESS = "Passwords kept so are quick to guess; take Argon2id, scrypt or bcrypt.";

/** Names whose presence is the fault, which `weaknessOf` does not recognise by their words. */
const NAMES: readonly { name: RegExp; message: string }[] = [
  {
    name: /^(?:NullCipher|NoOpPasswordEncoder|PlaintextPasswordEncoder|PlainTextPasswordHasher|ClearTextPasswordHandler)$/,
    message: "Nothing is encrypted or hashed here.",
  },
  {
    name: /^(?:StandardPasswordEncoder|(?:Ldap)?ShaPasswordEncoder|MessageDigestPasswordEncoder|PasswordDeriveBytes|HashPasswordForStoringInConfigFile|md5_crypt|des_crypt|sha1_crypt|bsdi_crypt|lmhash|nthash|mysql323|METHOD_(?:MD5|CRYPT|BLOWFISH))$/,
    message: QUICK_TO_GUESS,
  },
  {
    name: /^(?:RSA_NO_PADDING|RSA_NoPadding|RSANoPadding|kSecPaddingNone)$/,
    message: "RSA without padding lets others work with what they cannot read.",
  },
  { name: /^(?:L1024N160|TYPE_DSA)$/, message: "DSA keys of this kind are too short or too fragile." },
  {
    name: /^(?:CALG_SHA|wc_(?:Init)?Sha(?:Update|Final|Hash)?|SHA_(?:Init|Update|Final)|shaHex|getSha1?Digest)$/,
    message: "This is SHA-1, a hash that collisions are made for at will.",
  },
  {
    name: /^(?:getMd[25]Digest|appendMd5DigestAsHex)$/,
    message: "This is a hash that collisions are made for at will.",
  },
  {
    name: /^OPENSSL_ALGO_(?:MD[245]|SHA1|RMD160|DSS1)$/,
    message: "This signature is made of a broken hash.",
  },
  { name: /^kSecAttrKeyType(?:DES|3DES|RC4|RC2|CAST)$/, message: "This cipher is broken or too short." },
];

const LONG_HASH = /sha[_-]?(?:224|256|384|512)/i;

/** Members that are algorithms only behind their owner, because they are everyday words too. */
const MEMBERS: readonly { owner: RegExp; name: RegExp; languages: readonly Language[]; message: string }[] = [
  {
    owner: /^(?:algorithms|CryptoPP|Cipher)$/,
    name: /^(?:IDEA|SEED|CAST|CAST5|Blowfish)$/,
    languages: ["python", "cpp", "java"],
    message: "is an outdated cipher",
  },
  {
    owner: /^DigestUtils$/,
    name: /^sha$/,
    languages: ["java"],
    message: "is SHA-1, a hash that collisions are made for at will",
  },
  {
    owner: /^CryptoJS$/,
    name: /^(?:Rabbit|RabbitLegacy)$/,
    languages: ["javascript"],
    message: "is a stream cipher without authentication",
  },
  {
    owner: /^bcrypt$/,
    name: /^MinCost$/,
    languages: ["go"],
    message: "is quick to try; take DefaultCost or more",
  },
  {
    owner: /^elliptic$/,
    name: /^P224$/,
    languages: ["go"],
    message: "is too short a curve; take one of 256 bits",
  },
  {
    owner: /^RSAEncryptionPadding$/,
    name: /^Pkcs1$/,
    languages: ["csharp"],
    message: "lets ciphertexts be decrypted by trial (Bleichenbacher); take OAEP",
  },
  {
    owner: /^rsa$/,
    name: /^EncryptPKCS1v15$/,
    languages: ["go"],
    message: "lets ciphertexts be decrypted by trial (Bleichenbacher); take OAEP",
  },
];

/** A value that is only compared with is not used: `cost < bcrypt.MinCost`. */
const COMPARISON = /^(?:[<>]=?|[=!]==?)$/;
/** Calls that only print, log or convert a value, which is no use of it either. */
const SAYING = /^(?:[A-Z]?\w{0,12}[Pp]rint(?:f|ln)?|Errorf|Warnf?|Infof?|Debugf?|Fatalf?|Int|Any|String)$/;

/** Words before a base class. */
const EXTENDING = /^(?:extends|:)$/;
const OWN_DIGEST = /^(?:MessageDigest|MessageDigestSpi|CipherSpi|HashAlgorithm|SymmetricAlgorithm)$/;

/** Finds homemade cryptography: `class Own extends MessageDigest`. */
function* ownAlgorithms(fragment: Fragment): Iterable<Sighting> {
  if (fragment.language !== "java" && fragment.language !== "csharp") return;
  for (const index of fragment.wordsLike(OWN_DIGEST)) {
    if (!EXTENDING.test(fragment.text(index - 1)) || fragment.text(index - 3) !== "class") continue;
    const message = "An algorithm of one's own is weaker than those that were looked at by many.";
    yield seenAt(fragment, [index - 3, index], { message });
  }
}

/** Names that are hashes or ciphers if a constructor such as `new` is called on them. */
const MODULES: Partial<Record<Language, RegExp>> = {
  python: /^(?:SHA|sha|XOR|CAST)$/,
  go: /^(?:tea|xtea|md4)$/,
  rust: /^(?:Des|TdesEde2|TdesEde3|Rc2|Rc4|Blowfish)$/,
};

/** Finds algorithms and parameters that are weak in the context of their library. */
export function* weakChoices(fragment: Fragment): Iterable<Sighting> {
  for (const { name, message } of NAMES) {
    for (const index of fragment.wordsLike(name)) {
      if (/^(?:class|import|def)$/.test(fragment.text(index - 1)) || isImport(fragment, index)) continue;
      // `Sha512DigestUtils.shaHex(text)` of Spring
      if (!LONG_HASH.test(fragment.text(index - 2))) yield seenAt(fragment, [index], { message });
    }
  }
  for (const { owner, name, languages, message } of MEMBERS) {
    if (!languages.includes(fragment.language)) continue;
    for (const index of fragment.wordsLike(name)) {
      if (!MEMBER.has(fragment.text(index - 1)) || !owner.test(fragment.text(index - 2))) continue;
      if (COMPARISON.test(fragment.text(index + 1)) || COMPARISON.test(fragment.text(index - 3))) continue;
      if (SAYING.test(fragment.callAround(index)?.name ?? "")) continue;
      yield seenAt(fragment, [index], { message: `${fragment.text(index)} ${message}.` });
    }
  }
  const modules = MODULES[fragment.language];
  for (const index of modules ? fragment.wordsLike(modules) : []) {
    if (
      !MEMBER.has(fragment.text(index + 1)) ||
      !/^(?:new|New|NewCipher|new_from_slice)$/.test(fragment.text(index + 2))
    )
      continue;
    yield seenAt(fragment, [index], { message: `${fragment.text(index)} is broken or too short.` });
  }
  for (const index of fragment.stringsLike(HASHERS)) {
    yield seenAt(fragment, [index], { message: QUICK_TO_GUESS });
  }
  if (fragment.language === "python") yield* paddings(fragment);
  yield* crypts(fragment);
  yield* ownAlgorithms(fragment);
  for (const call of fragment.callsOf(GROUPS)) {
    const group = call.args[0] && fragment.text(call.args[0].from);
    if (!group || !/^modp(?:1|2|5)$/.test(group)) continue;
    yield seenCall(fragment, call, {
      message: `${group} is too short a group; take modp14 or longer, or ECDH.`,
    });
  }
}

/** Padding of PKCS #1 version 1.5, which is safe for signatures and unsafe for encryption. */
const PADDING = /^PKCS1(?:v15|_v1_5)$/;

/** `key.encrypt(data, padding.PKCS1v15())`, and `PKCS1_v1_5.new(key)` of the cipher module. */
function* paddings(fragment: Fragment): Iterable<Sighting> {
  for (const index of fragment.wordsLike(PADDING)) {
    const around = fragment.callAround(pathBefore(fragment, index).start)?.name ?? "";
    const encrypts = /^(?:en|de)crypt$/.test(around);
    const isCipher =
      fragment.text(index + 2) === "new" &&
      /\bCipher\.PKCS1_v1_5$/.test(fragment.names.resolve(fragment.text(index)));
    if (!encrypts && !isCipher) continue;
    const message = "PKCS #1 v1.5 lets ciphertexts be decrypted by trial (Bleichenbacher); take OAEP.";
    yield seenAt(fragment, [index], { message });
  }
}

/** Django's setting PASSWORD_HASHERS. */
const HASHERS = /hashers\.(?:Unsalted)?(?:MD5|SHA1|Crypt)PasswordHasher$/;
const GROUPS = /^(?:getDiffieHellman|createDiffieHellmanGroup)$/;
const CRYPT = /^crypt$/;
const STRONG_SCHEME = /^METHOD_SHA(?:256|512)$/;

/** Finds calls of crypt(3) whose salt does not select a stronger scheme than DES. */
function* crypts(fragment: Fragment): Iterable<Sighting> {
  if (!/^(?:c|cpp|php|python)$/.test(fragment.language)) return;
  for (const call of fragment.callsOf(CRYPT)) {
    if (fragment.language === "python" ? call.path !== "crypt.crypt" : call.path !== "crypt") continue;
    const salt = call.args[1] && fragment.text(call.args[1].from);
    const [from, to] = call.args[1] ? [call.args[1].from, call.args[1].to] : [0, 0];
    if (fragment.tokens.slice(from, to).some(({ text }) => STRONG_SCHEME.test(text))) continue;
    if (salt && /^\$(?:2[aby]|5|6|y|7)\$/.test(salt)) continue;
    yield seenCall(fragment, call, {
      message: "crypt() falls back to DES; passwords hashed so are quick to guess.",
    });
  }
}
