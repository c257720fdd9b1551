import { iso } from "../../../system/clock.ts";
import { KINDS } from "../memory.ts";
import type { Statistics } from "./memory-kind.ts";
import type { MemoryProjection } from "./memory-projection.ts";

const MAX_LISTED = 20;

/** Returns the statistics without those that are counters. */
export function statisticsOf(projection: MemoryProjection): Statistics {
  const { count, kinds, tags, keywords, agents, conversations } = projection;
  let [importance, contentBytes] = [0, 0];
  let [oldest, newest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const memory of projection.all()) {
    const traits = projection.traitsOf(memory);
    importance += traits.importance;
    contentBytes += traits.contentBytes;
    oldest = Math.min(oldest, traits.at);
    newest = Math.max(newest, traits.at);
  }
  return {
    memories: count,
    byKind: Object.fromEntries(KINDS.map((kind) => [kind, kinds.of(kind)])) as Statistics["byKind"],
    byTag: tags.top(MAX_LISTED).map(([tag, count]) => ({ tag, count })),
    byAgent: agents.top(MAX_LISTED).map(([agent, count]) => ({ agent, count })),
    byThread: conversations.top(MAX_LISTED).map(([thread, count]) => ({ thread, count })),
    topKeywords: keywords.top(MAX_LISTED).map(([keyword, count]) => ({ keyword, count })),
    averageImportance: count > 0 ? Math.round((1000 * importance) / count) / 1000 : null,
    contentBytes,
    oldestAt: count > 0 ? iso(oldest) : null,
    newestAt: count > 0 ? iso(newest) : null,
    ...(projection.isPartial && { partial: true as const }),
  };
}
