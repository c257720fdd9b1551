import { FlattenMap, originalPositionFor, sourceContentFor } from "@jridgewell/trace-mapping";
import type { SourceMap } from "./source-map.ts";

/** A place in the output of a bundler. Lines and columns count from 1, as in stacks. */
export interface Place {
  line: number;
  column: number;
}

/** A place in a bundled program, and the debug id of that program. */
export interface MinifiedPlace extends Place {
  debugId: string;
}

/** The corresponding place in the sources. */
export interface Original extends Place {
  file: string;
  /** Name of what is called at the place, if the map has it: the function of the next inner call. */
  name?: string;
  source?: { from: number; lines: string[] };
}

const AROUND = 5;
const MAX_LINE = 300;
const MAX_TEXT = 500;

/** Returns the original of each place, or null if the map has none. */
export function originalsOf(map: SourceMap, places: readonly Place[]): (Original | null)[] {
  const traced = FlattenMap(map as never);
  const linesOf = new Map<string, string[]>();
  return places.map(({ line, column }) => {
    if (line < 1 || column < 1) return null;
    const found = originalPositionFor(traced, { line, column: column - 1 });
    // A source that the map does not name is empty.
    if (!found.source) return null;
    const { source: file, name } = found;
    const content = sourceContentFor(traced, file);
    if (content !== null && !linesOf.has(file)) linesOf.set(file, content.split("\n"));
    const lines = linesOf.get(file);
    return {
      file: plain(file),
      line: found.line,
      column: found.column + 1,
      ...(typeof name === "string" && { name: plain(name) }),
      ...(lines && { source: around(lines, found.line) }),
    };
  });
}

function around(lines: readonly string[], line: number): { from: number; lines: string[] } {
  const first = Math.max(0, line - 1 - AROUND);
  return {
    from: first + 1,
    lines: lines.slice(first, line + AROUND).map((text) => text.slice(0, MAX_LINE).toWellFormed()),
  };
}

/** Makes a printable line: control characters become spaces. */
function plain(text: string): string {
  return text
    .slice(0, MAX_TEXT)
    .toWellFormed()
    .replace(/\p{Cc}/gu, " ");
}
