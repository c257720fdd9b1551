import type { Input, Output } from "../../../contract/endpoint.ts";
import { invalidRequest } from "../../../contract/faults.ts";
import type { Space, Transaction } from "../../../store/store.ts";
import { iso } from "../../../system/clock.ts";
import { type Granularity, type meteringContract, USAGE_TYPES, type UsageType } from "../../contract.ts";
import { bucketOf, nameIn, startOf } from "../buckets.ts";
import { countsBetween } from "../counters.ts";

type Asked = Input<typeof meteringContract.showUsage>;
type Range = Pick<Asked, "from" | "to" | "granularity">;
type Question = Range & { type?: UsageType | undefined };
type Answer = Output<typeof meteringContract.showUsage>;
type Point = Answer["series"][number];
interface Report extends Omit<Answer, "projectId" | "series"> {
  points: number;
  /** Parts of one point each, made lazily. */
  series: Iterator<Point[]> & Iterable<Point[]>;
}

/** The most buckets in one answer. */
const MAX_POINTS = 10_000;

/** Buckets shown if the question has no `from`. */
const USUAL_POINTS: Record<Granularity, number> = { hour: 24, day: 30, month: 12 };

/** Returns every bucket of the range with its counts, including empty ones, and their sums. */
export async function usageReport(
  tx: Transaction,
  space: Space,
  question: Question,
  now: number,
): Promise<Report> {
  const { granularity } = question;
  const { first, end } = rangeOf(question, now);
  const range = { from: startOf(granularity, first), to: startOf(granularity, end) };
  const types = question.type ? [question.type] : USAGE_TYPES;
  const totals = zeros(USAGE_TYPES);
  const none = zeros(types);
  const byBucket = new Map<string, Record<UsageType, number>>();
  for (const { bucket, type, count } of await countsBetween(tx, space, granularity, range)) {
    if (!types.includes(type)) continue;
    const counts = byBucket.get(bucket) ?? { ...none };
    byBucket.set(bucket, counts);
    counts[type] = count;
    totals[type] += count;
  }
  function* series(): Generator<Point[]> {
    for (let bucket = first; bucket < end; bucket++) {
      const at = iso(startOf(granularity, bucket));
      yield [{ at, counts: byBucket.get(nameIn(granularity, at)) ?? none }];
    }
  }
  return {
    from: iso(range.from),
    to: iso(range.to),
    granularity,
    totals,
    points: end - first,
    series: series(),
  };
}

/** Returns the range as bucket numbers; `end` is exclusive. */
export function rangeOf({ from, to, granularity }: Range, now: number): { first: number; end: number } {
  const end =
    to === undefined ? bucketOf(granularity, now) + 1 : bucketOf(granularity, Date.parse(to) - 1) + 1;
  const first =
    from === undefined ? end - USUAL_POINTS[granularity] : bucketOf(granularity, Date.parse(from));
  if (first >= end) throw invalidRequest([{ path: "from", message: "must be before to" }]);
  if (end - first > MAX_POINTS) {
    const message = `makes ${end - first} points of one ${granularity} each; ${MAX_POINTS} are the most. Ask for a shorter range or a coarser granularity`;
    throw invalidRequest([{ path: "from", message }]);
  }
  return { first, end };
}

function zeros(types: readonly UsageType[]): Record<UsageType, number> {
  return Object.fromEntries(types.map((type) => [type, 0])) as Record<UsageType, number>;
}
