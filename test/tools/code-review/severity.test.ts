import { describe, expect, it } from "vitest";
import { findingsIn } from "./cases.ts";

const EVALUATES = "app.get('/', (req, res) => eval(req.query.code));";
const severityOf = (path: string) => findingsIn(path, EVALUATES)[0]?.severity;

describe("the severity of a finding", () => {
  const usual = severityOf("src/app.ts");

  it.each([
    ...[
      "test",
      "tests",
      "__tests__",
      "__mocks__",
      "spec",
      "specs",
      "e2e",
      "fixture",
      "fixtures",
      "testdata",
      "mock",
      "mocks",
      "example",
      "examples",
      "sample",
      "samples",
      "demo",
      "demos",
      "doc",
      "docs",
      "vendor",
      "vendored",
      "third_party",
      "third-party",
      "thirdparty",
      "snapshots",
      "__snapshots__",
      "benchmark",
      "benchmarks",
    ].flatMap((folder) => [`${folder}/app.ts`, `packages/web/${folder}/deep/app.ts`]),
    "src/app.test.ts",
    "src/app-spec.tsx",
    "src/app_e2e.js",
    "src/app.stories.jsx",
    "src/app.bench.mjs",
    "src/app.min.js",
    "src/jquery-4.0.0.slim.js",
    "src/jdenticon-3.3.js",
  ])("is lowered by one step in %s", (path) => {
    expect(usual).toBe("error");
    expect(severityOf(path)).toBe("warning");
  });

  it.each([
    "src/latest/app.ts",
    "src/testing.ts",
    "src/contest.ts",
    "src/docsite/app.ts",
    "src/vendors/app.ts",
    "src/attest.ts",
    "src/app.test.d/main.ts",
    "src/app-v2.js",
    "src/4.0.0/app.js",
    "src/release-1.2.0.ts",
  ])("is unchanged in %s", (path) => {
    expect(severityOf(path)).toBe("error");
  });

  it.each([
    ["test_app.py", "warning"],
    ["pkg/test_app.py", "warning"],
    ["pkg/app_test.py", "warning"],
    ["pkg/contest_app.py", "error"],
  ])("follows the naming of Python tests: %s", (path, severity) => {
    const [found] = findingsIn(path, "def f(request):\n    return eval(request.GET['code'])");
    expect(found?.severity).toBe(severity);
  });

  it.each([
    ["test.c", "warning"],
    ["lib/test_sds.c", "warning"],
    ["lib/unittest-list.cpp", "warning"],
    ["lib/tests.h", "warning"],
    ["lib/contest.c", "error"],
    ["lib/testing.c", "error"],
  ])("follows the naming of tests in C: %s", (path, severity) => {
    const [found] = findingsIn(path, 'void f(void) {\n  system(getenv("QUERY_STRING"));\n}');
    expect(found?.severity).toBe(severity);
  });

  it.each([
    ["a.py", 'os.system("ls " + sys.argv[1])'],
    ["a.js", 'child_process.exec("ls " + process.argv[2]);'],
    ["a.c", "int main(int argc, char **argv) {\n  system(argv[1]);\n}"],
    ["a.php", '<?php\nsystem("ls " . $argv[1]);'],
    ["a.rb", 'system("ls #{ARGV[0]}")'],
    ["a.go", 'func main() {\n\texec.Command("sh", "-c", "ls " + os.Args[1]).Run()\n}'],
  ])("is a warning about the command line, which no client sends: %s", (path, code) => {
    const [found] = findingsIn(path, code);
    expect(found?.severity).toBe("warning");
    expect(found?.message).toMatch(/ holds what the command line gives\.$/);
  });

  it.each([
    ["page.php", '<?php\necho "Usage: php $argv[0] <b>file</b>\\n";'],
    ["page.php", "<?php\necho '<p>' . $argv[1];"],
    ["get.py", "requests.get(sys.argv[1])"],
  ])("has nothing to do with pages and addresses of whoever runs a program: %s", (path, code) => {
    expect(findingsIn(path, code).filter(({ severity }) => severity !== "info")).toEqual([]);
  });

  it.each([
    [
      "test_a.py",
      '@pytest.mark.skip(reason="see https://acme.dev/shop/issues/1")\ndef test_a():\n    pass',
      "info",
    ],
    ["test_a.py", '@pytest.mark.skip(reason="not on this machine")\ndef test_a():\n    pass', "warning"],
    ["src/a.rs", '#[ignore = "see #123"]\nfn a() {}', "info"],
    ["a.test.ts", '// waits for SHOP-1234\nit.skip("adds", () => {});', "info"],
    ["a.test.ts", '// waits for UTF-8\nit.skip("adds", () => {});', "warning"],
    ["a.test.ts", '// as in #123\n\nit.skip("adds", () => {});', "warning"],
  ])("is lower if the issue that a test waits for is named beside it: %s %s", (path, code, severity) => {
    expect(findingsIn(path, code).map((found) => found.severity)).toEqual([severity]);
  });

  it.each([
    ["class Note {\n  reset() {\n    this.turn(Math.random());\n  }\n}", "info"],
    ["const author = authors[Math.floor(Math.random() * 9)];", "info"],
    ["const presetIndex = Math.floor(Math.random() * presets.length);", "info"],
    ["const row = { keyForList: Math.random() };", "info"],
    ["const key = Math.random().toString(36);", "warning"],
    ["const resetLink = base + Math.random();", "warning"],
    ["const authorization = Math.random();", "warning"],
  ])("depends on what the random value is used for: %s", (code, severity) => {
    expect(findingsIn("src/app.ts", code).map((found) => found.severity)).toEqual([severity]);
  });

  it.each([
    ["const load = (file) => import(file);", "warning"],
    ["const load = (name) => import(`${name}`);", "warning"],
    ["const load = (file) => import(pathToFileURL(file).href);", "info"],
    ["const load = (file) => import(url.pathToFileURL(path.resolve(file)).href);", "info"],
    ["const load = (language) => import(`./locales/${language}.js`);", "info"],
    ["const load = (folder) => require(path.join(folder, 'config.js'));", "info"],
    ["const load = (folder) => require(folder + '/package.json');", "info"],
    ["app.get('/', (req) => import(`./locales/${req.query.language}.js`));", "error"],
    ["app.get('/', (req) => require(path.join(folder, req.query.file)));", "error"],
  ])("depends on where a dynamically loaded module comes from: %s", (code, severity) => {
    const found = findingsIn("src/app.ts", code, { rules: { only: ["code-evaluation"] } });
    expect(found.map((each) => each.severity)).toEqual([severity]);
  });
});

describe("a broken hash in an HMAC", () => {
  it.each([
    ["app.py", 'import hmac\nhmac.new(key, text, "sha1")'],
    ["app.py", "import hashlib, hmac\nhmac.new(key, text, digestmod=hashlib.md5)"],
    ["app.ts", 'crypto.createHmac("sha1", key).update(text);'],
    ["app.rb", 'OpenSSL::HMAC.hexdigest(OpenSSL::Digest.new("sha1"), key, text)'],
    ["app.go", 'package a\n\nimport ("crypto/hmac"; "crypto/sha1")\n\nvar mac = hmac.New(sha1.New, key)\n'],
  ])("is only to look at, since collisions do not break it: %s %j", (path, text) => {
    const found = findingsIn(path, text);
    expect(found.map(({ rule, severity }) => [rule, severity])).toEqual([["weak-cryptography", "info"]]);
    expect(found[0]?.message).toMatch(/^HMAC with (?:sha1|md5) is a message authentication code/);
  });

  it("is a warning beside it, without a key", () => {
    const found = findingsIn(
      "app.py",
      "import hashlib, hmac\nhmac.new(key, text, hashlib.sha1)\nhashlib.sha1(text)",
    );
    expect(found.map(({ severity }) => severity)).toEqual(["info", "warning"]);
  });
});
