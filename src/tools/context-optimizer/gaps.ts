import type { Redundancy } from "./relevance/redundancy.ts";
import type { Unit } from "./units.ts";

/** Consecutive units dropped from a segment for the same reason. */
export interface Gap {
  segment: number;
  text: string;
  reason: Redundancy | "less_relevant";
  preview: string;
}

const MAX_GAPS = 500;
const PREVIEW = 80;

/** Returns the gaps in order; if there are very many, only the longest by the costs of their units. */
export function gapsOf(
  units: readonly Unit[],
  costs: readonly number[],
  kept: ReadonlySet<number>,
  redundancies: readonly (Redundancy | undefined)[],
): Gap[] {
  const gaps: (Gap & { cost: number })[] = [];
  let open: (typeof gaps)[number] | undefined;
  for (const [index, { segment, text }] of units.entries()) {
    if (kept.has(index)) {
      open = undefined;
      continue;
    }
    const reason = redundancies[index] ?? "less_relevant";
    if (open?.segment !== segment || open.reason !== reason) {
      open = { segment, text: "", cost: 0, reason, preview: previewOf(text) };
      gaps.push(open);
    }
    open.text += text;
    open.cost += costs[index] as number;
  }
  if (gaps.length <= MAX_GAPS) return gaps;
  const longest = new Set([...gaps].sort((a, b) => b.cost - a.cost).slice(0, MAX_GAPS));
  return gaps.filter((gap) => longest.has(gap));
}

function previewOf(text: string): string {
  const line = text.trim().replace(/\s+/g, " ");
  const characters = [...line.slice(0, 2 * PREVIEW)];
  return characters.length > PREVIEW ? `${characters.slice(0, PREVIEW - 1).join("")}…` : line;
}
