import { describe, expect, it } from "vitest";
import { secretsInCommands } from "../../../../src/text/secrets/command-secrets.ts";
import { isSecretValue, namedValues } from "../../../../src/tools/code-review/secrets/named-values.ts";
import { sensitivityOf } from "../../../../src/tools/code-review/secrets/sensitivity.ts";
import { alphanumeric, hexadecimal } from "./tokens.ts";

const a = (times: number) => "a".repeat(times);
const blanks = (times: number) => " ".repeat(times);

describe("namedValues()", () => {
  it.each<[string, ...[name: string, value: string, quoted: boolean][]]>([
    [`${a(60)}token="abcdef"`, [`${a(60)}token`, "abcdef", true]],
    [`${a(61)}token="abcdef"`, [`${a(60)}token`, "abcdef", true]],
    [`token${a(75)}="abcdef"`, [`token${a(75)}`, "abcdef", true]],
    [`token${a(76)}="abcdef"`],
    ["x/a-B.c$d_9Token=abcdef", ["a-B.c$d_9Token", "abcdef", false]],
    ["äToken=abcdef", ["Token", "abcdef", false]],
    ["h?api_key=abcdef&lang=pt", ["api_key", "abcdef", false]],
    ["h?a=b&api_key=abcdef&lang=pt", ["api_key", "abcdef", false]],
    ["h api_key=abcdef&lang=pt", ["api_key", "abcdef&lang=pt", false]],
    ["'a;Password=abcdef'", ["Password", "abcdef", true]],
    [`'a' + "b;Password=abcdef"`, ["Password", "abcdef", true]],
    ['"a" Password=abcdef', ["Password", "abcdef", false]],
    ['"a;Password= abcdef"', ["Password", "abcdef", false]],
    [`"${a(497)};Password=abcdef"`, ["Password", "abcdef", true]],
    [`"${a(500)};Password=abcdef"`, ["Password", "abcdef", false]],
    [`token${blanks(8)}=${blanks(8)}"abcdef"`, ["token", "abcdef", true]],
    [`token${blanks(9)}="abcdef"`],
    [`token=${blanks(9)}"abcdef"`],
    ['x[["token"]] = "abcdef"'],
    ['token = rb"abcdef"', ["token", "abcdef", true]],
    ['token = $@"abcdef"', ["token", "abcdef", true]],
    ['token = F"abcdef"', ["token", "abcdef", true]],
    ['token = x"abcdef"'],
    ['token = rbf"abcdef"'],
    [`token = "${a(512)}"`, ["token", a(512), true]],
    [`token = "${a(513)}"`],
    ['token > "abcdef"'],
    ["token, abcdef"],
    [`token, ${alphanumeric(24)}`],
    ["token == abcdef"],
    ["token=abcde", ["token", "abcde", false]],
    ["token=abcd"],
    ["token=abcde:", ["token", "abcde", false]],
    ["token=abcde.:", ["token", "abcde.", false]],
    [`token=${a(301)}`, ["token", a(300), false]],
    ["token=abcdef;b", ["token", "abcdef", false]],
    ["token: abcdef of a thing"],
    ["token: abcdef o a thing", ["token", "abcdef", false]],
    ["token: abcdef of, a thing"],
    ["token: abcdef of; a thing", ["token", "abcdef", false]],
    ["token: abcdef of", ["token", "abcdef", false]],
    ["token: abcdef 12 a", ["token", "abcdef", false]],
    ["token: abcdef of 1", ["token", "abcdef", false]],
    [`token: abcdef${blanks(4)}of${blanks(4)}a`],
    [`token: abcdef${blanks(5)}of a`, ["token", "abcdef", false]],
    [`token: abcdef of${blanks(5)}a`, ["token", "abcdef", false]],
    [`token: abcdef ${a(40)} b`],
    [`token: abcdef ${a(41)} b`, ["token", "abcdef", false]],
    ["token: abcdef größe über"],
    [`token ${alphanumeric(20)}`, ["token", alphanumeric(20), false]],
    [`token ${alphanumeric(19)}`],
    [`token ${alphanumeric(20)}!`],
    [`token>+/=_-${alphanumeric(15)}<`, ["token", `+/=_-${alphanumeric(15)}`, true]],
    ['token="abcdef" secret="ghijkl"', ["token", "abcdef", true], ["secret", "ghijkl", true]],
    ['token, secret="ghijkl"', ["secret", "ghijkl", true]],
    ['token="the secret=ghijkl"', ["token", "the secret=ghijkl", true], ["secret", "ghijkl", true]],
  ])("finds the values in %s", (line, ...expected) =>
    expect(namedValues(line).map(({ name, value, quoted }) => [name, value, quoted])).toEqual(expected),
  );
});

describe("sensitivityOf()", () => {
  it.each([
    ["publicAccountKey", "key"],
    ["accountKeyFile", undefined],
    ["clientIdentity", undefined],
    ["tokenValues", undefined],
    ["userPass", "password"],
    ["passwordless", undefined],
    ["compass", undefined],
    ["bypassList", undefined],
    ["cryptoKey", "secret"],
    ["cryptographicKey", "key"],
    ["hmacKeys", "key"],
    ["someSignature", "key"],
    ["signature", undefined],
    ["auth", undefined],
    ["keys", undefined],
    ["sentry_dsn_a", "provider"],
    ["sentry_dsn_a_b", undefined],
    ["mytokens", undefined],
    ["token_old", "secret"],
    ["secretary", undefined],
    ["apiToken123", "secret"],
  ])("maps %s to %s", (name, expected) => expect(sensitivityOf(name)).toBe(expected));
});

describe("isSecretValue()", () => {
  it.each([
    ["password", "Aa1!xy", { quoted: true }, true],
    ["password", "aa1!xy", { quoted: true }, true],
    ["password", "aaaaa1", { quoted: true }, false],
    ["password", "Aa.-xy", { quoted: true }, false],
    ["password", "call(A1!)", { quoted: true }, false],
    ["password", "a=>A1!xy", { quoted: true }, false],
    ["password", "A1!x||b", { quoted: true }, false],
    ["password", "A1!x&&b", { quoted: true }, false],
    ["apiToken", `PK_${alphanumeric(20)}`, { quoted: true }, false],
    ["apiToken", `PUB${alphanumeric(20)}`, { quoted: true }, false],
    ["apiToken", `x-pk_${alphanumeric(20)}`, { quoted: true }, true],
    ["apiToken", "aB3dE5fG", { quoted: true }, true],
    ["apiToken", "aB3dE5f", { quoted: true }, false],
    ["apiToken", "abcdefgh123", { quoted: true }, false],
    ["apiToken", "abcdefg1h23", { quoted: true }, true],
    ["apiToken", alphanumeric(14), { quoted: false }, true],
    ["clientId", alphanumeric(13), { quoted: true }, false],
    ["sentryDsn", hexadecimal(64), { quoted: true }, true],
    ["sentryDsn", hexadecimal(65), { quoted: true }, false],
    ["sentryDsn", `${hexadecimal(32)}g`, { quoted: true }, false],
    ["apiToken", `load(${alphanumeric(20).replace(/\d/g, "x")})`, { quoted: false }, false],
    ["apiToken", "makeToken::forThem2", { quoted: false }, false],
    ["canCreateApiKey", "canCreateApiKey9Zq4Lm2", { quoted: true }, false],
    ["apikeys.canCreateApiKey", "xCanCreateApiKey9Zq4Lm2", { quoted: true }, false],
  ])("decides on %s = %s, %j: %s", (name, value, { quoted }, expected) =>
    expect(isSecretValue({ name, value, quoted, column: 0 }, true)).toBe(expected),
  );
});

interface Form {
  line: (secret: string) => string;
  lengths: readonly [least: number, most: number];
  /** Whether a longer text is no secret at all. */
  closed?: true;
}

const FORMS: Record<string, Form> = {
  sshpass: { line: (secret) => `sshpass -p ${secret} ssh`, lengths: [3, 80] },
  "a registry's token": { line: (secret) => `//r/:_authToken=${secret}`, lengths: [8, 400], closed: true },
  "a registry's password": { line: (secret) => `//r/:_password=${secret}`, lengths: [6, 200] },
  "a header": { line: (secret) => `Authorization: Bearer ${secret}`, lengths: [16, 2000] },
  "a command's password": { line: (secret) => `mysql --password=${secret}`, lengths: [6, 4000] },
  "an address": { line: (secret) => `h?client_secret=${secret}`, lengths: [16, 100] },
  "a bearer": { line: (secret) => `x("Bearer ${secret}")`, lengths: [24, 2000], closed: true },
  "curl's password": { line: (secret) => `curl -u me:${secret}`, lengths: [6, 2000] },
  netrc: { line: (secret) => `machine h login me password ${secret}`, lengths: [6, 200] },
};

describe("secretsInCommands()", () => {
  const found = (line: string) => secretsInCommands(line).map(({ text }) => text);

  it.each(Object.entries(FORMS))(
    "finds only secrets of the allowed length: %s",
    (_, { line, lengths: [least, most], closed }) => {
      const [shortest, longest] = [alphanumeric(least), alphanumeric(most)];
      expect(found(line(shortest))).toEqual([shortest]);
      expect(found(line(longest))).toEqual([longest]);
      expect(found(line(shortest.slice(1)))).toEqual([]);
      expect(found(line(`${longest}7`))).toEqual(closed ? [] : [longest]);
    },
  );

  const secret = "S3cureWord9xQz4T";
  const spaced: [name: string, line: (before: string) => string, most: number][] = [
    ["sshpass", (before) => `sshpass${before}-p x${secret}`, 4],
    ["its option", (before) => `sshpass -p ${before}'${secret}'`, 3],
    ["a registry's token", (before) => `_auth ${before}=${secret}`, 3],
    ["its value", (before) => `_auth=${before}${secret}`, 4],
    ["a registry's password", (before) => `_password ${before}=${secret}`, 3],
    ["what it is", (before) => `_password=${before}${secret}`, 4],
    ["a header", (before) => `Authorization${before}: Basic ${secret}`, 4],
    ["its scheme", (before) => `Authorization:${before}Basic ${secret}`, 4],
    ["its credential", (before) => `Authorization: Basic ${before}${secret}`, 3],
    ["a command's password", (before) => `x --password ${before}${secret}`, 3],
    ["curl's user", (before) => `curl -u ${before}me:${secret}`, 2],
    ["a machine", (before) => `machine ${before}h login me password ${secret}`, 7],
    ["its login", (before) => `machine h ${before}login me password ${secret}`, 7],
    ["a user", (before) => `machine h login ${before}me password ${secret}`, 7],
    ["its password", (before) => `machine h login me ${before}password ${secret}`, 7],
    ["the last", (before) => `machine h login me password ${before}${secret}`, 7],
  ];

  it.each(spaced)("limits the number of blanks: %s", (_, line, most) => {
    expect(found(line(blanks(most)))).toHaveLength(1);
    expect(found(line(blanks(most + 1)))).toEqual([]);
  });

  it.each([
    `curl ${a(60)} -u ${a(60)}:${secret}`,
    `curl ${a(299)} -u me:${secret}`,
    `machine ${a(200)} login ${a(100)} password ${secret}`,
    `h?sig=${a(20)}%3d`,
    `h?sig=${a(60)}=`,
    `h?sig=${a(20)}${"%2b".repeat(16)}=`,
    `h&sig=${a(20)}%2B${a(60)}=`,
    `curl -u=me:${secret}`,
    `:_password=${secret}`,
    `"Authorization", "token ${secret}`,
    `h&client_secret=${secret}`,
  ])("finds a secret in %s", (line) => expect(found(line)).toHaveLength(1));

  it.each([
    `curl -u ${a(61)}:${secret}`,
    `curl ${a(300)} -u me:${secret}`,
    `curl x; y -u me:${secret}`,
    `machine ${a(201)} login me password ${secret}`,
    `machine h login ${a(101)} password ${secret}`,
    `h?sig=${a(19)}=`,
    `h?sig=${a(61)}=`,
    `h?sig=${a(20)}${"%2b".repeat(17)}=`,
    `h?sig=${a(20)}%2B${a(61)}=`,
    `h?sig=${a(20)}%2C=`,
    `h?sig=${a(20)}`,
    `xsig=${a(20)}=`,
    `curls -u me:${secret}`,
    `machines h login me password ${secret}`,
    `x("Bearer ${alphanumeric(24)}`,
    `Authorization; Bearer ${secret}`,
  ])("finds no secret in %s", (line) => expect(found(line)).toEqual([]));
});
