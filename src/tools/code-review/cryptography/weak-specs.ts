import type { Weakness } from "./weak-names.ts";

const HASH_SPEC =
  /^(?:sha-160|md[245]|sha-?1|sha|ripemd-?(?:128|160)|rmd160|(?:md[25]|sha-?1)(?:with|-)(?:rsa|dsa|ecdsa)(?:encryption)?|(?:rsa|dsa|ecdsa)-(?:md[245]|sha1)|ssl3-md5|ssl3-sha1)$/i;
/** The Linux kernel's names of a cipher with its mode: `cbc(des3_ede)`. */
const KERNEL_SPEC = /^(?:cbc|ctr|cfb|lrw|xts|pcbc)\((?:des|des3_ede|blowfish|cast5|arc4|tea|xtea)\)$/;
const MAC_SPEC = /^hmac[-_]?(?:md5|sha-?1)$/i;
const CIPHER_SPEC =
  /^(?:des|3des|tdea|des3|des-?ede3?|desede(?:wrap)?|triple-?des|desx|rc2|rc4|rc5|arc2|arc4|arcfour|blowfish|bf|cast5?|idea|seed|xtea|skipjack|gost)(?:(?:[-_/]\d{2,3})?[-_/](?:ecb|cbc|cfb\d?|ofb|ctr|gcm|hmac|none|nopadding)[\w/-]{0,30})?$/i;
/** Names of ciphers that are everyday words, or short for something else. */
const EVERYDAY = /^(?:des|bf|cast|idea|seed|gost)$/i;
const CRYPTOGRAPHIC =
  /hash|hmac|cipher|crypt|digest|mac\b|getinstance|(?<!as|de)sign|verif|algorithm|subtle|evp_\w{2,12}_fetch|byname|openssl|pkcs|keygenerator|secretkey|jssha|\bmd\b|\bsha(?:js)?\b|hasher|keyspec|importkey|encryptor|cng|sslsocket/i;
/** Calls that take a cipher. */
const ENCIPHERING = /cipher|crypt|getinstance|algorithm|byname|openssl|keygenerator|secretkey|keyspec|cng/i;
const PASSWORD_SPEC = /^pbewith(?:md[25]|sha1?)and\w{3,30}$/i;

/** Returns the weakness of the algorithm that a string names: `md5`, `DES/CBC/PKCS5Padding`, `aes-128-ecb`. */
export function weaknessOfSpec(text: string): Weakness | undefined {
  if (text.length < 2 || text.length > 60) return undefined;
  if (HASH_SPEC.test(text)) return "hash";
  if (MAC_SPEC.test(text)) return "mac";
  if (/^ecb\([\w-]{2,20}\)$/.test(text)) return "mode";
  if (/^RSA\/\w{3,5}\/NoPadding$/i.test(text)) return "padding";
  if (KERNEL_SPEC.test(text) || CIPHER_SPEC.test(text) || PASSWORD_SPEC.test(text)) return "cipher";
  // For RSA, ECB has no meaning.
  return /^(?!rsa)[\w-]{2,20}[-_/]ecb(?:$|[-_/])/i.test(text) ? "mode" : undefined;
}

/** Calls that only test for an algorithm: `kept.startsWith("sha1")`. */
export const COMPARING =
  /^(?:startsWith|endsWith|startswith|endswith|includes|indexOf|contains|equals|match|test)$/;

/** Whether a call takes the name of an algorithm; of a word that may mean something else, only if it takes ciphers. */
export function takesAlgorithm(call: string, spec = ""): boolean {
  return (EVERYDAY.test(spec) ? ENCIPHERING : CRYPTOGRAPHIC).test(call);
}
