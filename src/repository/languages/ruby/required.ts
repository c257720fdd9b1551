import { posix } from "node:path";
import type { Import } from "../../facts.ts";
import { inAnyScript } from "../any-script.ts";

const REQUIRE = inAnyScript(
  /(?<![\w.@$:])(require|require_relative|load|autoload)\b(?![?!:=])[ \t]*\(?[ \t]*(?::\w+[ \t]*,[ \t\n]*)?/g,
);
const MAX_PATH = 4096;
/** Whether a path is a pattern, as for `Dir.glob`. */
export const IS_PATTERN = /[*?[]/;
/** Files that are required by a pattern: `Dir[…].sort.each { |file| require file }`, `Dir.glob(…).each(&method(:require))`. */
const DIRECTORY = inAnyScript(
  /(?<![\w.@$])(?:::)?(?:Dir(?:\[|\.glob\b[ \t]*\(?)|Rails\.root\.glob\()[ \t]*/g,
);
const EACH = inAnyScript(
  /[\s)\]]*(?:\.(?:sort|sort_by\(&:to_s\)|reverse|uniq|each|map)(?:\(\))?\s*)*(?:\(?&method\(:(?:require|load)\)|(?:\{|\bdo)\s*\|\w+\|\s*(?:require|load)(?:_relative|_dependency)?\b)/y,
);
const HERE = String.raw`(?:__dir__|(?:File\.expand_path\()?File\.dirname\(__FILE__\)\)?)`;
const STRINGS = String.raw`((?:" *"[ \t]*,?[ \t]*)+)`;
const FORMS: readonly { pattern: RegExp; isFrom: "path" | "directory" | "file" }[] = [
  { pattern: /(" *(?:\{Rails\.root\} *)?")/y, isFrom: "path" },
  { pattern: new RegExp(String.raw`(?:::)?Rails\.root\.join\(?[ \t]*${STRINGS}`, "y"), isFrom: "path" },
  { pattern: new RegExp(String.raw`(" *\{${HERE}\} *")`, "y"), isFrom: "directory" },
  { pattern: new RegExp(String.raw`${HERE}[ \t]*\+[ \t]*(" *")`, "y"), isFrom: "directory" },
  {
    pattern: new RegExp(String.raw`(?:::)?File\.join\(?[ \t]*${HERE}[ \t]*,[ \t]*${STRINGS}`, "y"),
    isFrom: "directory",
  },
  {
    pattern: new RegExp(String.raw`(?:::)?File\.expand_path\(?[ \t]*(" *")[ \t]*,[ \t]*${HERE}`, "y"),
    isFrom: "directory",
  },
  { pattern: /(?:::)?File\.expand_path\(?[ \t]*(" *")[ \t]*,[ \t]*__FILE__/y, isFrom: "file" },
];

/**
 * Returns what a file requires: a path to look up (`shop/cart`), or one from the file's own directory (`./cart`). Either may
 * be a pattern (`./cart/*.rb`).
 */
export function requiredIn(text: string, code: string): Import[] {
  const single = [...code.matchAll(REQUIRE)].flatMap((match) => {
    const found = pathAt(text, code, match.index + match[0].length);
    if (!found) return [];
    const isRelative = found.isRelative || match[1] === "require_relative" || /^\.\.?\//.test(found.path);
    return [{ module: isRelative ? `./${posix.normalize(found.path)}` : found.path }];
  });
  const several = [...code.matchAll(DIRECTORY)].flatMap((match) => {
    const found = pathAt(text, code, match.index + match[0].length);
    EACH.lastIndex = found?.end ?? code.length;
    if (!found || !IS_PATTERN.test(found.path) || !EACH.test(code)) return [];
    const path = posix.normalize(found.path);
    return [{ module: found.isRelative ? `./${path}` : path }];
  });
  return [...single, ...several];
}

/** Returns the path that an expression at a position gives: from the file's own directory if it is relative. */
function pathAt(
  text: string,
  code: string,
  position: number,
): { path: string; isRelative: boolean; end: number } | undefined {
  for (const { pattern, isFrom } of FORMS) {
    pattern.lastIndex = position;
    const found = pattern.exec(code);
    if (!found) continue;
    const [whole, quoted = ""] = found;
    const start = position + whole.lastIndexOf(quoted);
    const path = pathIn(text.slice(start, start + quoted.length));
    if (path === "" || path.length > MAX_PATH || path.includes("#{")) return undefined;
    // The file itself is the first directory that `..` leaves.
    const from = isFrom === "file" ? posix.join("file", path) : path;
    const isRelative = isFrom !== "path";
    return { path: isRelative ? posix.join(".", `./${from}`) : from, isRelative, end: pattern.lastIndex };
  }
  return undefined;
}

/** Joins the strings of a list of them; what names the directory itself is left out. */
function pathIn(strings: string): string {
  const parts = [...strings.matchAll(/["']([^"']*)["']/g)].map(([, part = ""]) => part);
  return parts.join("/").replace(/^#\{[^{}]*\}\//, "");
}
