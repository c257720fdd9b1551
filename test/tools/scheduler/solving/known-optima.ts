import { jobShops } from "../../../../bench/tools/scheduler/job-shops.ts";
import { createGenerator } from "../../../../src/tools/scheduler/solving/generator.ts";
import type { Request } from "../project.ts";

/** A project with the known length of its shortest plan. */
export interface KnownOptimum {
  request: Request;
  optimumMs: number;
}

const MACHINE = "machine";
const LENGTH = 1000;
const HEIGHT = 24;

/** Returns Taillard's job shops, with the best known makespans. */
export function classicJobShops(): KnownOptimum[] {
  return jobShops().map(({ best, machines, durations }) => ({
    optimumMs: best,
    request: {
      capacity: Object.fromEntries((machines[0] ?? []).map((machine) => [`${MACHINE}${machine}`, 1])),
      tasks: durations.flatMap((row, job) =>
        row.map((durationMs, step) => ({
          id: `${job}/${step}`,
          durationMs,
          dependsOn: step > 0 ? [`${job}/${step - 1}`] : [],
          resources: { [`${MACHINE}${machines[job]?.[step]}`]: 1 },
        })),
      ),
    },
  }));
}

/**
 * Cuts a rectangle of time by capacity into tasks, so that the shortest plan is as long as the rectangle. Tasks depend
 * on some of those that ended before they began.
 */
export function cutProject(size: number, seed: number): KnownOptimum {
  const random = createGenerator(seed);
  const upTo = (most: number) => Math.floor(random() * most);
  const pieces = [{ start: 0, end: LENGTH, low: 0, high: HEIGHT }];
  while (pieces.length < size) {
    const at = upTo(pieces.length);
    const piece = pieces[at] as (typeof pieces)[number];
    const [length, height] = [piece.end - piece.start, piece.high - piece.low];
    if (length * HEIGHT > height * LENGTH ? length > 1 : height > 1) {
      const [one, other] = [{ ...piece }, { ...piece }];
      if (length * HEIGHT > height * LENGTH) one.end = other.start = piece.start + 1 + upTo(length - 1);
      else one.high = other.low = piece.low + 1 + upTo(height - 1);
      pieces.splice(at, 1, one, other);
    }
  }
  const tasks = pieces.map(({ start, end, low, high }, index) => {
    const before = pieces.flatMap((other, at) =>
      other.end <= start && start - other.end < 60 ? [`t${at}`] : [],
    );
    return {
      id: `t${index}`,
      durationMs: end - start,
      resources: { capacity: high - low },
      dependsOn: before.filter(() => random() < 0.3),
    };
  });
  return { request: { capacity: { capacity: HEIGHT }, tasks }, optimumMs: LENGTH };
}
