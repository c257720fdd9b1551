import { describe, expect, it } from "vitest";
import { radiusOf } from "../../../../src/tools/knowledge-graph/graph/layout/layout.ts";
import { LayoutSimulation, startsOf } from "../../../../src/tools/knowledge-graph/graph/layout/simulation.ts";

const SIZE = 40;

/** Lays out two rings of twenty, joined by one relationship, and `lonely` unrelated entities. */
function atRest(lonely = 0) {
  const group = Int32Array.from({ length: SIZE + lonely }, (_, node) =>
    node < SIZE ? (node < 20 ? 0 : 1) : -1,
  );
  const edges = Array.from({ length: SIZE }, (_, node) => ({
    from: node,
    to: node < 20 ? (node + 1) % 20 : 20 + ((node + 1) % 20),
  }));
  const loop = { from: 5, to: 5 };
  const points = startsOf(group, 2).map(({ x, y }, node) => ({
    x,
    y,
    group: group[node] as number,
    radius: 6,
  }));
  const simulation = new LayoutSimulation(points, [...edges, { from: 0, to: 20 }, loop]);
  let steps = 0;
  for (const _ of simulation.run()) steps++;
  return { points, edges, steps };
}

const between = (one: { x: number; y: number }, other: { x: number; y: number }) =>
  Math.hypot(one.x - other.x, one.y - other.y);

describe("a drawing at rest", () => {
  it("has no overlapping nodes, and has related ones near each other", () => {
    const { points, edges, steps } = atRest(5);
    expect(steps).toBeGreaterThan(50);
    for (const [at, one] of points.entries()) {
      expect(Number.isFinite(one.x) && Number.isFinite(one.y)).toBe(true);
      for (const other of points.slice(at + 1)) expect(between(one, other)).toBeGreaterThan(10);
    }
    for (const { from, to } of edges) {
      expect(between(points[from] as never, points[to] as never)).toBeLessThan(80);
    }
  });

  it("keeps its communities apart", () => {
    const { points } = atRest();
    const centreOf = (group: number) => {
      const members = points.filter((point) => point.group === group);
      const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
      return { x: mean(members.map(({ x }) => x)), y: mean(members.map(({ y }) => y)) };
    };
    const near = points.filter((point) => {
      const [own, other] = [centreOf(point.group), centreOf(1 - point.group)];
      return between(point, own) < between(point, other);
    });
    expect(near).toHaveLength(SIZE);
  });
});

it("a layout takes fewer steps per run for more nodes, but as many in total until rest", () => {
  const runsOf = (size: number) => {
    const places = startsOf(new Int32Array(size), 1);
    const simulation = new LayoutSimulation(
      places.map(({ x, y }) => ({ x, y, group: 0, radius: 3 })),
      [],
    );
    return Array.from({ length: 5 }, () => [...simulation.run()].length);
  };
  const [some, more] = [runsOf(200), runsOf(400)];
  expect([some[0], more[0], more[1]]).toEqual([80, 40, 40]);
  const sum = (ticks: number[]) => ticks.reduce((total, each) => total + each, 0);
  expect(sum(some)).toBe(sum(more));
  expect([some.at(-1), more.at(-1)]).toEqual([0, 0]);
});

it("startsOf() spreads nodes without overlap, with those in no community outermost", () => {
  const groups = Int32Array.from({ length: 90 }, (_, node) => (node < 50 ? 0 : node < 80 ? 1 : -1));
  const places = startsOf(groups, 2);
  const middle = { x: 0, y: 0 };
  for (const [at, one] of places.entries()) {
    for (const other of places.slice(at + 1)) expect(between(one, other)).toBeGreaterThan(2);
  }
  const farthest = Math.max(...places.slice(0, 50).map((place) => between(place, middle)));
  for (const lonely of places.slice(80)) expect(between(lonely, middle)).toBeGreaterThan(farthest);
});

it("startsOf() places communities on a spiral with a constant angle between them", () => {
  const [first, ...others] = startsOf(
    Int32Array.from({ length: 12 }, (_, node) => node),
    12,
  );
  const from = others.map(({ x, y }) => ({ x: x - (first?.x as number), y: y - (first?.y as number) }));
  const middle = { x: 0, y: 0 };
  const lengths = from.map((place) => between(place, middle));
  for (const [at, length] of lengths.entries())
    expect(length / (lengths[0] as number)).toBeCloseTo(Math.sqrt((at + 2) / 2), 9);
  const turn = (one: { x: number; y: number }, other: { x: number; y: number }) =>
    (Math.atan2(other.y, other.x) - Math.atan2(one.y, one.x) + 4 * Math.PI) % (2 * Math.PI);
  const turns = from.slice(1).map((place, at) => turn(from[at] as never, place));
  for (const each of turns) expect(each).toBeCloseTo(turns[0] as number, 9);
});

it("radiusOf() grows with the number of relationships, from 3 to 14", () => {
  const radii = [0, 1, 4, 25, 10_000].map(radiusOf);
  expect(radii).toEqual([...radii].sort((a, b) => a - b));
  expect(new Set(radii).size).toBe(5);
  expect([radii[0], radii.at(-1)]).toEqual([3, 14]);
});
