import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { review } from "../../../../src/tools/code-review/review.ts";
import { added } from "../cases.ts";

/**
 * Reads, for each language, code that takes a value from a request, code that runs it as a command, and statements,
 * parted by empty lines, that may stand between them.
 */
function languagesIn(folder: string) {
  const path = join(import.meta.dirname, folder);
  return readdirSync(path).map((file) => {
    const [before = "", after = "", statements = ""] = readFileSync(join(path, file), "utf8").split("---\n");
    return {
      path: file.replace(/\.txt$/, ""),
      before,
      after,
      statements: statements.trimEnd().split("\n\n"),
    };
  });
}

/** Returns how severe it is that the value is run as a command. */
function severities(path: string, code: string): string[] {
  const { findings } = review({ diff: added(path, code) });
  return findings.flatMap(({ rule, severity }) => (rule === "command-injection" ? [severity] : []));
}

describe("a value that a client sends", () => {
  it.each(languagesIn("unchanging"))(
    "stays what it is behind statements that do not change it, in $path",
    ({ path, before, after, statements }) => {
      expect(statements.length).toBeGreaterThan(30);
      const lost = statements.filter(
        (statement) => !severities(path, `${before}${statement}\n${after}`).includes("error"),
      );
      expect(lost).toEqual([]);
    },
  );

  it.each(languagesIn("settling"))(
    "does no harm behind statements that replace or check it, in $path",
    ({ path, before, after, statements }) => {
      expect(severities(path, `${before}${after}`)).toEqual(["error"]);
      const kept = statements.filter(
        (statement) => severities(path, `${before}${statement}\n${after}`).length > 0,
      );
      expect(kept).toEqual([]);
    },
  );
});
