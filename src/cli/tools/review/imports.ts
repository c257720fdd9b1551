import { listFiles } from "../../../repository/files/list-files.ts";
import { type Reader, textOf } from "../../../repository/files/read-file.ts";

interface Sources {
  /** The directory that all paths are relative to, and the files that are reviewed. */
  top: string;
  paths: readonly string[];
  reader: Reader;
  signal: AbortSignal;
}

interface Found {
  /** Where imports lead, by file and by what is written there. */
  imports: Record<string, Record<string, string>>;
  /** The files that they lead to and that are not reviewed themselves, the nearest first. */
  imported: string[];
}

/** How far imports are followed: to what a file imports, and what that imports. */
const DEEPEST = 2;
/** The most files beyond those reviewed whose imports are followed: a review of many files stays a matter of seconds. */
const MAX_BEYOND = 200;
/** The most characters of all imports together. */
const MAX_LENGTH = 2 << 20;

/** Finds the files that others import, so that a review can follow values into their functions. */
export async function importsOf({ top, paths, reader, signal }: Sources): Promise<Found> {
  const listed = await listFiles(top, signal).catch(() => undefined);
  signal.throwIfAborted();
  const imports: Found["imports"] = {};
  const known = new Set(paths);
  const reviewed = known.size;
  const found = () => ({ imports, imported: [...known].slice(reviewed) });
  if (!listed) return found();
  const { openImports } = await import("../../../repository/imports.ts");
  const leadsOf = openImports({
    paths: new Set(listed.paths),
    text: (path) => {
      const contents = reader.contents(path);
      return contents && textOf(contents);
    },
  });
  let length = 0;
  let from: readonly string[] = paths;
  for (let depth = 0; depth < DEEPEST; depth++) {
    const next: string[] = [];
    for (const path of from) {
      const leads = leadsOf(path);
      if (leads.size === 0) continue;
      for (const [as, to] of leads) length += as.length + to.length;
      if (length > MAX_LENGTH) return found();
      imports[path] = Object.fromEntries(leads);
      for (const to of leads.values()) {
        if (!known.has(to)) next.push(to);
        known.add(to);
      }
    }
    from = next.slice(0, MAX_BEYOND);
  }
  return found();
}
