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
  const wanted = posix.normalize(name.replaceAll("\\", "/"));
  for (const exact of [posix.join(from, wanted), wanted]) if (known.has(exact)) return [fileAt(exact)];
  const tail = `/${wanted.replace(/^(?:\.{0,2}\/)+/, "")}`;
  return [...new Set([...known].filter((path) => path.endsWith(tail)).map(fileAt))].sort();
}
