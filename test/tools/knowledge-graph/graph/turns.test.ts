import { describe, expect, it } from "vitest";
import { finish, type Steps } from "../../../../src/store/projection.ts";
import { GraphProjection } from "../../../../src/tools/knowledge-graph/graph/graph-projection.ts";
import { inOrder } from "../../../../src/tools/knowledge-graph/graph/in-order.ts";
import { layout } from "../../../../src/tools/knowledge-graph/graph/layout/layout.ts";

const turns = (steps: Steps<unknown>) => [...steps].length;
const times = { createdAt: 0, updatedAt: 0 };

describe("long work", () => {
  it.each([
    [0, 0],
    [1000, 1],
    [1025, 3],
    [10_240, 10 + 40],
  ])("sorts %i numbers with %i pauses for other work", (count, expected) => {
    const numbers = Array.from({ length: count }, (_, at) => (at * 7919) % 10_007);
    const isBefore = (one: number, other: number) => one < other;
    expect(turns(inOrder(numbers, isBefore))).toBe(expected);
    expect(finish(inOrder(numbers, isBefore))).toEqual(numbers.toSorted((one, other) => one - other));
  });

  it("pauses after every 5,000 entities or relationships", () => {
    const projection = new GraphProjection();
    for (let at = 0; at < 10_000; at++)
      finish(projection.putEntity(String(at), { type: "t", name: "", ...times }, 1));
    expect(turns(projection.typeCounts())).toBe(2);
    const drawn = () => turns(layout(projection, { type: "none", depth: 1, limit: 1 }));
    const before = drawn();
    finish(projection.putEntity("a", { type: "a", name: "", ...times }, 1));
    for (let at = 0; at < 10_000; at++) {
      const loop = { from: "a", to: "a", type: `t${at}`, ...times };
      finish(projection.putRelationship(`${at}`, loop, 1));
    }
    const first = layout(projection, { type: "a", depth: 1, limit: 1 });
    const second = layout(projection, { type: "none", depth: 1, limit: 2 });
    expect(turns(second)).toBe(before);
    expect(turns(first)).toBe(before + 2);
  });
});
