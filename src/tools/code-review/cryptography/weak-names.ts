import { wordsOf } from "../syntax/words.ts";

/** The weak part of an algorithm. */
export type Weakness = "hash" | "mac" | "cipher" | "mode" | "padding";

const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));

const HASH =
  /^(?:md[2-5]|sha0|sha1|sha_1|ripemd|ripemd128|ripemd160|rmd160|hav256|rsasha1|dsasha1|hmacsha1|rsamd5)(?:with|sum|hex|hash|hasher|digest|managed|cng|base64|file|engine|str|crypt|array|string|for)?$/;
const MAC = /^(?:hmac|hmacwith|pbewithhmac|pbkdf2withhmac)(?:md5|sha1|ripemd160)$/;
const CIPHER = words(
  "des 3des des3 des1 desx desede tripledes tdes tdea rc2 rc4 rc5 arc2 arc4 arcfour blowfish cast5 cast128 skipjack xtea mcrypt mdecrypt algmd5 algdes",
);
/** Names of ciphers that are everyday words too. They count only beside other words of cryptography. */
const AMBIGUOUS = words("des idea seed cast bf tea tiger gost");
/** Other words in the names of algorithms, of their parts and of their uses. */
const COMPANIONS = words(
  "new create init initialize update final finalize finish sum hash hasher hashes hex hexdigest base64digest digest compute crypto service provider managed cng hmac " +
    "encrypt decrypt encryptor decryptor encryption cipher ciphers key keys set instance evp cc bcrypt ncrypt calg cssm k algorithm algorithms algorithm3 alg alg3 nid ckm cka mechanism gcry md gcrypt " +
    "mbedtls wc wolf wolfssl psa insecure context ctx openssl weak ecb cbc cfb cfb1 cfb8 cfb64 ofb ofb64 ctr ede ede3 triple block from to string hexstring base64 bytes oid sec sz szoid " +
    "file 3 112 168 192 256 512 160 aes camellia aria sm4 chain chaining no padding pkcs5 pkcs7 xml dsig xmldsig signature url starts finish ret feed process setkey enc dec setup generic mhash openssl password passwords encoder hasher unsalted salted detail as array str spark legacy use only for strings ref ops sum32 mac48 crypt mcrypt with and pbe pbewith one shot oneshot data ex name fips fn mode unchecked schedule type 40 56 64 128 wrap option rsa dsa ecdsa algid hashdata uncompressed compress raw id hexhash mac key256 transform block64 nist tls core engine legacy spec",
);

/** Companions that do not occur beside seed, cast or idea in their everyday meanings. */
const DECIDING = words(
  "encrypt decrypt encryptor decryptor encryption cipher ciphers crypt evp cc nid ckm cka mechanism ecb cbc cfb cfb1 cfb8 cfb64 ofb ofb64 ctr schedule algorithm alg algid calg gcry mcrypt oid engine service provider cng crypto",
);
/** `CAST_set_key` of OpenSSL. */
const SET_KEY = /^[A-Z]{2,4}_set_(?:encrypt_|decrypt_)?key$/;

/** Returns the weakness that an identifier names, or undefined if it has words that are not of cryptography. */
export function weaknessOf(identifier: string): Weakness | undefined {
  if (
    identifier.length > 60 ||
    !/md[2-5]|sha|des|rc[245]|ecb|ripemd|rmd|blowfish|cast|idea|seed|xtea|skipjack|arcfour|mcrypt|hmac|_bf_|bf_|tea/i.test(
      identifier,
    )
  ) {
    return undefined;
  }
  const parts = wordsOf(identifier);
  let found: Weakness | undefined;
  let companions = 0;
  let isEveryday = parts.some((part) => AMBIGUOUS.has(part) && part !== "des") && !SET_KEY.test(identifier);
  for (const part of parts) {
    const ambiguous = AMBIGUOUS.has(part) && !/DES/.test(identifier);
    if (HASH.test(part)) found = "hash";
    else if (MAC.test(part)) found ??= "mac";
    else if (CIPHER.has(part) && !ambiguous) found ??= "cipher";
    else if (AMBIGUOUS.has(part) && parts.length > 1) found ??= "cipher";
    else if (COMPANIONS.has(part)) companions++;
    else return undefined;
    if (DECIDING.has(part)) isEveryday = false;
  }
  if (found === "cipher" && isEveryday && parts.length > 1) return undefined;
  if (!found) return parts.includes("ecb") ? "mode" : undefined;
  if (found === "hash" && parts.includes("hmac")) return "mac";
  // A name that begins with `des` or another everyday word needs a companion or a capital.
  if (
    found === "cipher" &&
    AMBIGUOUS.has(parts[0] as string) &&
    companions === 0 &&
    !/^[A-Z]/.test(identifier)
  )
    return undefined;
  return found;
}

export const WEAKNESSES: Record<Weakness, string> = {
  hash: "a hash that collisions are made for at will",
  mac: "a message authentication code on a broken hash",
  cipher: "a cipher that is broken or too short",
  mode: "the ECB mode, which shows equal blocks as equal",
  padding: "RSA without padding, which lets others work with what they cannot read",
};
