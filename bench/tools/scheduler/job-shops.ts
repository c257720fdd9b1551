/** A job shop in the usual form: by job and step, the machine and the duration. */
export interface JobShop {
  id: string;
  /** The shortest known makespan. */
  best: number;
  machines: number[][];
  durations: number[][];
}

const JOBS = 15;
const MACHINES = 15;

/**
 * Instances of Taillard (European Journal of Operational Research 64, 1993): the seed of the durations, that of the
 * machines, and the best known makespan.
 */
const SEEDS = [
  [840612802, 398197754, 1231],
  [1314640371, 386720536, 1244],
  [1227221349, 316176388, 1218],
  [342269428, 1806358582, 1175],
  [1603221416, 1501949241, 1224],
  [1357584978, 1734077082, 1238],
  [44531661, 1374316395, 1227],
  [302545136, 2092186050, 1217],
  [1153780144, 1393392374, 1274],
  [73896786, 1544979948, 1241],
] as const;

/** Generates the instances with Taillard's generator, so that no data file is needed. */
export function jobShops(): JobShop[] {
  return SEEDS.map(([times, order, best], at) => {
    const duration = uniform(times);
    const place = uniform(order);
    const rows = <Row>(row: () => Row) => Array.from({ length: JOBS }, row);
    const durations = rows(() => Array.from({ length: MACHINES }, () => duration(1, 99)));
    const machines = rows(() => shuffled(place));
    return { id: `ta${at + 1}`, best, machines, durations };
  });
}

function shuffled(place: (low: number, high: number) => number): number[] {
  const row = Array.from({ length: MACHINES }, (_, machine) => machine);
  for (let at = 0; at < MACHINES; at++) {
    const other = place(at, MACHINES - 1);
    [row[at], row[other]] = [row[other] as number, row[at] as number];
  }
  return row;
}

/** Returns a linear congruential generator of integers, bounds included (Bratley, Fox and Schrage 1983). */
function uniform(seed: number): (low: number, high: number) => number {
  let state = seed;
  return (low, high) => {
    const high31 = Math.floor(state / 127_773);
    state = 16_807 * (state % 127_773) - 2836 * high31;
    if (state < 0) state += 2_147_483_647;
    return Math.floor(low + (state / 2_147_483_647) * (high - low + 1));
  };
}
