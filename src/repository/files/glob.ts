/** Bounds backtracking: with more wildcards, even a short glob could keep its matcher busy for hours. */
const MAX_WILDCARDS = 4;

/**
 * Compiles a glob (`*`, `**`, `?`, sets, escapes) to a pattern for whole paths. Returns undefined if it is malformed or
 * has too many wildcards.
 */
export function globPattern(glob: string): RegExp | undefined {
  if ((glob.match(/\*+/g)?.length ?? 0) > MAX_WILDCARDS) return undefined;
  try {
    return new RegExp(`^${sourceOf(glob)}$`, "s");
  } catch {
    return undefined;
  }
}

function sourceOf(glob: string): string {
  return glob.replace(
    /^(?:\*\*\/)+|(?:\/\*\*)+\/|\/\*\*$|\*+|\?|\\(.)|\[!?[^\]/]+\]|[.+^${}()|[\]]/g,
    (part, escaped?: string) => {
      if (part.startsWith("**/")) return "(?:.*/)?";
      if (part.startsWith("/**")) return part.endsWith("/") ? "(?:/|/.*/)" : "/.*";
      if (part.startsWith("*")) return "[^/]*";
      if (part === "?") return "[^/]";
      if (escaped !== undefined) return escaped.replace(/\W/, "\\$&");
      if (part.length > 1) return part.replace(/^\[!/, "[^").replaceAll("\\", "\\\\");
      return `\\${part}`;
    },
  );
}
