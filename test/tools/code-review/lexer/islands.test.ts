import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../../../support/runs.ts";
import { findingsIn, fragmentOf } from "../cases.ts";

const known = (file: string) =>
  readFileSync(join(import.meta.dirname, "../known", file), "utf8")
    .split(/^---\n/m)
    .map((block) => block.trimEnd().split("\n").slice(1).join("\n"));

const PHP = known("languages/php.txt").filter((code) => code.startsWith("<?php ") && !code.includes("?>"));
/** Markup that would be misread as code. */
const MARKUP = ["<p>it's</p>", '<a title="', "<!-- /* -->", "// `", "#{ ( [ <<<EOT", "$x = $_GET['x'];", ""];

const told = (path: string, code: string, lines = 0) =>
  findingsIn(path, code)
    .filter(({ category }) => category === "security")
    .map(({ rule, line, severity }) => `${line - lines} ${rule} ${severity}`);

describe("code within markup", () => {
  it("has the same findings as alone, regardless of the markup around it", () => {
    expect(PHP.length).toBeGreaterThan(30);
    const around = fc.array(fc.constantFrom(...MARKUP), { maxLength: 4 });
    fc.assert(
      fc.property(fc.constantFrom(...PHP), around, around, (code, before, behind) => {
        const page = [...before, code, "?>", ...behind].join("\n");
        expect(told("a.php", page, before.length)).toEqual(told("a.php", code));
      }),
      { numRuns: runs(100) },
    );
  });

  it("has the same findings in a script element as in a script file", () => {
    const script =
      "const { exec } = require('child_process');\nconst list = (d) => exec(`ls ${d}`);\neval(location.hash);";
    const page = `<p>it's</p>\n<script>\n${script}\n</script>\n<p title="`;
    expect(told("a.ts", script).length).toBeGreaterThan(1);
    for (const name of ["a.html", "A.vue", "a.svelte", "a.hbs"])
      expect(told(name, page, 2)).toEqual(told("a.ts", script));
  });

  it("has tokens with their lines and columns in the page", () => {
    const { tokens, comments } = fragmentOf(
      "a.php",
      "<b>it's</b>\n<?= $a ?>it's<?php f(1) // it's ?>\n<p>g(2)",
    );
    expect(tokens.map(({ text, line, column }) => `${text} ${line}:${column}`)).toEqual([
      "echo 1:0",
      "$a 1:4",
      "; 1:7",
      "f 1:19",
      "( 1:20",
      "1 1:21",
      ") 1:22",
      "; 1:32",
    ]);
    expect(comments.map(({ text }) => text)).toEqual([" it's "]);
  });

  it("is read in time even with many unclosed tags", () => {
    for (const mark of ["<?", "<?=", "<?php ", "?>", "<?= 1 ?>"]) {
      const page = `<p>\n${mark.repeat(100_000 / mark.length)}`;
      expect(fragmentOf("a.php", page).lines).toHaveLength(2);
    }
    expect(findingsIn("a.html", `<script ${"<script a".repeat(20_000)}`)).toEqual([]);
  });
});
