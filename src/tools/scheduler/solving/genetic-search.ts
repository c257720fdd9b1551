import type { Budget } from "./budget.ts";
import type { Solution } from "./first-schedules.ts";
import { costOf, type ForwardBackward } from "./forward-backward.ts";
import type { Generator } from "./generator.ts";
import { emptySchedule, type Instance, tails } from "./instance.ts";
import { createSorting } from "./sequence.ts";

const POPULATION = 200;
/** Children in a row that are no better than the worst individual, after which a new population is made. */
const MAX_IDLE = 10 * POPULATION;
const MAX_MOVED = 3;
/** How far a mutation moves a task at most, as a share of the list. */
const MAX_SHIFT = 0.15;
/** Factor that makes keys whole numbers. They are small enough to be sorted fast. */
const GRAIN = 8;

interface Individual extends Solution {
  /** The tasks by start. */
  order: Int32Array;
}

/**
 * Searches for a cheaper plan by steady-state evolution of lists of tasks. Two parents, each the better of
 * two individuals, are crossed, and a few tasks are moved. The child is scheduled, justified once, and
 * replaces the worst individual unless it is worse or known (after Valls, Ballestín and Quintanilla 2008).
 */
export function geneticSearch(
  instance: Instance,
  { generate, justify }: ForwardBackward,
  { first, bound, budget, random }: { first: Solution; bound: number; budget: Budget; random: Generator },
): Solution {
  const { size, duration } = instance;
  const sort = createSorting(size);
  const keys = new Float64Array(size);
  const ends = emptySchedule(instance);
  const justified = emptySchedule(instance);
  const taken = new Uint8Array(size);
  const behind = tails(instance).map((tail, task) => tail + (duration[task] as number));
  const longest = behind.reduce((most, each) => Math.max(most, each), 0);
  let best = first;

  while (best.cost > bound && evolve());
  return best;

  /** @returns whether budget is left. */
  function evolve(): boolean {
    const population = [individual(first)];
    while (population.length < POPULATION) {
      if (best.cost <= bound || !budget.spend()) return false;
      chance();
      population.push(scheduled());
    }
    for (let idle = 0; idle < MAX_IDLE; idle++) {
      if (best.cost <= bound || !budget.spend()) return false;
      cross(parent(population).order, parent(population).order);
      mutate();
      const child = scheduled();
      const worst = population.reduce(
        (most, { cost }, at) => (cost > costAt(population, most) ? at : most),
        0,
      );
      if (child.cost > costAt(population, worst) || population.some((each) => isSame(each, child))) continue;
      if (child.cost < costAt(population, worst)) idle = 0;
      population[worst] = child;
    }
    return true;
  }

  function parent(population: readonly Individual[]): Individual {
    const [one, other] = [0, 1].map(() => population[Math.floor(random() * population.length)] as Individual);
    return (other as Individual).cost < (one as Individual).cost
      ? (other as Individual)
      : (one as Individual);
  }

  /** Makes random keys: from nearly all by the longest chain after each task, to nearly all by chance. */
  function chance(): void {
    const share = random();
    for (let task = 0; task < size; task++) {
      const byChain = longest - (behind[task] as number);
      keys[task] = Math.floor((byChain * (1 - share) + random() * longest * share) * GRAIN);
    }
  }

  /** Two-point crossover; the keys become positions in the child's list. */
  function cross(mother: Int32Array, father: Int32Array): void {
    const [one, other] = [Math.floor(random() * size), Math.floor(random() * size)];
    taken.fill(0);
    let position = inherit(mother, 0, Math.min(one, other));
    position = inherit(father, position, Math.max(one, other));
    inherit(mother, position, size);
  }

  /** Fills the positions up to `to` with the tasks that are not taken yet, in the order of `list`. */
  function inherit(list: Int32Array, from: number, to: number): number {
    let position = from;
    for (let at = 0; position < to; at++) {
      const task = list[at] as number;
      if (taken[task] === 1) continue;
      taken[task] = 1;
      keys[task] = position++ * GRAIN;
    }
    return position;
  }

  function mutate(): void {
    for (let left = 1 + Math.floor(random() * MAX_MOVED); left > 0; left--) {
      const task = Math.floor(random() * size);
      const shift = Math.floor((2 * random() - 1) * MAX_SHIFT * size * GRAIN);
      keys[task] = Math.max(0, (keys[task] as number) + shift);
    }
  }

  function scheduled(): Individual {
    generate(keys, ends);
    let made: Solution = { ends, cost: costOf(instance, ends) };
    if (budget.spend() && budget.spend()) {
      justify(ends, justified);
      const cost = costOf(instance, justified);
      if (cost <= made.cost) made = { ends: justified, cost };
    }
    const child = individual({ ends: made.ends.slice(), cost: made.cost });
    if (child.cost < best.cost) best = child;
    return child;
  }

  function individual({ ends, cost }: Solution): Individual {
    for (let task = 0; task < size; task++) keys[task] = (ends[task] as number) - (duration[task] as number);
    const order = new Int32Array(size);
    sort(keys, order);
    return { order, ends, cost };
  }
}

function costAt(population: readonly Individual[], at: number): number {
  return (population[at] as Individual).cost;
}

function isSame(one: Individual, other: Individual): boolean {
  return one.cost === other.cost && one.ends.every((end, task) => end === other.ends[task]);
}
