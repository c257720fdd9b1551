import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { review } from "../../../../src/tools/code-review/review.ts";
import { added } from "../cases.ts";

const FOLDER = join(import.meta.dirname, "surroundings");
/** What surrounds a use of a value: `USE(request.args["name"])`. */
const USE = /(?<![\w.])USE\(((?:[^()]|\((?:[^()]|\([^()]*\))*\))*)\)/g;

/**
 * Reads, for each language, imports, lines with a rule and code that does harm with a VALUE, and what may surround a use
 * of a value that a client sends, and of one that is settled.
 */
const LANGUAGES = readdirSync(FOLDER).map((file) => {
  const [head = "", uses = "", sent = "", settled = ""] = readFileSync(join(FOLDER, file), "utf8").split(
    /^---\n/m,
  );
  return {
    path: file.replace(/\.txt$/, ""),
    head,
    uses: uses.trimEnd().split("\n"),
    sent: sent.trimEnd().split("\n\n"),
    settled: settled.trimEnd().split("\n\n"),
  };
});

/** Returns the uses, each in one of the surroundings, of which a rule says something else than it must. */
function wrong(
  { path, head, uses }: (typeof LANGUAGES)[number],
  surroundings: readonly string[],
  must: boolean,
): string[] {
  return surroundings.flatMap((surrounding) =>
    uses.flatMap((use) => {
      const [rule = ""] = use.split(" ", 1);
      const harm = use.slice(rule.length + 1);
      const code = head + surrounding.replace(USE, (_, value) => harm.replace("VALUE", () => value));
      const { findings } = review({ diff: added(path, code), rules: { only: [rule as "sql-injection"] } });
      const found = findings.some(({ severity }) => !must || severity !== "info");
      return found === must ? [] : [code];
    }),
  );
}

describe.each(LANGUAGES)("in $path, whatever it is used for, a value", (language) => {
  it("that a client sends is followed through what surrounds its use", () => {
    expect(language.sent.length).toBeGreaterThan(15);
    expect(wrong(language, language.sent, true)).toEqual([]);
  });

  it("that is one of the program's own, or was checked, does no harm", () => {
    expect(language.settled.length).toBeGreaterThan(5);
    expect(wrong(language, language.settled, false)).toEqual([]);
  });
});
