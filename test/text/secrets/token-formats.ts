import { readFileSync } from "node:fs";
import { join } from "node:path";
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

/** A token of each listed format and beginning, and its shortest form. */
export const tokens = readFileSync(join(import.meta.dirname, "token-formats.txt"), "utf8")
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
