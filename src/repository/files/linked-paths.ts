import { posix } from "node:path";
import { firstIndex } from "../../system/binary-search.ts";

/** Paths by way of links that are added at most: a link to a directory adds one for each of its files. */
const MAX_LINKED = 20_000;
/** How many links may lead from one to the next. */
const MAX_CHAIN = 8;

/**
 * Returns the paths that links add for files of the repository itself, each with the path of the file. No file is
 * read by way of a link; but what imports `link.ts` depends on the file that it leads to. `targetOf` returns what
 * is written in a link.
 */
export function linkedPaths(
  links: readonly string[],
  existing: ReadonlySet<string>,
  targetOf: (link: string) => string | undefined,
): Map<string, string> {
  const found = new Map<string, string>();
  const leads = new Map<string, string>();
  for (const link of links) {
    const target = targetOf(link)?.replace(/\/$/, "");
    if (!target || posix.isAbsolute(target)) continue;
    const path = posix.normalize(posix.join(posix.dirname(link), target));
    if (path !== "." && !path.startsWith("..")) leads.set(link, path);
  }
  const directories = new Map<string, string>();
  for (const [link, next] of leads) {
    let path = next;
    for (let step = 0; step < MAX_CHAIN && leads.has(path); step++) path = leads.get(path) as string;
    if (existing.has(path)) found.set(link, path);
    else directories.set(link, `${path}/`);
  }
  if (directories.size === 0) return found;
  const sorted = [...existing].sort();
  for (const [link, directory] of directories)
    for (let at = firstIndex(sorted, (path) => path >= directory); sorted[at]?.startsWith(directory); at++) {
      if (found.size >= MAX_LINKED) return found;
      const path = sorted[at] as string;
      found.set(`${link}/${path.slice(directory.length)}`, path);
    }
  return found;
}
