import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Dimension, type Group, type GroupRank, Groups } from "../../../src/metering/usage/groups.ts";
import type { Origin } from "../../../src/metering/usage/origins.ts";

const origin = (more: Partial<Origin> = {}): Origin => ({
  ...{ accountId: "acc_1", projectId: "p", keyId: "k", userId: "u", tool: "" },
  ...more,
});

async function inOrder(groups: Groups, rank?: GroupRank): Promise<Group[]> {
  const all: Group[] = [];
  for await (const { group } of groups.sorted(rank)) all.push(group);
  return all;
}

describe("Groups", () => {
  const use = fc.record({
    type: fc.constantFrom("api_calls" as const, "mcp_calls" as const, "refused" as const),
    count: fc.integer({ min: 1, max: 9 }),
    userId: fc.constantFrom("ann", "bob", ""),
    tool: fc.constantFrom("search", "build", ""),
  });
  const choices: Dimension[][] = [[], ["user"], ["tool"], ["user", "tool"]];

  it("adds each use to its group and to the totals, with refusals counted separately", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(use), fc.constantFrom(...choices), async (uses, dimensions) => {
        const groups = new Groups(dimensions);
        for (const { type, count, ...from } of uses) groups.add(type, count, origin(from));
        const names = ({ userId, tool }: { userId: string; tool: string }) =>
          [dimensions.includes("user") && userId, dimensions.includes("tool") && tool].join();
        const sum = (some: typeof uses, type: string) =>
          some.filter((each) => each.type === type).reduce((total, { count }) => total + count, 0);
        const expectSums = (group: Group, some: typeof uses) => {
          const [api, mcp, refused] = ["api_calls", "mcp_calls", "refused"].map((type) => sum(some, type));
          expect(group).toMatchObject({ counts: { api_calls: api, mcp_calls: mcp }, refused });
          expect(group.total).toBe((api as number) + (mcp as number));
        };
        const found = await inOrder(groups);
        expect(groups.size).toBe(new Set(uses.map(names)).size);
        expect(found).toHaveLength(groups.size);
        for (const group of found)
          expectSums(
            group,
            uses.filter((each) => names(each) === names(group.origin)),
          );
        expectSums(groups.totals, uses);
      }),
      { numRuns: 50 },
    );
  });
});

describe("Groups.sorted()", () => {
  it("sorts by total, then by refusals, then by name", async () => {
    const groups = new Groups(["user"]);
    const add = (userId: string, used: number, refused: number) => {
      if (used > 0) groups.add("api_calls", used, origin({ userId }));
      if (refused > 0) groups.add("refused", refused, origin({ userId }));
    };
    add("d", 1, 0);
    add("e", 0, 9);
    add("c", 1, 2);
    add("b", 3, 0);
    add("a", 1, 2);
    const names = (await inOrder(groups)).map(({ origin: { userId } }) => userId);
    expect(names).toEqual(["b", "a", "c", "d", "e"]);
    const least = await inOrder(groups, ({ total }) => [total]);
    expect(least.map(({ origin: { userId } }) => userId)).toEqual(["e", "a", "c", "d", "b"]);
  });

  it.each([0, 1, 1999, 2000, 2001, 4100])("returns all of %i groups in order", async (count) => {
    const groups = new Groups(["user"]);
    const figure = (at: number) => 1 + ((at * 7919) % 997);
    for (let at = 0; at < count; at++)
      groups.add("api_calls", figure(at), origin({ userId: `u${String(at).padStart(5, "0")}` }));
    const expected = Array.from({ length: count }, (_, at) => at).sort(
      (left, right) => figure(right) - figure(left) || left - right,
    );
    const found = (await inOrder(groups)).map(({ origin: { userId } }) => Number(userId.slice(1)));
    expect(found).toEqual(expected);
  });
});
