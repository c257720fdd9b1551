export interface Mentions {
  /** By file, how the query names it. */
  mentions: readonly ReadonlySet<string>[];
  /** By file, the lines that the query names, as stack traces and compilers do. */
  lines: ReadonlyMap<number, readonly number[]>;
}

/** Matches `src/a.ts:12:5`, `src/a.ts(12,5)`, `File "a.py", line 12`, or a path alone. */
const PLACE = /([\w./\\@~-]*[\w-]\.[A-Za-z][\w]{0,9})(?:(?:["']?, line |:|\()(\d{1,7}))?/g;
/** A name shared by more files is ignored. */
const MAX_SHARED = 5;

/** Finds the files that a text names, by any tail of their path, and the lines in them. */
export function mentionsIn(text: string, files: readonly string[]): Mentions {
  const byName = new Map<string, number[]>();
  for (const [file, path] of files.entries()) {
    const name = basename(path);
    const known = byName.get(name);
    if (known) known.push(file);
    else byName.set(name, [file]);
  }
  const mentions: Set<string>[] = files.map(() => new Set());
  const lines = new Map<number, number[]>();
  for (const [, place = "", line] of text.matchAll(PLACE)) {
    const named = place.replaceAll("\\", "/").toLowerCase();
    const candidates = byName.get(basename(named)) ?? [];
    const fitting = candidates.filter((file) => tailsAgree((files[file] as string).toLowerCase(), named));
    if (fitting.length > MAX_SHARED) continue;
    for (const file of fitting) {
      (mentions[file] as Set<string>).add(line === undefined ? place : `${place}:${line}`);
      if (line !== undefined) lines.set(file, [...(lines.get(file) ?? []), Number(line)]);
    }
  }
  return { mentions, lines };
}

/** Whether one of two paths is a tail of the other: a trace names files by where they were installed. */
function tailsAgree(path: string, named: string): boolean {
  return path === named || path.endsWith(`/${named}`) || named.endsWith(`/${path}`);
}

function basename(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1).toLowerCase();
}
