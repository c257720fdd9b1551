import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { knownTokens } from "../../../src/text/secrets/known-tokens.ts";
import { generated } from "../../tools/code-review/rules/tokens.ts";

const DIGITS = "0123456789";
const LOWER = "abcdefghijklmnopqrstuvwxyz";
const UPPER = LOWER.toUpperCase();
const ALPHABETS: Record<string, string> = {
  a: DIGITS + UPPER + LOWER,
  l: DIGITS + LOWER,
  u: DIGITS + UPPER,
  c: UPPER + LOWER,
  z: LOWER,
  h: `${DIGITS}abcdef`,
  d: DIGITS,
};

/** Generates text of a shape: `h8 - d2` is eight hexadecimal digits, a hyphen and two digits. */
function written(shape: string): string {
  const parts = shape.split(" ").map((part, seed) => {
    const [, alphabet, length] = /^([aluczhd])(\d+)$/.exec(part) ?? [];
    return alphabet ? generated(Number(length), ALPHABETS[alphabet] as string, seed + 7) : part;
  });
  return parts.join("");
}

const tokens = readFileSync(join(import.meta.dirname, "token-formats.txt"), "utf8")
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"))
  .flatMap((line) => {
    const [issuer = "", prefixes = "", shape = ""] = line.split("|").map((cell) => cell.trim());
    const shortest = shape.replace(/ \S+\?$/, "");
    const what = issuer.startsWith("JSON") ? `a ${issuer}` : `a credential of ${issuer}`;
    return prefixes.split(" ").map((prefix) => ({
      what,
      prefix,
      whole: prefix + written(shape.replace("?", "")),
      shortest: prefix + written(shortest),
    }));
  });

describe("knownTokens() with every listed token format", () => {
  it("finds the whole token anywhere in a line and names its issuer", () => {
    for (const { whole, shortest, what } of tokens) {
      for (const text of [whole, shortest]) {
        for (const before of ["", "key = '", "https://"]) {
          expect(knownTokens(`${before}${text}' and more`)).toEqual([{ column: before.length, text, what }]);
        }
      }
    }
  });

  it("finds no token if a character is missing", () => {
    // Without a character, these are still tokens of a shorter form.
    const long = tokens.filter(({ prefix }) => !/^EAACE|^xoxe/.test(prefix));
    const known = long.filter(({ shortest, what }) =>
      knownTokens(shortest.slice(0, -1)).some((token) => token.what === what),
    );
    expect(known).toEqual([]);
  });

  it("finds no token within a word", () => {
    // These begin with names of settings and hosts, which other letters may precede.
    const words = tokens.filter(({ prefix }) => !/^outlook|Key=$/.test(prefix));
    const known = words.filter(({ whole }) => knownTokens(`x${whole}`).some(({ column }) => column === 1));
    expect(known).toEqual([]);
  });
});
