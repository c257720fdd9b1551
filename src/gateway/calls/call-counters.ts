import { bucketName } from "../../metering/usage/buckets.ts";
import { GLOBAL, projectSpace, type Transaction } from "../../store/store.ts";

/** How a call ended. */
export type CallOutcome = "ok" | "error" | "failed" | "cancelled" | "refused" | "input";

export interface CountedCall {
  upstream: string;
  /** A name that the upstream listed, or `UNLISTED`. */
  tool: string;
  accountId: string;
  projectId: string;
  /** Id of the key, or of the user. */
  who: string;
  outcome: CallOutcome;
  /** Duration until the end of the answer. */
  ms: number;
  /** Milliseconds since the epoch. */
  at: number;
}

/** Counts all tools that the upstream never listed, so that names invented by clients create no counters. */
export const UNLISTED = "(unlisted)";

/** Upper bounds of the histogram's buckets in milliseconds. One more bucket holds longer calls. */
export const DURATIONS_MS = [5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000, 30_000, 60_000] as const;

/** In GLOBAL, as `2026-11/github/search/ok/4`: calls by tool, outcome and bucket of the duration. */
const BY_TOOL = "mcp_tool_months";
/** In GLOBAL, as `2026-11/github/acc_…`: calls by account. */
const BY_ACCOUNT = "mcp_account_months";
/** In the project's space, as `2026-11/github/search/key_…`: calls by tool and caller. */
export const BY_CALLER = "mcp_caller_months";

export async function countCall(tx: Transaction, call: CountedCall): Promise<void> {
  const { upstream, accountId, projectId, who, outcome, ms, at } = call;
  const month = bucketName("month", at);
  const tool = encodeURIComponent(call.tool);
  const place = DURATIONS_MS.findIndex((most) => ms <= most);
  const duration = place < 0 ? DURATIONS_MS.length : place;
  await Promise.all([
    tx.increment(BY_TOOL, GLOBAL, `${month}/${upstream}/${tool}/${outcome}/${duration}`, 1),
    tx.increment(BY_ACCOUNT, GLOBAL, `${month}/${upstream}/${accountId}`, 1),
    tx.increment(BY_CALLER, projectSpace(accountId, projectId), `${month}/${upstream}/${tool}/${who}`, 1),
  ]);
}

/** Returns the range of ids with a prefix that ends with a slash. */
export function under(prefix: string): { from: string; to: string } {
  return { from: prefix, to: `${prefix.slice(0, -1)}0` };
}

/** Returns the counts of one month, such as `2026-11`. */
export async function callsByTool(tx: Transaction, month: string, upstream: string) {
  const counts = await tx.counts(BY_TOOL, GLOBAL, under(`${month}/${upstream}/`));
  return counts.map(({ id, count }) => {
    const [, , tool = "", outcome, duration] = id.split("/");
    return {
      tool: decodeURIComponent(tool),
      outcome: outcome as CallOutcome,
      duration: Number(duration),
      count,
    };
  });
}

/** Returns the calls of an upstream by account, those with most first. */
export async function callsByAccount(tx: Transaction, month: string, upstream: string) {
  const prefix = `${month}/${upstream}/`;
  const counts = await tx.counts(BY_ACCOUNT, GLOBAL, under(prefix));
  return counts
    .map(({ id, count }) => ({ accountId: id.slice(prefix.length), count }))
    .sort((one, other) => other.count - one.count);
}

/** The calls of one tool by one key or user. */
export interface CallerCalls {
  tool: string;
  who: string;
  count: number;
}

export async function callsByCaller(
  tx: Transaction,
  month: string,
  { upstream, accountId, projectId }: { upstream: string; accountId: string; projectId: string },
): Promise<CallerCalls[]> {
  const space = projectSpace(accountId, projectId);
  const counts = await tx.counts(BY_CALLER, space, under(`${month}/${upstream}/`));
  return counts.map(({ id, count }) => {
    const [, , tool = "", who = ""] = id.split("/");
    return { tool: decodeURIComponent(tool), who, count };
  });
}
