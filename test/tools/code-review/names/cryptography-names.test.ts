import { describe, expect, it } from "vitest";
import { type Weakness, weaknessOf } from "../../../../src/tools/code-review/cryptography/weak-names.ts";
import { weaknessOfSpec } from "../../../../src/tools/code-review/cryptography/weak-specs.ts";

describe("weaknessOf()", () => {
  it.each<[Weakness, string]>([
    [
      "hash",
      "md5 MD5 Md4 sha1 SHA1 sha1sum md5hex MD5CryptoServiceProvider EVP_md5 createMd5Hash ripemd160 CC_MD5_Init kCCHashMd5sum",
    ],
    ["mac", "hmacMd5 HMACMD5 HmacSHA1 EVP_hmac_md5"],
    [
      "cipher",
      "rc4 RC4 arc4 blowfish tripleDES 3des DES desEncrypt newDesCipher EVP_des_cbc EVP_rc4 Blowfish BF_encrypt_bf_key",
    ],
    ["mode", "ecb aesEcbMode AES_128_ECB"],
  ])("finds %s in %s", (weakness, names) => {
    const known = names.split(" ").map((name) => [name, weaknessOf(name)]);
    const misread = known
      .filter(([, found]) => found !== weakness)
      .map(([name, found]) => `${name}: ${found}`);
    expect(misread).toEqual([]);
  });

  it.each(
    "des description desired seed castValue idea team teaTime md5Mentions sha256 SHA512 aes AES256 md modes decibel tester".split(
      " ",
    ),
  )("finds none in %s", (name) => expect(weaknessOf(name)).toBeUndefined());

  it("ignores an overlong name", () => {
    expect(weaknessOf(`md5${"Hash".repeat(14)}`)).toBe("hash");
    expect(weaknessOf(`md5${"Hash".repeat(15)}`)).toBeUndefined();
  });
});

describe("weaknessOfSpec()", () => {
  it.each<[Weakness, string[]]>([
    [
      "hash",
      [
        "md5",
        "MD4",
        "sha1",
        "SHA-1",
        "sha",
        "ripemd160",
        "RIPEMD-128",
        "md5WithRSAEncryption",
        "sha1-rsa",
        "RSA-SHA1",
        "ssl3-md5",
      ],
    ],
    ["mode", ["aes-128-ecb", "AES/ECB/PKCS5Padding", "ecb(aes)", "camellia-256-ecb"]],
    ["padding", ["RSA/ECB/NoPadding", "rsa/none/nopadding"]],
    [
      "cipher",
      [
        "des",
        "DES/CBC/PKCS5Padding",
        "des-ede3-cbc",
        "rc4",
        "bf-cbc",
        "cbc(des3_ede)",
        "xts(tea)",
        "PBEWithMD5AndDES",
        "PBEWithSHA1AndRC2_40",
      ],
    ],
  ])("finds %s in %j", (weakness, texts) => {
    for (const text of texts) expect([text, weaknessOfSpec(text)]).toEqual([text, weakness]);
  });

  it.each([
    "sha256",
    "SHA-512",
    "aes-256-gcm",
    "AES/GCM/NoPadding",
    "RSA/ECB/OAEPPadding",
    "x",
    "",
    "describe",
    "my md5",
    "cbc(aes)",
    "m".repeat(61),
  ])("finds none in %j", (text) => expect(weaknessOfSpec(text)).toBeUndefined());
});
