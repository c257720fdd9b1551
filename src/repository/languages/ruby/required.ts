import { posix } from "node:path";
import type { Import } from "../../facts.ts";
import { inAnyScript } from "../any-script.ts";

const REQUIRE = inAnyScript(
  /(?<![\w.@$:])(require|require_relative|load|autoload)\b(?![?!:=])[ \t]*\(?[ \t]*(?::\w+[ \t]*,[ \t\n]*)?/g,
);
const MAX_PATH = 4096;
const HERE = String.raw`(?:__dir__|File\.dirname\(__FILE__\))`;
const FORMS: readonly { pattern: RegExp; isFrom: "path" | "directory" | "file" }[] = [
  { pattern: /(" *")/y, isFrom: "path" },
  { pattern: /(" *\{__dir__\} *")/y, isFrom: "directory" },
  {
    pattern: new RegExp(
      String.raw`(?:::)?File\.join\(?[ \t]*${HERE}[ \t]*,[ \t]*((?:" *"[ \t]*,?[ \t]*)+)`,
      "y",
    ),
    isFrom: "directory",
  },
  {
    pattern: new RegExp(String.raw`(?:::)?File\.expand_path\(?[ \t]*(" *")[ \t]*,[ \t]*${HERE}`, "y"),
    isFrom: "directory",
  },
  { pattern: /(?:::)?File\.expand_path\(?[ \t]*(" *")[ \t]*,[ \t]*__FILE__/y, isFrom: "file" },
];

/** Returns what a file requires: a path to look up (`shop/cart`), or one from the file's own directory (`./cart`). */
export function requiredIn(text: string, code: string): Import[] {
  return [...code.matchAll(REQUIRE)].flatMap((match) => {
    const position = match.index + match[0].length;
    for (const { pattern, isFrom } of FORMS) {
      pattern.lastIndex = position;
      const found = pattern.exec(code);
      if (!found) continue;
      const [whole, quoted = ""] = found;
      const start = position + whole.indexOf(quoted);
      const path = pathIn(text.slice(start, start + quoted.length));
      if (path === "" || path.length > MAX_PATH || path.includes("#{")) return [];
      const isRelative = isFrom !== "path" || match[1] === "require_relative" || /^\.\.?\//.test(path);
      // The file itself is the first directory that `..` leaves.
      const from = isFrom === "file" ? posix.join("file", path) : path;
      return { module: isRelative ? `./${posix.join(".", `./${from}`)}` : path };
    }
    return [];
  });
}

/** Joins the strings of a list of them; what names the directory itself is left out. */
function pathIn(strings: string): string {
  const parts = [...strings.matchAll(/["']([^"']*)["']/g)].map(([, part = ""]) => part);
  return parts.join("/").replace(/^#\{__dir__\}\//, "");
}
