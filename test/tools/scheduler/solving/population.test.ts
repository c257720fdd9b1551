import { describe, expect, it } from "vitest";
import { type Budget, countedBudget } from "../../../../src/tools/scheduler/solving/budget.ts";
import type { ForwardBackward } from "../../../../src/tools/scheduler/solving/forward-backward.ts";
import { createGenerator } from "../../../../src/tools/scheduler/solving/generator.ts";
import { geneticSearch } from "../../../../src/tools/scheduler/solving/genetic-search.ts";
import { adjacency, demandOf, type Instance } from "../../../../src/tools/scheduler/solving/instance.ts";
import { iteratedGreedy } from "../../../../src/tools/scheduler/solving/iterated-greedy.ts";

const SIZE = 12;

/** Returns independent tasks of one duration on one machine, so that a plan is their order. */
function instanceOf(size = SIZE, duration = 10): Instance {
  const none = adjacency(Array.from({ length: size }, () => []));
  return {
    size,
    duration: new Float64Array(size).fill(duration),
    release: new Float64Array(size),
    deadline: new Float64Array(size).fill(Number.POSITIVE_INFINITY),
    predecessors: none,
    successors: none,
    capacity: Int32Array.of(1),
    demand: demandOf(Array.from({ length: size }, () => [[0, 1] as const])),
  };
}

/** Returns task numbers by ascending key, ties by number. */
const orderOf = (keys: ArrayLike<number>) =>
  Array.from(keys, (_, task) => task).sort((a, b) => (keys[a] as number) - (keys[b] as number) || a - b);

/** Sets the ends of tasks that run one after the other in this order, from `delay` on. */
function inTurn(order: readonly number[], ends: Float64Array, delay: number, duration = 10): void {
  for (const [position, task] of order.entries()) ends[task] = delay + duration * (position + 1);
}

type Search = (
  instance: Instance,
  method: ForwardBackward,
  settings: {
    first: { ends: Float64Array; cost: number };
    bound: number;
    budget: Budget;
    random: () => number;
  },
) => { ends: Float64Array; cost: number };

interface Run {
  seed?: number;
  most?: number;
  bound?: number;
  size?: number;
  /** Delay of a list when it is generated. `justifiedTo` is the delay after justification. */
  delayOf?: (order: readonly number[], call: number) => number;
  justifiedTo?: (call: number) => number | undefined;
  /** List that is planned instead of the requested one. */
  listFor?: (order: readonly number[], call: number) => readonly number[];
}

/** Runs a search over lists whose costs the test sets, and records the requested lists. */
function searched(search: Search, { seed = 1, most = 300, bound = 0, size = SIZE, ...rest }: Run) {
  const { delayOf = () => 0, justifiedTo = () => undefined, listFor = (order) => order } = rest;
  const asked: number[][] = [];
  let justified = 0;
  const method: ForwardBackward = {
    generate(keys, ends) {
      asked.push([...keys]);
      const order = listFor(orderOf(keys), asked.length);
      inTurn(order, ends, delayOf(order, asked.length));
    },
    justify(ends, into) {
      justified++;
      const delay = justifiedTo(asked.length);
      const order = orderOf(ends);
      if (delay === undefined) into.set(ends);
      else inTurn(order, into, delay);
    },
    slack: () => new Float64Array(size),
  };
  const first = { ends: new Float64Array(size), cost: 0 };
  const [start, budget] = [Array.from({ length: size }, (_, task) => task), countedBudget(most)];
  inTurn(start, first.ends, 1000);
  first.cost = 1000 + 10 * size;
  const found = search(instanceOf(size), method, { first, bound, budget, random: createGenerator(seed) });
  return { found, first, asked, justified, spent: budget.spent };
}

describe.each<[string, Search]>([
  ["a population of lists", geneticSearch],
  ["one list that is changed again and again", iteratedGreedy],
])("a search by %s", (_, search) => {
  it("returns the cheapest plan that was generated or justified", () => {
    const plain = searched(search, { delayOf: (_, call) => 900 - call });
    expect(plain.found.cost).toBe(900 - plain.asked.length + 120);
    expect(orderOf(plain.found.ends)).toEqual(orderOf(plain.asked.at(-1) as number[]));
    const better = searched(search, { delayOf: () => 900, justifiedTo: (call) => (call === 7 ? 5 : 901) });
    expect(better.found.cost).toBe(125);
    expect(Math.max(...better.found.ends)).toBe(125);
    expect(orderOf(better.found.ends)).toEqual(orderOf(better.asked[6] as number[]));
  });

  it("returns the first plan if none is cheaper", () => {
    const { found, first } = searched(search, { delayOf: () => 1000 });
    expect(found).toBe(first);
  });

  it("ends when the bound is reached, and spends nothing if the first plan reaches it", () => {
    const reached = searched(search, { bound: 120, delayOf: (_, call) => (call === 5 ? 0 : 500) });
    expect(reached.asked).toHaveLength(5);
    expect(reached.found.cost).toBe(120);
    const before = searched(search, { bound: 1120 });
    expect([before.spent, before.asked.length, before.found]).toEqual([0, 0, before.first]);
  });

  it("spends three for each justified plan, and no more than its budget", () => {
    for (const most of [0, 1, 2, 3, 30, 31, 32]) {
      const { asked, justified, spent } = searched(search, { most });
      expect([asked.length, justified, spent]).toEqual([Math.ceil(most / 3), Math.floor(most / 3), most]);
    }
  });

  it("requests lists by non-negative whole keys, the same for the same seed only", () => {
    const of = (seed: number) => searched(search, { seed, most: 900, delayOf: (_, call) => call % 50 }).asked;
    const [one, again, other] = [of(1), of(1), of(2)];
    expect(one).toEqual(again);
    expect(one).not.toEqual(other);
    for (const keys of [...one, ...other])
      for (const key of keys) expect(Number.isInteger(key) && key >= 0).toBe(true);
  });
});

describe("iteratedGreedy()", () => {
  const placesMoved = (before: readonly number[], after: readonly number[]) =>
    after.map((task, place) => Math.abs(place - before.indexOf(task)));

  it("continues from equally good lists, and moves tasks by a bounded distance", () => {
    const size = 100;
    const { asked } = searched(iteratedGreedy, { size, most: 600 });
    let before = Array.from({ length: size }, (_, task) => task);
    let shuffled = 0;
    for (const keys of asked) {
      const after = orderOf(keys);
      const moved = placesMoved(before, after);
      const places = moved.filter((by) => by > 0).length;
      if (places > 80) shuffled++;
      // A shuffle moves tasks within a window of 15 of a hundred; single tasks move by a quarter of the list.
      expect(Math.max(...moved)).toBeLessThanOrEqual(places > 80 ? 15 : 27);
      before = after;
    }
    expect(shuffled / asked.length).toBeGreaterThan(0.5);
    expect(shuffled / asked.length).toBeLessThan(0.9);
  });

  it("never continues from a far worse list, but does from an equally good one", () => {
    const size = 100;
    const start = Array.from({ length: size }, (_, task) => task);
    const distances = (delay: number) =>
      searched(iteratedGreedy, { size, most: 300, delayOf: () => 1000 + delay }).asked.map((keys) =>
        Math.max(...placesMoved(start, orderOf(keys))),
      );
    expect(Math.max(...distances(1000))).toBeLessThanOrEqual(27);
    expect(Math.max(...distances(0))).toBeGreaterThan(27);
  });

  it("continues at times, but not always, from a list that is a little worse", () => {
    const size = 100;
    const start = Array.from({ length: size }, (_, task) => task);
    /** Returns how many lists are near the first plan before one is far from it, by seed. */
    const near = (delay: number) =>
      [1, 2, 3, 4, 5, 6, 7, 8].map((seed) => {
        const { asked } = searched(iteratedGreedy, { size, seed, most: 900, delayOf: () => 1000 + delay });
        return asked.findIndex((keys) => Math.max(...placesMoved(start, orderOf(keys))) > 27);
      });
    const [equal, worse] = [near(0), near(1.65)];
    expect(Math.min(...worse)).toBeGreaterThan(0);
    expect(Math.max(...worse)).toBeGreaterThan(2 * Math.max(...equal));
  });
});

describe("geneticSearch()", () => {
  const first = Array.from({ length: SIZE }, (_, task) => task);

  /** Whether a list has the middle of one list, and the rest in the order of another. */
  function isCrossed(child: readonly number[], lists: readonly (readonly number[])[]): boolean {
    return lists.some((mother) =>
      lists.some((father) => {
        let from = 0;
        while (from < SIZE && child[from] === mother[from]) from++;
        const others = father.filter((task) => !child.slice(0, from).includes(task));
        let to = 0;
        while (to < others.length && child[from + to] === others[to]) to++;
        const rest = mother.filter((task) => !child.slice(0, from + to).includes(task));
        return rest.every((task, at) => task === child[from + to + at]);
      }),
    );
  }

  /** Returns the lists of children in which no task was moved. */
  const unmoved = (asked: readonly number[][]) =>
    asked.filter((keys) => keys.toSorted((a, b) => a - b).every((key, at) => key === 8 * at)).map(orderOf);

  it("begins with 200 lists and the given one first, then crosses them and moves up to three tasks", () => {
    // No child is as good as its population, which therefore stays the same.
    const { asked } = searched(geneticSearch, {
      most: 3 * 400,
      delayOf: (_, call) => (call < 200 ? 500 : 900),
    });
    const lists = [first, ...asked.slice(0, 199).map(orderOf)];
    expect(new Set(lists.map(String)).size).toBeGreaterThan(150);
    for (const keys of asked.slice(199)) {
      const moved = keys.filter((key) => key % 8 !== 0);
      expect(moved.length).toBeLessThanOrEqual(3);
      for (const key of keys) expect(key).toBeLessThan(8 * SIZE * 1.15);
    }
    const children = unmoved(asked.slice(199)).slice(0, 20);
    expect(children.length).toBeGreaterThan(0);
    for (const child of children) expect(isCrossed(child, lists)).toBe(true);
    expect(children.filter((child) => !lists.some((list) => String(list) === String(child)))).not.toEqual([]);
  });

  it("replaces the worst lists with better ones, and crosses those in turn", () => {
    const { asked } = searched(geneticSearch, {
      most: 3 * 1000,
      delayOf: (_, call) => 900 - Math.floor(call / 2),
    });
    const lists = [first, ...asked.slice(0, 199).map(orderOf)];
    const later = unmoved(asked.slice(700)).slice(0, 8);
    expect(later.length).toBeGreaterThan(5);
    expect(later.filter((child) => isCrossed(child, lists)).length).toBeLessThan(later.length / 2);
  });

  it("admits no plan twice, so that lists stay diverse", () => {
    const { asked } = searched(geneticSearch, {
      most: 3 * 700,
      delayOf: (_, call) => (call < 200 ? 900 : 5),
      listFor: (order, call) => (call < 200 ? order : first),
    });
    const late = new Set(unmoved(asked.slice(500)).map(String));
    expect(late.size).toBeGreaterThan(5);
  });

  describe("a restart", () => {
    const begins = (delayOf: Run["delayOf"]) => {
      const { asked } = searched(geneticSearch, { most: 3 * 2380, ...(delayOf && { delayOf }) });
      const [before, after] = [asked.slice(1900, 2199), asked.slice(2200, 2380)];
      expect(unmoved(before).length).toBeGreaterThan(5);
      return unmoved(after).length === 0;
    };

    it("happens if 2,000 lists in a row were not better than the worst", () => {
      expect(begins((_, call) => (call < 200 ? 500 : 900))).toBe(true);
      // Equal to the worst is not better.
      expect(begins(() => 1000)).toBe(true);
    });

    it("does not happen if one of the lists was better", () => {
      expect(begins((_, call) => (call === 700 ? 400 : call < 200 ? 500 : 900))).toBe(false);
    });
  });
});
