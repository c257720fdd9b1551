import type { ToolUse } from "../contract.ts";
import { type CallOutcome, DURATIONS_MS } from "./call-counters.ts";

interface Counted {
  tool: string;
  outcome: CallOutcome;
  /** Index of the duration's bucket in `DURATIONS_MS`. */
  duration: number;
  count: number;
}

/** Returns the calls of each tool, the most called first. */
export function toolUses(counted: readonly Counted[]): ToolUse[] {
  const tools = grouped(counted);
  return [...tools]
    .map(([tool, calls]) => ({
      tool,
      calls: sum(calls),
      errors: sum(calls.filter(({ outcome }) => outcome === "error")),
      failed: sum(calls.filter(({ outcome }) => outcome === "failed")),
      cancelled: sum(calls.filter(({ outcome }) => outcome === "cancelled")),
      refused: sum(calls.filter(({ outcome }) => outcome === "refused")),
      p95Ms: percentile(calls.filter(({ outcome }) => outcome !== "refused")),
    }))
    .sort((left, right) => right.calls - left.calls || left.tool.localeCompare(right.tool));
}

function grouped(counted: readonly Counted[]): Map<string, Counted[]> {
  const tools = new Map<string, Counted[]>();
  for (const each of counted) tools.set(each.tool, [...(tools.get(each.tool) ?? []), each]);
  return tools;
}

function sum(counted: readonly Counted[]): number {
  return counted.reduce((total, { count }) => total + count, 0);
}

/** Returns the upper bound of the bucket that contains the 95th percentile; null if it is above all bounds. */
function percentile(answered: readonly Counted[]): number | null {
  const rank = Math.ceil(0.95 * sum(answered));
  let reached = 0;
  for (const [place, most] of DURATIONS_MS.entries()) {
    reached += sum(answered.filter(({ duration }) => duration === place));
    if (reached >= rank && rank > 0) return most;
  }
  return null;
}
