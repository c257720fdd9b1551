import { describe, expect, it } from "vitest";
import type { RuleId } from "../../../src/tools/code-review/finding.ts";
import { review } from "../../../src/tools/code-review/review.ts";

/** Returns the lines that a rule reports in a diff. Lines that begin with a tilde are not new. */
function linesOf(rule: RuleId, path: string, marked: readonly string[]): number[] {
  const lines = marked.map((line) => (line.startsWith("~") ? ` ${line.slice(1)}` : `+${line}`));
  const before = lines.filter((line) => line.startsWith(" ")).length;
  const diff = `--- a/${path}\n+++ b/${path}\n@@ -1,${before} +1,${lines.length} @@\n${lines.join("\n")}\n`;
  return review({ diff, rules: { only: [rule] } }).findings.map(({ line }) => line);
}

describe("an SQL statement that is built and then run", () => {
  it.each<[string, string[], number[]]>([
    ["app.py", ['query = "SELECT a FROM b WHERE c = " + name', "cursor.execute(query)"], [2]],
    ["app.py", ['query = f"SELECT a FROM b WHERE c = {name}"', "log(query)"], [1]],
    [
      "app.py",
      [
        "if long:",
        '    query = "SELECT a FROM b WHERE c = " + name',
        "else:",
        '    query = "SELECT a FROM b WHERE d = " + name',
        "cursor.execute(query)",
      ],
      [5],
    ],
    [
      "app.go",
      [
        "func f(r *http.Request) {",
        '\tq := "SELECT a FROM b WHERE c = "',
        '\tq += r.FormValue("c")',
        "\tdb.Query(q)",
        "}",
      ],
      [4],
    ],
    [
      "app.py",
      ["def built(name):", '    return "SELECT a FROM b WHERE c = " + name', "cursor.execute(built(first))"],
      [3],
    ],
    [
      "app.py",
      [
        "def built(name):",
        '    return "SELECT a FROM b WHERE c = " + name',
        "cursor.execute(built(first))",
        "cursor.execute(built(second))",
      ],
      [2],
    ],
    [
      "App.java",
      [
        "void f(EntityManager em, String name) {",
        '  String q = "SELECT a FROM b WHERE c = " + name;',
        "  em.createNativeQuery(q);",
        "}",
      ],
      [3],
    ],
    [
      "App.java",
      [
        "void f(EntityManager em, String name) {",
        "  em.createQuery(",
        '      String.format("SELECT a FROM b WHERE c = %s", name),',
        "      A.class);",
        "}",
      ],
      [2],
    ],
    [
      "App.cs",
      [
        "void F(string name) {",
        '  var q = "SELECT a FROM b WHERE c = " + name;',
        "  command.CommandText = q;",
        "}",
      ],
      [3],
    ],
    // In JavaScript, the call that runs it is often a wrapper, so both lines are reported.
    ["app.ts", ["const q = `SELECT a FROM b WHERE c = ${req.query.c}`;", "db.query(q);"], [1, 2]],
  ])("is reported without duplicates in %s: %j", (path, lines, told) => {
    expect(linesOf("sql-injection", path, lines)).toEqual(told);
  });

  it("is reported at whichever of the two lines is new", () => {
    const built = 'query = "SELECT a FROM b WHERE c = " + name';
    expect(linesOf("sql-injection", "app.py", [built, "~cursor.execute(query)"])).toEqual([1]);
    expect(linesOf("sql-injection", "app.py", [`~${built}`, "cursor.execute(query)"])).toEqual([2]);
  });
});

describe("a path that is joined and then opened", () => {
  const head = ["~from flask import request", "~def f():", '~    name = request.args.get("name")'];

  it("is reported where it is joined, or where it is opened if only that is new", () => {
    const join = '    path = os.path.join("/srv", name)';
    const lines = (mark: string) => [...head, `${mark}${join}`, "    return open(path).read()"];
    expect(linesOf("path-traversal", "app.py", lines(""))).toEqual([4]);
    expect(linesOf("path-traversal", "app.py", lines("~"))).toEqual([5]);
  });

  it("is reported twice if another value may be opened as well", () => {
    const lines = [
      ...head,
      '    path = os.path.join("/srv", name)',
      "    if whole:",
      "        path = name",
      "    return open(path).read()",
    ];
    expect(linesOf("path-traversal", "app.py", lines)).toEqual([4, 7]);
  });
});

describe("a weak algorithm", () => {
  it.each<[string, string[], number[]]>([
    [
      "App.java",
      ['var md5Digest = MessageDigest.getInstance("MD5");', "md5Digest.update(text);", "md5Digest.digest();"],
      [1],
    ],
    ["App.java", ["byte[] f(Holder md5) {", "  return MD5.digest(text);", "}"], [2]],
    [
      "App.kt",
      [
        "public fun sha1(text: String): ByteArray {",
        '    val sha1 = MessageDigest.getInstance("SHA-1")',
        "    return sha1.digest()",
        "}",
      ],
      [2],
    ],
    ["App.cs", ["public void CreateDES() {", "  var key = DES.Create();", "}"], [2]],
    ["app.ts", ['import md5 from "md5";', "const digest = md5(text);"], [2]],
    [
      "app.py",
      ["from Crypto.Cipher import Blowfish as quick", "size = quick.block_size", "cipher = quick.new(key)"],
      [3],
    ],
  ])("is reported where it is chosen in %s: %j", (path, lines, told) => {
    expect(linesOf("weak-cryptography", path, lines)).toEqual(told);
  });
});

it("code-evaluation ignores the context argument of createMethodExpression()", () => {
  const call = (text: string) => [
    "void f(ELContext context, String text) {",
    `  factory.createMethodExpression(context, ${text}, String.class, null);`,
    "}",
  ];
  expect(linesOf("code-evaluation", "App.java", call('"1 + 1"'))).toEqual([]);
  expect(linesOf("code-evaluation", "App.java", call("text"))).toEqual([2]);
});

describe("a weak hash in a function of the file", () => {
  it.each<[string, string[], number[]]>([
    [
      "a.py",
      ["def file_md5(text):", "    return hashlib.md5(text)", "def f(text):", "    return file_md5(text)"],
      [2],
    ],
    [
      "a.go",
      ["func fileMD5(b []byte) [16]byte {", "\treturn md5.Sum(b)", "}", "var sum = fileMD5(all)"],
      [2],
    ],
    ["a.py", ["def f(text):", "    return file_md5(text)"], [2]],
    ["a.js", ["function md5(text) { return rounds(text); }", "store(md5(password));"], [2]],
  ])("is reported once, at the right line: %s %j", (path, code, lines) => {
    expect(linesOf("weak-cryptography", path, code)).toEqual(lines);
  });
});
