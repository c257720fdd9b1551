import { describe, expect, it } from "vitest";
import { isPlaceholder } from "../../../../src/text/secrets/placeholder.ts";
import { RULES } from "../../../../src/tools/code-review/rules.ts";
import { severityIn } from "../../../../src/tools/code-review/severity.ts";
import { edges } from "../edges.ts";

edges("unresolved-todo", "a.ts", [
  ["// TODO a", "1"],
  ["// a TODO: b", "1"],
  ["// FIXME\n// XXX\n// HACK\n// TBD\n// TO-DO\n// FIX-ME", "1", "2", "3", "4", "5", "6"],
  ["a(); // TODO b", "1"],
  ["/* a\n * TODO b\n */", "2"],
  ["// todo: a", "1"],
  ["// todo - a", "1"],
  ["// todo a"],
  ["// a todo: b"],
  ["// Todo: a", "1"],
  ["// MYTODO a"],
  ["// TODOS a"],
  ["// TODO-a"],
  ["// TODO(a)"],
  ["// TODO()", "1"],
  ["// TODO[a]"],
  ["// TODO <a>"],
  ["// TODO @ann"],
  ["// TODO: @ann a"],
  ["// TODO #12"],
  ["// TODO: AB-12 a"],
  ["// TODO gh-12"],
  ["// TODO a, see issue 12"],
  ["// TODO a #12"],
  ["// TODO a AB-12"],
  ["// TODO a https://a.test/issues/12"],
  ["// TODO a https://a.test/b", "1"],
  ["// TODO a b-12", "1"],
  ["// the TODO list"],
  ["// the TODO: a", "1"],
  ["// no TODO here"],
  ["// BUG: a", "1"],
  ["// BUG(a): b"],
  ["// BUG! a", "1"],
  ["// BUG a"],
  ["// 'TODO' a"],
  ["// `TODO` a"],
  ["// a/TODO b"],
  ["// TODO.md"],
  ["// TODO=a"],
  ["'TODO a'"],
]);

const BASE64 = "MIIEpAIBAAKCAQEA0Z3VS5JJcds3xfnygYtTJr7c".padEnd(64, "9qXz");
edges("private-key", "a.txt", [
  [`-----BEGIN PRIVATE KEY-----\n${BASE64}`, "1:1"],
  [`-----BEGIN RSA PRIVATE KEY-----\n${BASE64}`, "1:1"],
  [`-----BEGIN OPENSSH PRIVATE KEY-----\n${BASE64}`, "1:1"],
  [`-----BEGIN PGP PRIVATE KEY BLOCK-----\n\n${BASE64}`, "1:1"],
  ["-----BEGIN PRIVATE KEY-----", "1:1"],
  ["-----BEGIN PRIVATE KEY-----\n", "1:1"],
  ["-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED", "1:1"],
  ["-----BEGIN PRIVATE KEY-----\nyour key\nhere"],
  [`-----BEGIN PRIVATE KEY-----\nhere\n${BASE64}`, "1:1"],
  [`-----BEGIN PRIVATE KEY-----\nhere\nnow\n${BASE64}`],
  [`  key = -----BEGIN PRIVATE KEY-----${BASE64}`, "1:9"],
  ["-----BEGIN PRIVATE KEY-----abc-----END PRIVATE KEY-----"],
  [`-----BEGIN PRIVATE KEY-----${BASE64}-----END PRIVATE KEY-----`, "1:1"],
  [`-----BEGIN PUBLIC KEY-----\n${BASE64}`],
  [`-----BEGIN MY PRIVATE KEY-----\n${BASE64}`],
  ["PuTTY-User-Key-File-2: a", "1:1"],
  ["PuTTY-User-Key-File: a"],
  [`private_key = ${"0123456789abcdef".repeat(4)}`, "1:1"],
  [`PRIVATE_KEY="0x${"0123456789ABCDEF".repeat(4)}"`, "1:1"],
  [`privateKey: '${"0123456789abcdef".repeat(4)}'`, "1:1"],
  [`private_key = ${"0123456789abcdef".repeat(4)}0`],
  [`private_key = ${"0".repeat(64)}`],
  [`public_key = ${"0123456789abcdef".repeat(4)}`],
]);

edges("merge-conflict-marker", "a.txt", [
  ["<<<<<<< a\nb\n=======\nc\n>>>>>>> d", "1:1", "3:1", "5:1"],
  ["<<<<<<<\n=======", "1:1", "2:1"],
  ["||||||| a", "1:1"],
  [">>>>>>> a", "1:1"],
  ["======="],
  ["<<<<<<<< a"],
  ["<<<<<<<a"],
  [" <<<<<<< a"],
  ["a >>>>>>> b"],
  ["<<<<<<< a\n======== \n=======b", "1:1"],
]);

edges("insecure-randomness", "a.ts", [
  ["Math.random()", "1:1"],
  ["MyMath.random()"],
  ["Math.randoms()"],
  ["new Random()", "1:5"],
  ["seedrandom()", "1:1"],
  ["faker.string()", "1:1"],
  ["faker.strings()"],
  ["pseudoRandomBytes(8)", "1:1"],
  ["f(crypto.pseudoRandomBytes)", "1:3"],
  ["const jitter = Math.random()"],
  ["const jitterToken = Math.random()", "1:21"],
  ["function backoff() {\n  return Math.random();\n}"],
  ["function f() {\n  return Math.random();\n}", "2:10"],
]);
edges("insecure-randomness", "a.py", [
  ["random.choice(a)", "1:1"],
  ["random.SystemRandom()"],
  ["random.Random().choice(a)", "1:1"],
  ["np.random.rand(a)", "1:1"],
  ["myrandom.choice(a)"],
]);
edges("insecure-randomness", "a.go", [
  ["rand.Intn(a)", "1:1"],
  ['import "math/rand"\nrand.Perm(a)', "2:1"],
  ['import "crypto/rand"\nrand.Int(a)'],
  ["brand.Intn(a)"],
]);
edges("insecure-randomness", "A.java", [
  ["new Random();", "1:5"],
  ["new java.util.Random();", "1:5"],
  ["Random();"],
  ["RandomStringUtils.random(8);", "1:1"],
  ["RandomStringUtils.secure();"],
]);

describe("severityIn()", () => {
  const [rule] = RULES.filter(({ everywhere }) => !everywhere);
  const inFile = (path: string) => rule && severityIn(path, rule, "error");

  it.each(
    [
      ..."test tests __tests__ __mocks__ spec specs e2e fixture fixtures testdata mock mocks example examples sample samples demo demos doc docs vendor vendored third_party third-party thirdparty node_modules snapshot snapshots __snapshots__ benchmark benchmarks"
        .split(" ")
        .flatMap((folder) => [`${folder}/a.ts`, `src/${folder}/a/b.ts`]),
      ..."a.test.ts a_test.ts a-spec.js a.e2e.js a.mock.ts a.fixture.ts a.stories.tsx a.bench.ts test_a.py src/test_a.py a_test.go a_test.py a_test.rb a_test.dart ATest.java ATests.kt ATests.cs ATest.php ATests.swift a.min.js a.md a.mdx a.rst a.adoc a.snap".split(
        " ",
      ),
    ].map((path) => [path]),
  )("lowers the severity in %s", (path) => expect(inFile(path)).toBe("warning"));

  it.each(
    "src/a.ts contest/a.ts tester/a.ts src/latest/a.ts test.ts attest_a.py a_test.ts.x Testing.java a.tests a.md.ts src/mytests/a.ts a.min.jsx test_a.pyc vendors/a.ts docsy/a.ts"
      .split(" ")
      .map((path) => [path]),
  )("keeps the severity in %s", (path) => expect(inFile(path)).toBe("error"));

  it("lowers a warning to info, and info no further", () => {
    expect(rule && severityIn("test/a.ts", rule, "warning")).toBe("info");
    expect(rule && severityIn("test/a.ts", rule, "info")).toBe("info");
  });
});

describe("isPlaceholder()", () => {
  it.each(
    "example sample placeholder dummy changeme change-me change_me redacted axxxxb *** ... … • your-key yourkey insert replace todo fixme lorem <key> {{key}} ${KEY} $(key) %(key) %s %d %@ omitted not-a-real 00000000-0000 $KEY @key &key #key !key process.env os.environ env.KEY env[KEY] env(KEY) environ config.key config[key] settings.key secret.key secrets[key] vault:key vault.key var.key local.key data.key module.key self.key this.key ssm:/key arn:aws aws-sm keyvault file:key http://a /key ./key ~/key [key (key {key password passwort passwd pass pwd secret secrets token key apikey api_key api-key mykey my-key test test123 fakeKey mockKey demo none null nil undefined true false string text hidden required optional admin root user username default value empty unknown foo bar baz foobar foo-bar hello abc123 abc12 123456 12345678 1234 qwerty bearer basic auth basic_auth private public shared encrypted disabled enabled"
      .split(" ")
      .map((value) => [value]),
  )("is true for %s", (value) => expect(isPlaceholder(value)).toBe(true));

  it.each(
    "q8Zt5vKw2m axxxb ** .. hunter2x rootQ7 myQ! xpassword passwordx 12345678901 processing osprey selfish nullable fool barn abc1234x"
      .split(" ")
      .map((value) => [value]),
  )("is false for %s", (value) => expect(isPlaceholder(value)).toBe(false));
});
