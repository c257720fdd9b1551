import type { Budget } from "../solving/budget.ts";
import type { Solution } from "../solving/first-schedules.ts";
import type { Generator } from "../solving/generator.ts";
import type { Instance } from "../solving/instance.ts";
import { createDisjunctiveGraph } from "./disjunctive-graph.ts";
import { jobCount, type Machines } from "./machines.ts";
import { criticalPath, estimate, type Move, movesOf, passed } from "./moves.ts";
import { createTabuList } from "./tabu-list.ts";

const IDLE_MOVES = 6000;
const MAX_ELITES = 6;
/** Random moves away from a plan between two of the elite, before the search goes on from there. */
const RESTART_MOVES = 10;
/** How much of such a plan comes from either, at least. */
const LEAST_SHARE = 0.3;

/**
 * Tabu search for a shorter plan of a job shop: always the neighbour that seems best and undoes nothing
 * recent; after long without success, on from between two of the best plans met (path relinking, after Nowicki and
 * Smutnicki 2005).
 */
export function tabuSearch(
  instance: Instance,
  machines: Machines,
  { first, bound, budget, random }: { first: Solution; bound: number; budget: Budget; random: Generator },
): Solution {
  const { size, duration } = instance;
  const graph = createDisjunctiveGraph(instance, machines);
  const tenure = 10 + jobCount(instance, machines) / machines.tasks.length;
  const tabu = createTabuList(machines, size, () => Math.round(tenure * (1 + 0.4 * random())));
  const elites: { heads: Float64Array; makespan: number }[] = [];
  let best = { heads: first.ends.map((end, task) => end - (duration[task] as number)), makespan: first.cost };
  graph.load(best.heads);
  if (graph.makespan() < best.makespan) best = current();
  let local = current();
  let idle = 0;

  while (best.makespan > bound && budget.spend()) {
    const move = idle < IDLE_MOVES ? chosenMove() : undefined;
    if (!move) {
      restart();
      continue;
    }
    perform(move);
    idle++;
    if (graph.makespan() >= local.makespan) continue;
    local = current();
    idle = 0;
    if (local.makespan < best.makespan) best = local;
  }
  const ends = best.heads.map((head, task) => head + (duration[task] as number));
  return { ends, cost: best.makespan };

  function current() {
    return { heads: graph.head.slice(), makespan: graph.makespan() };
  }

  /** The best by estimate that is not tabu, or that is better than all so far; any where all are tabu. */
  function chosenMove(): Move | undefined {
    const moves = movesOf(criticalPath(instance, graph, random), instance, machines, graph);
    let chosen: Move | undefined;
    let least = Number.POSITIVE_INFINITY;
    let equals = 0;
    for (const move of moves) {
      const tasks = passed(move, graph);
      const length = estimate(move, tasks, instance, graph);
      if (length > least || (length >= best.makespan && tabu.forbids(move, tasks))) continue;
      if (length < least) equals = 0;
      least = length;
      if (random() * ++equals < 1) chosen = move;
    }
    return chosen ?? moves[Math.floor(random() * moves.length)];
  }

  function perform(move: Move): void {
    tabu.remember(move, passed(move, graph));
    if (move.behind) graph.moveBehind(move.task, move.other);
    else graph.moveBefore(move.task, move.other);
  }

  function anyElite(): Float64Array {
    return (elites[Math.floor(random() * elites.length)] ?? best).heads;
  }

  function restart(): void {
    elites.push(local);
    elites.sort((left, right) => left.makespan - right.makespan);
    elites.splice(MAX_ELITES);
    const [one, other] = [anyElite(), anyElite()];
    // What starts later in both starts later in any mean of them: an order by it closes no cycle.
    const share = LEAST_SHARE + (1 - 2 * LEAST_SHARE) * random();
    graph.load(one.map((start, task) => share * start + (1 - share) * (other[task] as number)));
    tabu.clear();
    for (let count = 0; count < RESTART_MOVES; count++) {
      const moves = movesOf(criticalPath(instance, graph, random), instance, machines, graph);
      const move = moves[Math.floor(random() * moves.length)];
      if (move) perform(move);
    }
    local = current();
    idle = 0;
  }
}
