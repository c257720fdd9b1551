import { comparePlaces, cursorAt, type PageOf, type SortKey, viewed } from "../../accounts/page.ts";
import { pageOf } from "../../contract/endpoint.ts";
import { othersFirst } from "../../system/others-first.ts";
import { USAGE_TYPES, type UsageType } from "../contract.ts";
import type { CountedType, Origin } from "./origins.ts";

/** The dimensions to group by, each with its member of an origin. */
export const DIMENSIONS = {
  account: "accountId",
  project: "projectId",
  key: "keyId",
  user: "userId",
  tool: "tool",
} as const satisfies Record<string, keyof Origin>;
export type Dimension = keyof typeof DIMENSIONS;

export type Counts = Record<UsageType, number>;

export interface Group {
  /** The group's dimensions. Other members are those of an arbitrary use in it. */
  origin: Origin;
  counts: Counts;
  /** The sum of `counts`. */
  total: number;
  refused: number;
}

/** What groups are sorted by, least first. */
export type GroupRank = (group: Group) => readonly number[];

/** A group and its place among the sorted ones. */
export interface PlacedGroup {
  group: Group;
  place: SortKey;
}

/** Sorting more groups would take too long. */
export const MAX_GROUPS = 100_000;

/** Adds up uses by the requested dimensions. */
export class Groups {
  readonly totals: Group;
  readonly #groups = new Map<string, Group>();
  readonly #members: (keyof Origin)[];

  constructor(dimensions: readonly Dimension[]) {
    this.#members = dimensions.map((dimension) => DIMENSIONS[dimension]);
    this.totals = empty({ accountId: "", projectId: "", keyId: "", userId: "", tool: "" });
  }

  get size(): number {
    return this.#groups.size;
  }

  add(type: CountedType, count: number, origin: Origin): void {
    let key = "";
    for (const member of this.#members) key += `${origin[member]}\t`;
    let group = this.#groups.get(key);
    if (!group) {
      group = empty(origin);
      this.#groups.set(key, group);
    }
    for (const sum of [group, this.totals]) {
      if (type === "refused") sum.refused += count;
      else {
        sum.counts[type] += count;
        sum.total += count;
      }
    }
  }

  /**
   * Yields the groups behind a place lazily, largest first or by another rank. Sorts in pieces, between which other
   * requests can run, and merges the pieces.
   */
  async *sorted(rank: GroupRank = mostFirst, after?: SortKey): AsyncGenerator<PlacedGroup> {
    // Ties are broken by name, so that pages do not overlap.
    const placed = [...this.#groups].map(
      ([key, group]): PlacedGroup => ({ group, place: [...rank(group), key] }),
    );
    const all = after ? placed.filter(({ place }) => comparePlaces(place, after) > 0) : placed;
    const compare = (left: PlacedGroup, right: PlacedGroup) => comparePlaces(left.place, right.place);
    const runs: { groups: PlacedGroup[]; next: number }[] = [];
    for (let at = 0; at < all.length; at += PIECE) {
      runs.push({ groups: all.slice(at, at + PIECE).sort(compare), next: 0 });
      await othersFirst();
    }
    for (let given = 1; ; given++) {
      let first: (typeof runs)[number] | undefined;
      for (const run of runs) {
        const head = run.groups[run.next];
        if (head && (!first || compare(head, first.groups[first.next] as PlacedGroup) < 0)) first = run;
      }
      if (!first) return;
      yield first.groups[first.next++] as PlacedGroup;
      if (given % PIECE === 0) await othersFirst();
    }
  }

  /** Returns a page of the sorted groups. The cursor is the place of the previous page's last group. */
  async page({
    limit,
    rank,
    after,
  }: {
    limit: number;
    rank?: GroupRank;
    after?: SortKey | undefined;
  }): Promise<PageOf<Group>> {
    const found: PlacedGroup[] = [];
    for await (const placed of this.sorted(rank, after)) if (found.push(placed) > limit) break;
    return viewed(
      pageOf(found, limit, ({ place }) => cursorAt(place)),
      ({ group }) => group,
    );
  }
}

const PIECE = 2000;

/** The values that `mostFirst` sorts by. */
export const MOST_FIRST_VALUES = 2;

function mostFirst({ total, refused }: Group): readonly number[] {
  return [-total, -refused];
}

function empty(origin: Origin): Group {
  const counts = Object.fromEntries(USAGE_TYPES.map((type) => [type, 0])) as Counts;
  return { origin, counts, total: 0, refused: 0 };
}
