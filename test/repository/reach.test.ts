import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { filesNamed } from "../../src/repository/find-file.ts";
import { type Direction, reach, wayBetween } from "../../src/repository/reach.ts";
import type { Edge } from "../../src/repository/repository.ts";

const NODES = ["a", "b", "c", "d", "e", "f", "g"];
const edges = fc.array(fc.record({ from: fc.constantFrom(...NODES), to: fc.constantFrom(...NODES) }), {
  maxLength: 15,
});
const direction = fc.constantFrom<Direction>("in", "out", "both");

/** Computes the hops between all pairs (Floyd and Warshall). */
function distances(found: readonly Edge[], way: Direction): Map<string, number> {
  const hops = new Map<string, number>();
  for (const { from, to } of found) {
    if (way !== "in") hops.set(from + to, 1);
    if (way !== "out") hops.set(to + from, 1);
  }
  const at = (from: string, to: string) => (from === to ? 0 : (hops.get(from + to) ?? Infinity));
  for (const middle of NODES)
    for (const from of NODES)
      for (const to of NODES) hops.set(from + to, Math.min(at(from, to), at(from, middle) + at(middle, to)));
  return hops;
}

describe("reach() and wayBetween()", () => {
  it("find every reachable node, with its distance and a shortest way", () => {
    fc.assert(
      fc.property(
        edges,
        direction,
        fc.constantFrom(...NODES),
        fc.constantFrom(undefined, 1, 2),
        (found, way, start, depth) => {
          const hops = distances(found, way);
          const reached = reach(found, [start], { direction: way, ...(depth !== undefined && { depth }) });
          const expected = NODES.filter(
            (node) => node !== start && (hops.get(start + node) ?? Infinity) <= (depth ?? 99),
          );
          expect(reached.map(({ path }) => path).sort()).toEqual(expected);
          for (const each of reached) {
            expect(each.distance).toBe(hops.get(start + each.path));
            expect(each.way).toHaveLength(each.distance);
            let at = start;
            for (const { from, to } of each.way) at = at === from ? to : from;
            expect(at).toBe(each.path);
          }
          const order = reached.map(({ distance, path }) => `${distance}${path}`);
          expect(order).toEqual([...order].sort());
        },
      ),
    );
  });

  it("reach the end of a long chain without a copy of the way to each of its links", () => {
    const link = (at: number) => String(at).padStart(6, "0");
    // All the ways together are 20 thousand million steps.
    const chain = Array.from({ length: 200_000 }, (_, at) => ({ from: link(at), to: link(at + 1) }));
    const reached = reach(chain, [link(0)], { direction: "out" });
    expect(reached).toHaveLength(chain.length);
    expect(reached.at(-1)?.way).toEqual(chain);
  });

  it("prefer a shortest way in one direction", () => {
    fc.assert(
      fc.property(edges, fc.constantFrom(...NODES), fc.constantFrom(...NODES), (found, start, goal) => {
        const hops = distances(found, "both").get(start + goal) ?? Infinity;
        const way = wayBetween(found, start, goal, "both");
        expect(way?.length ?? Infinity).toBe(start === goal ? 0 : hops);
        if (!way || start === goal) return;
        const steps: string[] = [];
        let at = start;
        for (const { from, to } of way) {
          steps.push(from === at ? "out" : "in");
          at = from === at ? to : from;
        }
        const meant = (["out", "in"] as const).find(
          (each) => distances(found, each).get(start + goal) === hops,
        );
        if (meant) expect(new Set(steps)).toEqual(new Set([meant]));
      }),
    );
  });

  it("choose the forward edge of two opposite ones, in any order of the list", () => {
    const found = [
      { from: "z", to: "m" },
      { from: "a", to: "z" },
      { from: "m", to: "z" },
      { from: "m", to: "c" },
      { from: "d", to: "c" },
    ];
    for (const list of [found, [...found].reverse()]) {
      expect(wayBetween(list, "z", "m", "both")).toEqual([{ from: "z", to: "m" }]);
      expect(wayBetween(list, "m", "z", "both")).toEqual([{ from: "m", to: "z" }]);
      // No directed path connects the two.
      expect(wayBetween(list, "a", "d", "both")?.slice(0, 2)).toEqual([
        { from: "a", to: "z" },
        { from: "z", to: "m" },
      ]);
    }
  });

  it("measure the distance from the nearest of several starts", () => {
    const found = [
      { from: "b", to: "a" },
      { from: "c", to: "b" },
      { from: "d", to: "c" },
    ];
    expect(
      reach(found, ["a", "c"], { direction: "in" }).map(({ path, distance }) => path + distance),
    ).toEqual(["b1", "d1"]);
    expect(wayBetween(found, "a", "a", "out")).toEqual([]);
    expect(wayBetween(found, "a", "d", "out")).toBeUndefined();
  });
});

describe("filesNamed()", () => {
  const leftOut = {
    binary: [],
    generated: ["lib/made.js"],
    minified: [],
    large: [],
    link: [],
    absent: [],
    submodule: [],
    unreadable: [],
  };
  const files = new Map(
    ["a.js", "lib/a.js", "lib/b.js", "test/lib/b.js", "xlib/b.js"].map((path) => [path, {} as never]),
  );
  const linked = new Map([
    ["alias.js", "lib/a.js"],
    ["mirror/lib/a.js", "lib/a.js"],
  ]);
  const repository = { files, leftOut, linked, edges: [{ from: "a.js", to: "picture.svg" }] };

  it.each([
    ["a.js", "", ["a.js"]],
    ["a.js", "lib", ["lib/a.js"]],
    ["../a.js", "lib", ["a.js"]],
    ["./lib/b.js", "", ["lib/b.js"]],
    ["b.js", "", ["lib/b.js", "test/lib/b.js", "xlib/b.js"]],
    ["lib/b.js", "test", ["test/lib/b.js"]],
    ["made.js", "", ["lib/made.js"]],
    ["picture.svg", "", ["picture.svg"]],
    ["alias.js", "", ["lib/a.js"]],
    ["alias.js", "lib", ["lib/a.js"]],
    ["mirror/lib/a.js", "", ["lib/a.js"]],
    ["ib/a.js", "", []],
    ["A.js", "", []],
    ["", "", []],
  ])("resolves %j in %j to %j", (name, from, paths) => {
    expect(filesNamed(repository, name, from)).toEqual(paths);
  });
});
