import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { review } from "../../../../src/tools/code-review/review.ts";
import { added } from "../cases.ts";

const FOLDER = join(import.meta.dirname, "unchanging");

/**
 * For each language, code that takes a value from a request, code that runs it as a command, and statements, parted by
 * empty lines, that may stand between them and leave the value what it is.
 */
const LANGUAGES = readdirSync(FOLDER).map((file) => {
  const [before = "", after = "", statements = ""] = readFileSync(join(FOLDER, file), "utf8").split("---\n");
  return { path: file.replace(/\.txt$/, ""), before, after, statements: statements.trimEnd().split("\n\n") };
});

describe("a value that a client sends", () => {
  it.each(LANGUAGES)(
    "stays what it is behind statements that do not change it, in $path",
    ({ path, before, after, statements }) => {
      expect(statements.length).toBeGreaterThan(30);
      const lost = statements.filter((statement) => {
        const { findings } = review({ diff: added(path, `${before}${statement}\n${after}`) });
        return !findings.some(({ rule, severity }) => rule === "command-injection" && severity === "error");
      });
      expect(lost).toEqual([]);
    },
  );
});
