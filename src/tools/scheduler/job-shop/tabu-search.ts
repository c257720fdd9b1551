import type { Budget } from "../solving/budget.ts";
import type { Solution } from "../solving/first-schedules.ts";
import type { ForwardBackward } from "../solving/forward-backward.ts";
import type { Generator } from "../solving/generator.ts";
import { emptySchedule, type Instance } from "../solving/instance.ts";
import { createDisjunctiveGraph } from "./disjunctive-graph.ts";
import { jobCount, type Machines } from "./machines.ts";
import { createNeighbourhood } from "./neighbourhood.ts";
import { createTabuList } from "./tabu-list.ts";

/** Moves without an improvement after which the search restarts. */
const IDLE_MOVES = 6000;
const MAX_ELITES = 6;
/** Every second restart is from a shuffled plan, this many times, so that the elite ones have little in common. */
const SHUFFLED_RESTARTS = 4;
/** Random moves from a plan between two elite ones, before the search continues from there. */
const RESTART_MOVES = 10;
/** Minimum share that each of the two has in such a plan. */
const MIN_SHARE = 0.3;

/**
 * Searches for a shorter plan of a job shop by tabu search: always takes the move with the best estimate that
 * is not tabu. After many moves without an improvement, continues from the best plan shuffled or from
 * between two of the best plans found (path relinking, after Nowicki and Smutnicki 2005).
 */
export function tabuSearch(
  instance: Instance,
  machines: Machines,
  { generate }: Pick<ForwardBackward, "generate">,
  { first, bound, budget, random }: { first: Solution; bound: number; budget: Budget; random: Generator },
): Solution {
  const { duration } = instance;
  const graph = createDisjunctiveGraph(instance, machines);
  const moves = createNeighbourhood(instance, machines, graph, random);
  const tenure = 4 + jobCount(instance, machines) / machines.tasks.length;
  const tabu = createTabuList(machines, instance.size, () => Math.round(tenure * (1 + random())));
  const elites: { starts: Float64Array; makespan: number }[] = [];
  let best = { starts: startsOf(instance, first.ends), makespan: first.cost };
  graph.load(best.starts);
  if (graph.makespan < best.makespan) best = current();
  let local = current();
  let idle = 0;
  let restarts = 0;

  while (best.makespan > bound && budget.spend()) {
    const move = idle < IDLE_MOVES ? chosenMove() : -1;
    if (move < 0) {
      restart();
      continue;
    }
    perform(move);
    idle++;
    if (graph.makespan >= local.makespan) continue;
    local = current();
    idle = 0;
    if (local.makespan < best.makespan) best = local;
  }
  const ends = best.starts.map((start, task) => start + (duration[task] as number));
  return { ends, cost: best.makespan };

  function current() {
    return { starts: startsOf(instance, graph.forward.end), makespan: graph.makespan };
  }

  /**
   * Returns the move with the best estimate that is not tabu, or that makes the best plan so far. Returns a
   * random one if all are tabu, and -1 if there is none.
   */
  function chosenMove(): number {
    const count = moves.find();
    let chosen = -1;
    let least = Number.POSITIVE_INFINITY;
    let equals = 0;
    for (let move = 0; move < count; move++) {
      const passed = moves.pass(move);
      const length = moves.estimate(move, passed);
      if (length > least || (length >= best.makespan && isTabu(move, passed))) continue;
      if (length < least) equals = 0;
      least = length;
      if (++equals === 1 || random() * equals < 1) chosen = move;
    }
    return chosen >= 0 || count === 0 ? chosen : Math.floor(random() * count);
  }

  function isTabu(move: number, passed: number): boolean {
    return tabu.forbids(moves.task[move] as number, moves.behind[move] as number, moves.passed, passed);
  }

  function perform(move: number): void {
    const [task, other, behind] = [
      moves.task[move] as number,
      moves.other[move] as number,
      moves.behind[move] as number,
    ];
    tabu.remember(task, behind, moves.passed, moves.pass(move));
    if (behind === 1) graph.moveBehind(task, other);
    else graph.moveBefore(task, other);
  }

  function anyElite(): Float64Array {
    return (elites[Math.floor(random() * elites.length)] ?? best).starts;
  }

  function restart(): void {
    elites.push(local);
    elites.sort((left, right) => left.makespan - right.makespan);
    elites.splice(MAX_ELITES);
    tabu.clear();
    if (restarts++ % 2 === 1 && restarts <= 2 * SHUFFLED_RESTARTS) loadShuffled();
    else loadBetween(anyElite(), anyElite());
    local = current();
    idle = 0;
  }

  /** Loads a plan that chance orders more than the best one does. */
  function loadShuffled(): void {
    const { starts, makespan } = best;
    const ends = emptySchedule(instance);
    generate(
      starts.map((start) => Math.floor(start + makespan * (random() + random()))),
      ends,
    );
    graph.load(startsOf(instance, ends));
  }

  function loadBetween(one: Float64Array, other: Float64Array): void {
    // A task that starts later than another in both plans does so in any mean of them, so that an order by
    // the mean closes no cycle.
    const share = MIN_SHARE + (1 - 2 * MIN_SHARE) * random();
    graph.load(one.map((start, task) => share * start + (1 - share) * (other[task] as number)));
    for (let count = 0; count < RESTART_MOVES; count++) {
      const found = moves.find();
      if (found > 0) perform(Math.floor(random() * found));
    }
  }
}

function startsOf({ duration }: Instance, ends: Float64Array): Float64Array {
  return duration.map((length, task) => (ends[task] as number) - length);
}
