import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { review } from "../../../src/tools/code-review/review.ts";
import { runs } from "../../support/runs.ts";
import { added } from "./cases.ts";
import { hardLines, LENGTH, writtenExpressions } from "./support/hard-lines.ts";

/** File names of each language and of its variants. */
const PATHS = [
  "a.ts",
  "a.py",
  "a.go",
  "A.java",
  "a.rb",
  "a.php",
  "a.c",
  "a.cpp",
  "A.cs",
  "a.rs",
  "a.sh",
  "a.yml",
  "a.html",
  "a.vue",
  "a.swift",
  "a.kt",
  "a.tf",
  "a.txt",
  "Dockerfile",
];

describe("execution time", () => {
  it("is bounded for every regular expression on lines that are hard to match", () => {
    const expressions = writtenExpressions();
    expect(expressions.length).toBeGreaterThan(400);
    for (const expression of expressions) for (const line of hardLines(expression)) expression.test(line);
  });

  it.each(PATHS)(
    "is bounded for a review of one long line in %s",
    (path) => {
      const lines = [
        "a = b + ",
        "/[",
        "=/[a]",
        "f(",
        '"a" + ',
        "x.y.",
        "password=",
        "SELECT a FROM b ",
        "<a href=",
        "`${",
        "{a: [",
        "curl ",
        "a, ",
        "<?= $_GET[1] ?>",
        "</script><script>",
        'format!("{a}", ',
        "(int) (",
        "b.parse(SAXParserFactory.newInstance()); ",
        "with a(b) as c, ",
      ];
      for (const piece of lines) {
        const diff = added(path, piece.repeat(LENGTH / piece.length));
        expect(review({ diff }).summary.addedLines).toBe(1);
      }
    },
    120_000,
  );
});

it("review() does not fail on an arbitrary diff and reports places within it", () => {
  const piece = fc.constantFrom(
    ...'eval( exec(`${ req.query } innerHTML = SELECT from where \' " \\ { [ ( ) ] => , : ; = await crypto.createHash md5 password AKIA os.system( %s f" import as require #{ <% %> /* // # verify = False tls rsa GenerateKey 1024 .append( \n \n\t catch (e) {} debugger it.only('.split(
      " ",
    ),
    "\n",
    " ",
  );
  const path = fc.constantFrom(...PATHS);
  fc.assert(
    fc.property(
      fc.array(fc.oneof({ weight: 4, arbitrary: piece }, fc.string({ maxLength: 6 })), { maxLength: 80 }),
      path,
      (pieces, path) => {
        const text = pieces.join(" ").replace(/\r/g, "");
        const lines = text.split("\n");
        for (const { line, column } of review({ diff: added(path, text) }).findings) {
          expect(line).toBeLessThanOrEqual(lines.length);
          expect(column).toBeLessThanOrEqual((lines[line - 1] as string).length + 1);
        }
      },
    ),
    { numRuns: runs(100) },
  );
});
