import type { Output } from "../../contract/endpoint.ts";
import { iso } from "../../system/clock.ts";
import { type agentMemoryContract, KINDS } from "./contract.ts";
import type { MemoryProjection } from "./memory-projection.ts";

type Statistics = Output<typeof agentMemoryContract.stats>;

const MOST_LISTED = 20;

/** All but what is only counted. */
export function statisticsOf(
  projection: MemoryProjection,
  now: number,
): Omit<Statistics, "recalls" | "duplicatesMerged" | "echoes"> {
  const byKind = Object.fromEntries(KINDS.map((kind) => [kind, 0])) as Statistics["byKind"];
  const tags = new Map<string, number>();
  const keywords = new Map<string, number>();
  let [count, importance, bytes] = [0, 0, 0];
  let [oldest, newest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const memory of projection.all()) {
    const traits = projection.traitsOf(memory);
    if (traits.expiresAt <= now) continue;
    count++;
    importance += traits.importance;
    bytes += traits.contentBytes;
    byKind[traits.kind]++;
    for (const tag of traits.tags) tags.set(tag, (tags.get(tag) ?? 0) + 1);
    for (const keyword of traits.keywords) keywords.set(keyword, (keywords.get(keyword) ?? 0) + 1);
    oldest = Math.min(oldest, traits.at);
    newest = Math.max(newest, traits.at);
  }
  return {
    memories: count,
    byKind,
    byTag: mostFrequent(tags).map(([tag, count]) => ({ tag, count })),
    topKeywords: mostFrequent(keywords).map(([keyword, count]) => ({ keyword, count })),
    averageImportance: count > 0 ? Math.round((1000 * importance) / count) / 1000 : null,
    contentBytes: bytes,
    oldestAt: count > 0 ? iso(oldest) : null,
    newestAt: count > 0 ? iso(newest) : null,
  };
}

function mostFrequent(counts: ReadonlyMap<string, number>): [string, number][] {
  const names = [...counts].sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1));
  return names.slice(0, MOST_LISTED);
}
