import { globPattern } from "./glob.ts";

/** Returns true if a path is ignored, false if a `!` line re-includes it, undefined if no line matches. */
export type Ignore = (path: string, isDirectory: boolean) => boolean | undefined;

interface Line {
  pattern: RegExp;
  isTakenBack: boolean;
  isForDirectories: boolean;
}

/** Parses the `.gitignore` (gitignore(5)) of the directory `prefix`. */
export function ignoreOf(text: string, prefix: string): Ignore {
  const lines = text.split(/\r?\n/).flatMap((line) => lineOf(line) ?? []);
  return (path, isDirectory) => {
    const inside = path.slice(prefix.length);
    const last = lines.findLast(
      ({ pattern, isForDirectories }) => (isDirectory || !isForDirectories) && pattern.test(inside),
    );
    return last && !last.isTakenBack;
  };
}

function lineOf(line: string): Line | undefined {
  const trimmed = line.replace(/(?<!\\)\s+$/, "");
  if (trimmed === "" || trimmed.startsWith("#")) return undefined;
  const isTakenBack = trimmed.startsWith("!");
  const isForDirectories = trimmed.endsWith("/");
  const glob = trimmed
    .slice(isTakenBack ? 1 : 0, isForDirectories ? -1 : undefined)
    .replace(/^\\([#!])/, "$1");
  const isAnchored = glob.includes("/");
  const pattern = globPattern(`${isAnchored ? "" : "**/"}${glob.replace(/^\//, "")}`);
  return pattern && { pattern, isTakenBack, isForDirectories };
}
