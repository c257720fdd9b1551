import type { Sighting } from "../../finding.ts";
import type { Fragment } from "../../syntax/fragment.ts";

/** Commands and configuration that choose a weak algorithm. */
const FORMS: readonly { form: RegExp; message: string }[] = [
  {
    form: /\bopenssl\s{1,4}(?:enc\s{1,4}-|)(?:des3?|des-[\w-]{1,20}|rc[24][\w-]{0,12}|bf[\w-]{0,8}|[\w-]{3,12}-ecb)\b/,
    message: "The cipher is broken or shows equal blocks as equal.",
  },
  {
    form: /\bopenssl\s{1,4}(?:md[45]|sha1|dgst\s[^|;]{0,80}-(?:md[45]|sha1)|(?:req|x509|ca|genpkey)\s[^|;]{0,200}\s-(?:md[45]|sha1))\b/,
    message: "Collisions are made for this hash at will.",
  },
  {
    form: /\bopenssl\s{1,4}(?:genrsa|dsaparam|gendsa|dhparam)\s(?:[^|;]{0,80}\s)?(?:512|768|1024)\b|\brsa:(?:512|768|1024)\b|\brsa_keygen_bits:(?:512|768|1024)\b/,
    message: "A key of this length is too short; 2,048 bits is the least.",
  },
  {
    form: /\bssh-keygen\b[^|;]{0,120}(?:-t\s{0,3}dsa\b|-b\s{0,3}(?:512|768|1024)\b)/,
    message: "Keys of this kind or length are too weak.",
  },
  {
    form: /\b(?:htpasswd)\s{1,4}-\w{0,4}[sdm]\b|\bmkpasswd\s[^|;]{0,40}(?:-m\s{0,3}(?:des|md5)|--method=(?:des|md5))\b/,
    message: "Passwords hashed so are quick to guess.",
  },
  {
    form: /\b(?:decryption|validation)\s{0,2}=\s{0,2}["'](?:3?DES|MD5|SHA1)["']/i,
    message: "The machine key uses a broken algorithm.",
  },
  {
    form: /\bpasswordFormat\s{0,2}=\s{0,2}["'](?:Clear|MD5|SHA1)["']/i,
    message: "Passwords kept so are quick to guess.",
  },
  {
    form: /\bAlgorithm\s{0,2}=\s{0,2}["'][^"']{0,80}(?:rsa-sha1|#sha1|hmac-md5|rsa-md5|tripledes-cbc)["']/,
    message: "The signature or encryption uses a broken algorithm.",
  },
  {
    form: /\bkeytool\b[^|;]{0,300}(?:-sigalg\s{1,3}(?:MD[25]|SHA1)with\w{2,6}|-keysize\s{1,3}(?:512|768|1024)\b)|-KeyLength\s{1,3}(?:512|768|1024)\b/i,
    message: "The key or signature is too weak.",
  },
  {
    form: /\bgpg2?\b[^|;]{0,200}--(?:cipher-algo\s{1,3}(?:3DES|CAST5|BLOWFISH|IDEA)|(?:cert-)?digest-algo\s{1,3}(?:MD5|SHA1))\b/i,
    message: "The algorithm is broken or outdated.",
  },
  {
    form: /\bopenssl\s{1,4}passwd\s{1,4}-(?:1|crypt|apr1)\b/,
    message: "Passwords hashed so are quick to guess.",
  },
  {
    form: /Cryptography\.(?:MD5|SHA1|HMACMD5|HMACSHA1|DES|TripleDES|RC2|RIPEMD160)(?:CryptoServiceProvider|Managed|Cng)?\b|\bGet-FileHash\b[^|]{0,200}-Algorithm\s{1,3}(?:MD5|SHA1|MACTripleDES|RIPEMD160)\b/i,
    message: "The algorithm is broken.",
  },
];

export function* cryptographyInText(fragment: Fragment): Iterable<Sighting> {
  for (const [line, { added }] of fragment.lines.entries()) {
    if (!added) continue;
    const code = fragment.code(line).slice(0, 4000);
    for (const { form, message } of FORMS) {
      const match = form.exec(code);
      if (!match) continue;
      yield { places: [{ line, column: match.index }], message };
      break;
    }
  }
}
