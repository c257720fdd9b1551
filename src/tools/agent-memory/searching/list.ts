import type { Input } from "../../../contract/endpoint.ts";
import type { Steps } from "../../../store/projection.ts";
import { bestOf } from "../../../text/search/best.ts";
import type { agentMemoryContract } from "../contract.ts";
import type { Listed, Place } from "./memory-kind.ts";
import type { MemoryProjection } from "./memory-projection.ts";
import { isWanted, supersededBy } from "./recall.ts";

type ListInput = Input<typeof agentMemoryContract.list>;

/** Memories that are checked before yielding to other work. */
const SLICE = 5000;

/**
 * Returns a sorted page of the memories that match.
 *
 * @param after the place of the last memory of the previous page; `now` is in milliseconds since the epoch.
 */
export function* list(
  projection: MemoryProjection,
  input: ListInput,
  { after, now }: { after: Place | undefined; now: number },
): Steps<{ items: Listed[]; next?: Place }> {
  const { sort, limit } = input;
  const isDown = sort.startsWith("-");
  const sortedBy = valueFor(projection, isDown ? sort.slice(1) : sort);
  const compare = (value: number, id: string, other: number) => {
    const order = value - sortedBy(other) || (id < projection.idOf(other) ? -1 : 1);
    return isDown ? -order : order;
  };
  const wanted: number[] = [];
  let looked = 0;
  for (const memory of projection.all()) {
    if (++looked % SLICE === 0) yield;
    const traits = projection.traitsOf(memory);
    if (!isWanted(traits, input, now)) continue;
    if (after && (traits.id === after.id || compare(after.value, after.id, memory) > 0)) continue;
    wanted.push(memory);
  }
  yield;
  const page = bestOf(wanted, limit, (a, b) => compare(sortedBy(a), projection.idOf(a), b) < 0);
  const last = page.at(-1);
  return {
    items: page.map((memory) => ({
      id: projection.idOf(memory),
      ...supersededBy(projection, memory),
      size: projection.traitsOf(memory).size,
    })),
    ...(wanted.length > limit &&
      last !== undefined && {
        next: { value: sortedBy(last), id: projection.idOf(last) },
      }),
  };
}

/** Returns the sort key. Creation times need none: ids sort by time. */
function valueFor(projection: MemoryProjection, by: string): (memory: number) => number {
  if (by === "createdAt") return () => 0;
  return (memory) => projection.traitsOf(memory)[by as "at" | "importance" | "uses"];
}
