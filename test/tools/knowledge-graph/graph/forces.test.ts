import { expect, it } from "vitest";
import { LayoutSimulation, startsOf } from "../../../../src/tools/knowledge-graph/graph/layout/simulation.ts";

interface Place {
  x: number;
  y: number;
  group?: number;
  radius?: number;
}

function simulated(places: readonly Place[], edges: { from: number; to: number }[] = [], runs = 1) {
  const points = places.map(({ x, y, group = 0, radius = 3 }) => ({ x, y, group, radius }));
  const simulation = new LayoutSimulation(points, edges);
  for (let run = 0; run < runs; run++) for (const _ of simulation.run());
  return points;
}

const apart = ([one, other]: readonly Place[]) =>
  Math.hypot((one as Place).x - (other as Place).x, (one as Place).y - (other as Place).y);
const TIE = [{ from: 0, to: 1 }];

it("the layout places related nodes together, nearer within a community than between two", () => {
  const from = [
    { x: -200, y: 0 },
    { x: 200, y: 0 },
  ];
  const within = apart(simulated(from, TIE));
  const between = apart(
    simulated(
      from.map((place, group) => ({ ...place, group })),
      TIE,
    ),
  );
  const without = apart(simulated(from));
  expect(within).toBeLessThan(between);
  expect(within).toBeGreaterThan(20);
  expect(within).toBeLessThan(50);
  expect(between).toBeGreaterThan(60);
  expect(without).toBeGreaterThan(between / 2);
});

it("the layout pulls less along a relationship between two communities", () => {
  const chain = [0, 1, 2].map((at) => ({ x: 400 * (at - 1), y: 0 }));
  const pulled = (group: number) => {
    const places = chain.map((place, at) => ({ ...place, group: at === 2 ? group : 0 }));
    const [one, middle, other] = simulated(places, [
      { from: 0, to: 1 },
      { from: 1, to: 2 },
    ]);
    return [apart([one as Place, middle as Place]), apart([middle as Place, other as Place])] as const;
  };
  const [left, right] = pulled(0);
  expect(left / right).toBeCloseTo(1, 1);
  const [near, far] = pulled(1);
  expect(far / near).toBeGreaterThan(1.5);
});

it("the layout keeps unrelated nodes apart, large ones farther than small ones", () => {
  const from = [
    { x: 0, y: 0 },
    { x: 1, y: 1 },
  ];
  expect(apart(simulated(from))).toBeGreaterThan(20);
  expect(apart(simulated(from.map((place) => ({ ...place, radius: 100 }))))).toBeGreaterThan(150);
  expect(apart(simulated(from.map((place) => ({ ...place, radius: 10 }))))).toBeLessThan(150);
});

it("the layout pulls nodes towards the middle, vertically more than horizontally", () => {
  const [only] = simulated([{ x: 500, y: 500 }]) as [Place];
  expect(only.x).toBeGreaterThan(only.y);
  expect(only.x).toBeLessThan(250);
  expect(only.y).toBeGreaterThan(0);
});

it.each([
  [600, true],
  [601, false],
])("the layout of %i nodes prevents overlaps: %s", (count, isApart) => {
  const places = startsOf(new Int32Array(count), 1).map((place) => ({ ...place, radius: 60 }));
  const [first, second] = simulated(places);
  expect(apart([first as Place, second as Place]) > 60).toBe(isApart);
});

it("a layout that was at rest before moves less than a new one", () => {
  const moved = (calms: boolean) => {
    const point = { x: 500, y: 0, group: 0, radius: 3 };
    const simulation = new LayoutSimulation([point], []);
    if (calms) simulation.calm();
    for (const _ of simulation.run());
    return 500 - point.x;
  };
  expect(moved(true)).toBeGreaterThan(0);
  expect(moved(true)).toBeLessThan(moved(false) / 1.5);
});
