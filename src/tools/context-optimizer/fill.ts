import type { Tokenizer } from "../../text/tokens/tokenizer.ts";
import type { Printed } from "./printed.ts";

const MAX_ROUNDS = 8;

/**
 * Adds the first units of `order` that fit, then smaller ones that still fit. Tokens may merge or split where pieces
 * meet, so the joined text is counted until it is known to fit.
 *
 * @param fixed units that are always kept; they are known to fit.
 */
export function fill(
  { text, segmentOf, headingOf }: Printed,
  costs: readonly number[],
  order: readonly number[],
  fixed: ReadonlySet<number>,
  budget: number,
  { count }: Tokenizer,
): Set<number> {
  const kept = new Set(fixed);
  const named = new Set([...kept].map(segmentOf));
  const added: number[] = [];
  const total = () => count(text(kept));
  let left = budget - total();
  for (let round = 0; round < MAX_ROUNDS; round++) {
    let more = 0;
    for (const unit of order) {
      const own = costs[unit] as number;
      if (own > left || kept.has(unit)) continue;
      const heading = headingOf(unit, kept, named);
      const cost = heading === "" ? own : own + count(heading);
      if (cost > left) continue;
      kept.add(unit);
      named.add(segmentOf(unit));
      added.push(unit);
      left -= cost;
      more++;
    }
    if (more === 0) break;
    left = budget - total();
  }
  while (left < 0 && added.length > 0) {
    for (let excess = -left; excess > 0 && added.length > 0; ) {
      const unit = added.pop() as number;
      kept.delete(unit);
      excess -= Math.max(1, costs[unit] as number);
    }
    left = budget - total();
  }
  return kept;
}
