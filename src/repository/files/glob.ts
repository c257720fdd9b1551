/** More in a glob would let a short one keep its matcher busy for hours; nobody writes it. */
const MAX_WILDCARDS = 4;

/** Matches whole paths, by `*`, `**`, `?`, sets and escapes; undefined where it is no glob that anybody wrote. */
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
