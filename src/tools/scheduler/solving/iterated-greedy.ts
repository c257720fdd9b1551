import type { Budget } from "./budget.ts";
import type { Solution } from "./first-schedules.ts";
import { costOf, type ForwardBackward } from "./forward-backward.ts";
import type { Generator } from "./generator.ts";
import { emptySchedule, type Instance } from "./instance.ts";
import { createSorting } from "./sequence.ts";

/** Share of the perturbations that shuffle the whole list; the others move single tasks. */
const SHUFFLES = 0.7;
const MAX_MOVED = 3;
/** Factor that makes positions in a list whole numbers. */
const GRAIN = 256;

/**
 * Searches for a cheaper plan: perturbs the list of tasks by start, schedules it, and justifies the schedule
 * once. Continues from the result if it is not worse, or sometimes if it is (the rule of simulated annealing
 * at one temperature).
 */
export function iteratedGreedy(
  instance: Instance,
  { generate, justify }: ForwardBackward,
  { first, bound, budget, random }: { first: Solution; bound: number; budget: Budget; random: Generator },
): Solution {
  const { size, duration } = instance;
  const sort = createSorting(size);
  const window = Math.min(0.4, Math.max(0.15, 12 / size)) * size;
  const meanDuration = duration.reduce((sum, each) => sum + each, 0) / size;
  const temperature = Math.min(0.09, Math.max(0.055, 2.7 / size)) * meanDuration;
  const starts = new Float64Array(size);
  const order = new Int32Array(size);
  const keys = new Float64Array(size);
  const ends = emptySchedule(instance);
  const justified = emptySchedule(instance);
  let best = first;
  let cost = first.cost;
  goOnFrom(first.ends);

  while (best.cost > bound && budget.spend()) {
    if (random() < SHUFFLES) shuffle();
    else moveSome();
    generate(keys, ends);
    let found = ends;
    let foundCost = costOf(instance, ends);
    if (budget.spend() && budget.spend()) {
      justify(ends, justified);
      const after = costOf(instance, justified);
      if (after <= foundCost) [found, foundCost] = [justified, after];
    }
    if (foundCost < best.cost) best = { ends: found.slice(), cost: foundCost };
    if (foundCost <= cost || random() < Math.exp((cost - foundCost) / temperature)) {
      cost = foundCost;
      goOnFrom(found);
    }
  }
  return best;

  function goOnFrom(ends: Float64Array): void {
    for (let task = 0; task < size; task++)
      starts[task] = (ends[task] as number) - (duration[task] as number);
    sort(starts, order);
  }

  /** Moves every task by a random part of the window. */
  function shuffle(): void {
    for (let position = 0; position < size; position++) {
      keys[order[position] as number] = Math.floor((position + random() * window) * GRAIN);
    }
  }

  /** Moves a few tasks by up to a quarter of the list. */
  function moveSome(): void {
    for (let position = 0; position < size; position++) keys[order[position] as number] = position * GRAIN;
    const count = 1 + Math.floor(random() * MAX_MOVED);
    for (let moved = 0; moved < count; moved++) {
      const task = Math.floor(random() * size);
      const shift = Math.floor((random() - 0.5) * (size / 2) * GRAIN);
      keys[task] = Math.max(0, (keys[task] as number) + shift);
    }
  }
}
