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

/** Compares two groups: negative if the left one comes first. */
export type GroupOrder = (left: Group, right: Group) => number;

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
   * Yields the groups lazily, largest first or in another order. Sorts in pieces, between which other requests can
   * run, and merges the pieces.
   */
  async *sorted(order: GroupOrder = mostFirst): AsyncGenerator<Group> {
    // Ties are broken by name, so that pages do not overlap.
    const compare = ([leftKey, left]: [string, Group], [rightKey, right]: [string, Group]) =>
      order(left, right) || (leftKey < rightKey ? -1 : 1);
    const runs: { groups: [string, Group][]; next: number }[] = [];
    const all = [...this.#groups];
    for (let at = 0; at < all.length; at += PIECE) {
      runs.push({ groups: all.slice(at, at + PIECE).sort(compare), next: 0 });
      await othersFirst();
    }
    for (let given = 1; ; given++) {
      let first: (typeof runs)[number] | undefined;
      for (const run of runs) {
        const head = run.groups[run.next];
        if (head && (!first || compare(head, first.groups[first.next] as [string, Group]) < 0)) first = run;
      }
      if (!first) return;
      yield (first.groups[first.next++] as [string, Group])[1];
      if (given % PIECE === 0) await othersFirst();
    }
  }
}

const PIECE = 2000;

function mostFirst(left: Group, right: Group): number {
  return right.total - left.total || right.refused - left.refused;
}

function empty(origin: Origin): Group {
  const counts = Object.fromEntries(USAGE_TYPES.map((type) => [type, 0])) as Counts;
  return { origin, counts, total: 0, refused: 0 };
}
