import { describe, expect, it } from "vitest";
import { entropyOf } from "../../../../src/text/entropy.ts";
import { secretsInCommands } from "../../../../src/text/secrets/command-secrets.ts";
import { isRepetition, knownTokens } from "../../../../src/text/secrets/known-tokens.ts";
import { isPlaceholder } from "../../../../src/text/secrets/placeholder.ts";
import { isSecretValue, namedValues } from "../../../../src/tools/code-review/secrets/named-values.ts";
import { looksGenerated } from "../../../../src/tools/code-review/secrets/randomness.ts";
import { sensitivityOf } from "../../../../src/tools/code-review/secrets/sensitivity.ts";
import { urlCredentials } from "../../../../src/tools/code-review/secrets/url-credentials.ts";
import { alphanumeric, digits, hexadecimal, letters } from "../rules/tokens.ts";

const uuid = [8, 4, 4, 4, 12].map((length) => hexadecimal(length)).join("-");

describe("urlCredentials()", () => {
  const found = (line: string) => urlCredentials(line).map(({ text }) => text);

  it("finds the password between user and host", () => {
    const line = "connect postgres://admin:hunter2x@db.internal/app or redis://:s3cret@[::1]/0";
    expect(urlCredentials(line)).toEqual([
      { column: 25, text: "hunter2x", what: "the password of an address" },
      { column: line.indexOf("s3cret"), text: "s3cret", what: "the password of an address" },
    ]);
    expect(line.slice(25, 33)).toBe("hunter2x");
  });

  it.each([
    "admin:hunter2x@db.internal",
    "postgres://db.internal:5432/a@b",
    "redis://:abc@host",
    "postgres://u:***@host",
    "postgres://u:xxxx@host",
    "postgres://u:••••@host",
    "postgres://u:${PASSWORD}@host",
    "postgres://u:a${PASSWORD}b@host",
    "postgres://u:pre$(cat x)@host",
    "postgres://u:{{password}}@host",
    "postgres://u:$PASSWORD@host",
    "postgres://u:%s@host",
    "postgres://u:%(pw)@host",
    "postgres://u:a****@host",
    "postgres://u:[REDACTED]@host",
    "postgres://u:[password]@host",
    "postgres://u:{pw}@host",
  ])("ignores a missing, masked or templated password: %s", (line) => expect(found(line)).toEqual([]));

  it.each([
    "password",
    "changeme",
    "postgres",
    "root",
    "your-password",
    "mypassword",
    "test1234",
    "DB_PASSWORD",
    ":password",
    "apikey",
  ])("ignores a placeholder word: %s", (password) => {
    expect(found(`postgres://u:${password}@host`)).toEqual([]);
  });

  it.each(["rootQ7", "changemeQ7", "Db_Password7", "postgres!"])(
    "finds a password that only looks similar to a placeholder: %s",
    (password) => {
      expect(found(`postgres://u:${password}@host`)).toEqual([password]);
    },
  );

  it("finds plain words in web and FTP addresses, but no placeholders", () => {
    expect(found("https://u:changeme@host")).toEqual(["changeme"]);
    expect(found("ftp://u:root@host")).toEqual(["root"]);
    for (const password of ["password", "xxx", "token", "yourtoken", "API_KEY"]) {
      expect(found(`https://u:${password}@host`)).toEqual([]);
    }
  });
});

describe("sensitivityOf()", () => {
  it.each([
    ["dbPassword", "password"],
    ["PASSWORD_2", "password"],
    ["passphrase", "password"],
    ["clientSecret", "secret"],
    ["api_token", "secret"],
    ["apiKey", "secret"],
    ["awsSecretAccessKey", "secret"],
    ["jwtKey", "secret"],
    ["masterkey", "secret"],
    ["githubtoken", "secret"],
    ["rootpassword", "password"],
    ["storageAccountKey", "key"],
    ["someKey", "key"],
    ["basicAuth", "key"],
    ["clientId", "identifier"],
    ["aws_access_id", "identifier"],
    ["sentryDsn", "provider"],
    ["secretValue", "secret"],
    ["tokenString", "secret"],
    ["key", undefined],
    ["publicKey", undefined],
    ["cacheKey", undefined],
    ["csrfToken", undefined],
    ["nextPageToken", undefined],
    ["tokenUrl", undefined],
    ["passwordField", undefined],
    ["secretName", undefined],
    ["authorName", undefined],
    ["keyboard", undefined],
    ["monkey", undefined],
    ["a_very_long_sentry_name", undefined],
  ])("maps %s to %s", (name, expected) => expect(sensitivityOf(name)).toBe(expected));
});

describe("namedValues() and isSecretValue()", () => {
  const values = (line: string) => namedValues(line).map(({ name, value, quoted }) => [name, value, quoted]);

  it.each<[string, unknown[]]>([
    ['const apiToken = "abcdef";', [["apiToken", "abcdef", true]]],
    ["api_token: abcdef", [["api_token", "abcdef", false]]],
    ["api.token=abcdef.", [["api.token", "abcdef", false]]],
    ['"token": "abcdef"', [["token", "abcdef", true]]],
    ["'token' => 'abcdef'", [["token", "abcdef", true]]],
    ["token := `abcdef`", [["token", "abcdef", true]]],
    ['token = b"abcdef"', [["token", "abcdef", true]]],
    ['settings["token"] = "abcdef"', [["token", "abcdef", true]]],
    ['"password", "abcdef"', [["password", "abcdef", true]]],
    ['"Server=db;Password=abcdef"', [["Password", "abcdef", true]]],
    ['password, "abcdef"', []],
    ['token "abcdef"', []],
    ['token = ""', []],
    ['token = "abc', []],
    ["token = abc", []],
    ["-token abcdef", []],
    [`--token ${alphanumeric(24)}`, [["--token", alphanumeric(24), false]]],
    [`<token>${alphanumeric(24)}</token>`, [["token", alphanumeric(24), true]]],
    ["a = 1; b = 2", []],
    [
      "tokenA=abcdef tokenB=ghijkl",
      [
        ["tokenA", "abcdef", false],
        ["tokenB", "ghijkl", false],
      ],
    ],
  ])("namedValues() finds the values in %s", (line, expected) => expect(values(line)).toEqual(expected));

  it("namedValues() returns the column of the value", () => {
    const line = 'const apiToken = "abcdef";';
    expect(namedValues(line)[0]?.column).toBe(line.indexOf("abcdef"));
  });

  const isSecret = (name: string, value: string, { quoted = true, inCode = true } = {}) =>
    isSecretValue({ name, value, quoted, column: 0 }, inCode);

  it("isSecretValue() decides by the form of the value and the sensitivity of its name", () => {
    expect(isSecret("password", "Tr0ub4dor&3")).toBe(true);
    expect(isSecret("password", "Tr0ub4dor&3", { quoted: false })).toBe(false);
    expect(isSecret("password", "Tr0ub4dor&3", { quoted: false, inCode: false })).toBe(true);
    expect(isSecret("password", "correct horse battery 9A!")).toBe(false);
    expect(isSecret("password", "hunter")).toBe(false);
    expect(isSecret("password", "Aa1!x")).toBe(false);
    expect(isSecret("password", "getPassword(A1!)")).toBe(false);
    expect(isSecret("password", "app/Pass1/file!")).toBe(false);
    expect(isSecret("password", `${letters(130)}1!`)).toBe(false);
    expect(isSecret("apiToken", alphanumeric(12))).toBe(true);
    expect(isSecret("apiToken", alphanumeric(13), { quoted: false })).toBe(false);
    expect(isSecret("apiToken", alphanumeric(20), { quoted: false })).toBe(true);
    expect(isSecret("apiToken", "plainwords")).toBe(false);
    expect(isSecret("someKey", alphanumeric(19))).toBe(false);
    expect(isSecret("someKey", alphanumeric(20))).toBe(true);
    expect(isSecret("clientId", uuid)).toBe(true);
    expect(isSecret("clientId", alphanumeric(14))).toBe(true);
    expect(isSecret("sentryDsn", uuid)).toBe(true);
    expect(isSecret("sentryDsn", hexadecimal(32))).toBe(true);
    expect(isSecret("sentryDsn", hexadecimal(31))).toBe(false);
    expect(isSecret("sentryDsn", alphanumeric(32))).toBe(false);
    expect(isSecret("colour", alphanumeric(32))).toBe(false);
    expect(isSecret("apiToken", `pk_${alphanumeric(20)}`)).toBe(false);
    expect(isSecret("apiToken", `https://${alphanumeric(20)}`)).toBe(false);
    expect(isSecret("apiToken", "settings.apiToken", { quoted: false })).toBe(false);
  });
});

describe("looksGenerated(), entropyOf() and isRepetition()", () => {
  it("looksGenerated() is true for generated text within the length limits", () => {
    expect(looksGenerated(uuid, 12)).toBe(true);
    expect(looksGenerated(hexadecimal(32), 12)).toBe(true);
    expect(looksGenerated(digits(16), 12)).toBe(true);
    expect(looksGenerated(alphanumeric(16), 12)).toBe(true);
    expect(looksGenerated(letters(24), 12)).toBe(true);
    expect(looksGenerated(alphanumeric(16), 17)).toBe(false);
    expect(looksGenerated(alphanumeric(513), 12)).toBe(false);
    expect(looksGenerated(alphanumeric(512), 12)).toBe(true);
  });

  it.each([
    "1111111111111111",
    "1234567812",
    "aaaaaaaaaaaaaaaaaaaa",
    "deadbeefdeadbeefffff",
    "flutter-3.3.x",
    "privkey1.json",
    "com.example.app.MainActivity2",
    "justlowercaseletters",
    "ALLUPPERCASELETTERSHERE",
    "Capitalisedwordofmanyletters",
    "someLongerCamelCaseIdentifier",
    "three words 1",
  ])("looksGenerated() is false for %s", (text) => expect(looksGenerated(text, 8)).toBe(false));

  it("entropyOf() returns more bits for more evenly distributed characters", () => {
    expect(entropyOf("aaaa")).toBeCloseTo(0);
    expect(entropyOf("abab")).toBeCloseTo(1);
    expect(entropyOf("abcd")).toBeCloseTo(2);
    expect(entropyOf("aaab")).toBeCloseTo(0.8113, 3);
    expect(entropyOf("")).toBe(0);
  });

  it("isRepetition() is true only for repeated characters or groups", () => {
    for (const text of ["XXXXXXXX", "abababab", "a-b-c-A-B-C", "---"]) expect(isRepetition(text)).toBe(true);
    expect(isRepetition("abcd")).toBe(false);
  });
});

describe("isPlaceholder()", () => {
  it.each([
    "an-example",
    "changeme",
    "change_me",
    "xxxxxxxx",
    "abc***",
    "your-token",
    "insert_here",
    "<token>",
    "{{token}}",
    "${TOKEN}",
    "$(token)",
    "%(token)s",
    "%s",
    "not-a-real-one",
    "$TOKEN",
    "@token",
    "process.env.TOKEN",
    "os.environ",
    "env.TOKEN",
    "config.token",
    "secrets.TOKEN",
    "vault:token",
    "arn:aws:x",
    "file:token",
    "/run/secrets/token",
    "./token",
    "~/token",
    "password",
    "test1234",
    "mysecret",
    "1234567",
    "abc123",
    "qwerty",
  ])("is true for %s", (text) => expect(isPlaceholder(text)).toBe(true));

  it.each(["Tr0ub4dor&3", "passwordQ7x", "hunterOfWords9", "tester-of-99", "a1b2c3"])(
    "is false for %s",
    (text) => expect(isPlaceholder(text)).toBe(false),
  );
});

describe("secretsInCommands()", () => {
  const secret = "S3cureWord9xQz4T";

  it.each([
    [`sshpass -p ${secret} ssh host`, "a password for sshpass"],
    [`sshpass -p '${secret}' ssh host`, "a password for sshpass"],
    [`sshpass  -p${secret} ssh host`, "a password for sshpass"],
    [`run sshpass -p  "${secret}" ssh host`, "a password for sshpass"],
    [`x _auth=${secret}`, "a credential of a package registry"],
    [`_password = ${secret}`, "a password of a package registry"],
    [`Authorization=Token ${secret}`, "an Authorization header"],
    [`authorization':  'token   ${secret}'`, "an Authorization header"],
    [`-H Authorization:Bearer ${secret}`, "an Authorization header"],
    [`set("Authorization", \`Basic ${secret}\`)`, "an Authorization header"],
    [`mysql --password   '${secret}'`, "a password on a command line"],
    [`mysql --password "${secret}"`, "a password on a command line"],
    [`https://h/?a=b&client_secret=${secret}`, "a client secret in an address"],
    [`x('Bearer ${secret}${secret}')`, "a bearer token"],
    [`x(\`Bearer ${secret}${secret}\`)`, "a bearer token"],
    [`curl https://h --user=me:${secret}`, "a password on a command line"],
    [`curl -u  "m.e@h:${secret}"`, "a password on a command line"],
    [`machine  h  login  me  password  ${secret}`, "a password of a .netrc file"],
    [`https://h/?sig=${alphanumeric(20)}%2B${alphanumeric(9)}=`, "a signature that gives access to storage"],
    [`_auth = ${secret}`, "a credential of a package registry"],
    [`//r/:_authToken=${secret}`, "a credential of a package registry"],
    [`//r/:_password=${secret}`, "a password of a package registry"],
    [`Authorization: Basic ${secret}`, "an Authorization header"],
    [`"authorization": "Bearer ${secret}"`, "an Authorization header"],
    [`mysql --password=${secret} db`, "a password on a command line"],
    [`mysql --password ${secret}`, "a password on a command line"],
    [`https://h/?client_secret=${secret}`, "a client secret in an address"],
    [`x("Bearer ${secret}${secret}")`, "a bearer token"],
    [`curl -s -u me:${secret} https://h`, "a password on a command line"],
    [`curl --user me:${secret} https://h`, "a password on a command line"],
    [`machine h login me password ${secret}`, "a password of a .netrc file"],
    [`https://h/?sv=1&sig=${alphanumeric(30)}%3D`, "a signature that gives access to storage"],
  ])("finds the secret in %s", (line, what) => {
    const [found, ...others] = secretsInCommands(line);
    expect(found?.what).toBe(what);
    expect(line.slice(found?.column).startsWith(found?.text as string)).toBe(true);
    expect(others).toEqual([]);
  });

  it.each([
    "sshpass -p $PASSWORD ssh host",
    "sshpass -f file ssh host",
    "Authorization: Bearer short",
    "Authorization: Digest aaaaaaaaaaaaaaaaaaaa",
    "mysshpass -p S3cureWord9xQz4T",
    "my_auth = S3cureWord9xQz4T",
    "my_password = S3cureWord9xQz4T",
    "an authorization of S3cureWord9xQz4T",
    "authorization: Bearer",
    "x--password=S3cureWord9xQz4T",
    "--password S3cureWord9xQz4T",
    "https://h/?other_client_secret=S3cureWord9xQz4T",
    "https://h/?client_secret=short",
    "mycurl -u me:S3cureWord9",
    "curl -u me https://h",
    "a machine h login me",
    "https://h/?sig=short",
    "mysql --password",
    "mysql --password=$PASSWORD",
    "mysql --password=%PASSWORD%",
    "curl -u me:$PASSWORD https://h",
    "curl https://h | x -u me:S3cureWord9",
    "machine h login me password <password>",
    'x("Bearer withoutanynumberinthewholeofit")',
  ])("finds no secret in %s", (line) => expect(secretsInCommands(line)).toEqual([]));
});

describe("knownTokens()", () => {
  it("finds each token at a word boundary and names its issuer", () => {
    const token = `ghp_${alphanumeric(36)}`;
    const line = `a ${token} b ${token}`;
    expect(knownTokens(line)).toEqual([
      { column: 2, text: token, what: "a credential of GitHub" },
      { column: 2 + token.length + 3, text: token, what: "a credential of GitHub" },
    ]);
    expect(knownTokens(`x${token}`)).toEqual([]);
    expect(knownTokens(`_${token}`)).toHaveLength(1);
    expect(knownTokens(`ghp_${"ab".repeat(18)}`)).toEqual([]);
  });
});
