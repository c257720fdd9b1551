import { posix } from "node:path";
import type { Repository } from "./repository.ts";

/** Returns the known paths that a name may mean: the exact one, or else all that end with it. */
export function filesNamed(
  repository: Pick<Repository, "files" | "leftOut" | "edges">,
  name: string,
  from = "",
): string[] {
  const known = new Set([...repository.files.keys(), ...Object.values(repository.leftOut).flat()]);
  for (const { to } of repository.edges) known.add(to);
  const wanted = posix.normalize(name.replaceAll("\\", "/"));
  for (const exact of [posix.join(from, wanted), wanted]) if (known.has(exact)) return [exact];
  const tail = `/${wanted.replace(/^(?:\.{0,2}\/)+/, "")}`;
  return [...known].filter((path) => path.endsWith(tail)).sort();
}
