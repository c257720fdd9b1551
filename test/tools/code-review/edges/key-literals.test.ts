import { describe, expect, it } from "vitest";
import { knownTokens } from "../../../../src/text/secrets/known-tokens.ts";
import { looksGenerated } from "../../../../src/tools/code-review/secrets/randomness.ts";
import { edges } from "../edges.ts";
import { alphanumeric } from "../rules/tokens.ts";

edges("hardcoded-secret", "a.ts", [
  ['jwt.sign(a, "hush");', "1"],
  ['jwt.verify(a, "hush");', "1"],
  ['jsonwebtoken.signAsync(a, "hush");', "1"],
  ['jose.encode(a, "hush");', "1"],
  ['jwt.sign("hush", a);'],
  ['jwt.signs(a, "hush");'],
  ['wax.sign(a, "hush");'],
  ['crypto.createHmac("sha256", "hush");', "1"],
  ['crypto.createHmac("hush", a);'],
  ['crypto.createHmac("sha256", "");'],
  ['crypto.createCipheriv("aes", Buffer.from("hush"), iv);', "1"],
  ['crypto.createCipheriv("aes", Buffer.from("hush", "hex"), iv);', "1"],
  ['crypto.createCipheriv("aes", load("hush"), iv);'],
  ['crypto.createCipheriv("aes", crypto.createSecretKey(Buffer.from("hush")), iv);', "1"],
  ['app.use(cookieParser("hush"));', "1"],
  ["app.use(cookieParser(a));"],
  ['const a = "hush";\njwt.sign(b, a);', "2"],
  ["const a = load();\njwt.sign(b, a);"],
  ['jwt.sign(a, "$SECRET");'],
  ['jwt.sign(a, "<secret>");'],
  ['jwt.sign(a, "https://b.test/key");'],
  ['jwt.sign(a, "-----BEGIN PUBLIC KEY-----");'],
  ['jwt.sign(a, "-----BEGIN CERTIFICATE-----");'],
  ['session({ secret: "hush" });', "1"],
  ['session({ secret: ["hush", a] });', "1"],
  ["session({ secret: a });"],
  ['session({ secrets: "hush" });', "1"],
  ['session({ secretive: "hush" });'],
  ['session({ name: "hush" });'],
  ['new JwtStrategy({ secretOrKey: "hush" }, a);', "1"],
  ['passport.use({ clientSecret: "hush" });', "1"],
  ['render({ secret: "hush" });'],
  ['const o = {\n  secret: "hush",\n};\nsession(o);', "4"],
]);

edges("hardcoded-secret", "a.py", [
  ['jwt.encode(a, "hush")', "1"],
  ['jwt.decode(a, "hush")', "1"],
  ['wax.encode(a, "hush")'],
  ['hmac.new("hush", a)', "1"],
  ['hmac.new(b"hush", a)', "1"],
  ['hmac.new("hush".encode(), a)', "1"],
  ['hmac.new("hush".strip(), a)'],
  ['wax.new("hush", a)'],
  ['AES.new("hush", a)', "1"],
  ['DES3.new("hush", a)', "1"],
  ['from Crypto.Cipher import AES\nAES.new("hush", a)', "2"],
  ['Fernet("hush")', "1"],
  ['URLSafeSerializer("hush")', "1"],
  ["Fernet(a)"],
]);

edges("hardcoded-secret", "a.go", [
  ['token.SignedString([]byte("hush"))', "1"],
  ['sessions.NewCookieStore([]byte("hush"))', "1"],
  ['hmac.New(sha256.New, []byte("hush"))', "1"],
  ['wax.New(a, []byte("hush"))'],
  ["token.SignedString(a)"],
]);

edges("hardcoded-secret", "A.java", [
  ['Algorithm.HMAC256("hush");', "1"],
  ['new SecretKeySpec("hush".getBytes(), "AES");', "1"],
  ['builder.setSigningKey("hush");', "1"],
  ['builder.signWith(a, "hush");', "1"],
  ['DriverManager.getConnection(a, b, "hush");', "1"],
  ['pool.getConnection(a, b, "hush");'],
  ['new PasswordAuthentication(a, "hush".toCharArray());', "1"],
]);
edges("hardcoded-secret", "a.rb", [
  ['JWT.encode(a, "hush")', "1"],
  ['JWT.decode a, "hush"', "1"],
  ['OpenSSL::HMAC.hexdigest("sha256", "hush", a)', "1"],
  ['Digest.hexdigest("sha256", "hush")'],
]);
edges("hardcoded-secret", "a.php", [
  ["<?php\nJWT::encode($a, 'hush');", "2"],
  ["<?php\nhash_hmac('sha256', $a, 'hush');", "2"],
  ["<?php\nnew PDO($a, $b, 'hush');", "2"],
  ["<?php\nmysqli_connect($a, $b, 'hush');", "2"],
  ["<?php\nhash('sha256', $a, 'hush');"],
]);
edges("hardcoded-secret", "A.cs", [
  ['new NetworkCredential(a, "hush");', "1"],
  ['new SymmetricSecurityKey(Encoding.UTF8.GetBytes("hush"));', "1"],
  ['new HMACSHA256(Encoding.UTF8.GetBytes("hush"));', "1"],
  ['new NetworkCredential("hush", a);'],
]);
edges("hardcoded-secret", "a.rs", [
  ['EncodingKey::from_secret("hush".as_bytes())', "1"],
  ['EncodingKey::from_secret(b"hush")', "1"],
  ["EncodingKey::from_secret(a)"],
]);

describe("knownTokens()", () => {
  it("names the issuer and finds a token only at the start of a word", () => {
    const token = `ghp_${alphanumeric(36)}`;
    expect(knownTokens(token)).toEqual([{ column: 0, text: token, what: "a credential of GitHub" }]);
    expect(knownTokens(`${token}${token}`).length).toBeLessThanOrEqual(1);
    for (const before of ["a", "Z", "0", "9", "z", "A"]) expect(knownTokens(before + token)).toEqual([]);
    for (const before of [" ", '"', "=", "_", "/", ":", "@", "[", "`", "{"])
      expect(knownTokens(before + token)).toHaveLength(1);
  });
});

describe("looksGenerated()", () => {
  it.each([
    ["1234567890123456", true],
    ["123456789012345", false],
    ["0x0123456789abcdef", true],
    ["0123456789abcdef", true],
    ["abcdefabcdefabcdef", false],
    ["aB3dE5fG7hJ9", true],
    ["aBcDeFgHiJkLmNoP", true],
    ["aBcDeFgHiJkLmNo", false],
    ["abcdefghijklmnopq", false],
    ["word-word-word12", false],
    ["WordWordWord1", false],
    ["some text 12 with blanks", false],
    ["a1!b2@c3#d4$", true],
    ["01234567-89ab-cdef-0123-456789abcdef", true],
    ["01234567-89ab-cdef-0123-456789abcdeg", true],
  ])("maps %s to %s", (text, expected) => expect(looksGenerated(text, 12)).toBe(expected));
});
