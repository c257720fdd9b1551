import { posix } from "node:path";
import type { Repository } from "./repository.ts";

/**
 * Returns the known paths that a name may mean: the exact one, or else all that end with it. A link stands for the
 * file that it leads to.
 */
export function filesNamed(
  repository: Pick<Repository, "files" | "leftOut" | "edges" | "linked">,
  name: string,
  from = "",
): string[] {
  const { files, leftOut, linked } = repository;
  const known = new Set([...files.keys(), ...Object.values(leftOut).flat(), ...linked.keys()]);
  const fileAt = (path: string) => linked.get(path) ?? path;
  for (const { to } of repository.edges) known.add(to);
  // A backslash parts folders where people write it on Windows, and is a character of a name elsewhere.
  const spellings = [name, name.replaceAll("\\", "/")].map((each) => posix.normalize(each));
  for (const wanted of spellings)
    for (const exact of [posix.join(from, wanted), wanted]) if (known.has(exact)) return [fileAt(exact)];
  const tails = spellings.map((wanted) => `/${wanted.replace(/^(?:\.{0,2}\/)+/, "")}`);
  return [
    ...new Set([...known].filter((path) => tails.some((tail) => path.endsWith(tail))).map(fileAt)),
  ].sort();
}
