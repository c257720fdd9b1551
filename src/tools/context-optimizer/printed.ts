import type { Segment } from "./contract.ts";
import type { WholePiece } from "./retrieval/whole-pieces.ts";
import type { Unit } from "./units.ts";

/** How units are printed, with or without a line above each piece that gives its location. */
export interface Printed {
  text(kept: ReadonlySet<number>): string;
  segmentOf(unit: number): number;
  /**
   * Returns the heading that a unit would get if it were kept, too; empty if it continues below another.
   *
   * @param named segments of which something is kept.
   */
  headingOf(unit: number, kept: ReadonlySet<number>, named: ReadonlySet<number>): string;
}

/**
 * Creates a printer. Pieces with line numbers have these in their headings, `==> a.ts:3-17 <==`. Otherwise there is one
 * heading for each segment.
 */
export function printed(
  units: readonly (Pick<Unit, "text" | "segment"> | WholePiece)[],
  segments: readonly Pick<Segment, "id">[],
  headings: boolean,
): Printed {
  const segmentOf = (unit: number) => (units[unit] as Pick<Unit, "segment">).segment;
  const idOf = (unit: number) => (segments[segmentOf(unit)] as Pick<Segment, "id">).id;
  const linesOf = (unit: number) => {
    const one = units[unit] as (typeof units)[number];
    return "from" in one ? one : undefined;
  };
  const follows = (unit: number, kept: ReadonlySet<number>) =>
    kept.has(unit - 1) && segmentOf(unit - 1) === segmentOf(unit);

  function text(kept: ReadonlySet<number>): string {
    let all = "";
    let segment: number | undefined;
    for (const [unit, { text, segment: own }] of units.entries()) {
      if (!kept.has(unit)) continue;
      const opens = headings && (linesOf(unit) ? !follows(unit, kept) : own !== segment);
      if (opens) {
        const begun = all === "" || all.endsWith("\n") ? all : `${all}\n`;
        all = `${begun}${begun === "" ? "" : "\n"}${headingAt(unit, lastOf(unit, kept))}`;
      }
      all += text;
      segment = own;
    }
    return all;
  }

  /** Returns the last unit of the run of kept units that begins with one. */
  function lastOf(unit: number, kept: ReadonlySet<number>): number {
    let last = unit;
    while (kept.has(last + 1) && follows(last + 1, kept)) last++;
    return last;
  }

  function headingAt(unit: number, last: number): string {
    const lines = linesOf(unit);
    const to = linesOf(last)?.to;
    // A name of several lines could pass for text of another file.
    const id = idOf(unit).replace(/[\r\n]+/g, " ");
    return `==> ${id}${lines ? `:${lines.from + 1}-${to}` : ""} <==\n`;
  }

  return {
    text,
    segmentOf,
    headingOf(unit, kept, named) {
      if (!headings || follows(unit, kept)) return "";
      return !linesOf(unit) && named.has(segmentOf(unit)) ? "" : `\n${headingAt(unit, unit)}`;
    },
  };
}
