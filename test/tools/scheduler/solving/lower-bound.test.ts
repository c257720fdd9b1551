import { describe, expect, it } from "vitest";
import { planned, tasks } from "../project.ts";

describe("the lower bound", () => {
  it("is the longest chain, releases included", () => {
    const { found } = planned({
      tasks: [
        { id: "a", durationMs: 2, earliestStartMs: 7 },
        { id: "b", durationMs: 3, dependsOn: ["a"] },
      ],
    });
    expect(found.lowerBoundMs).toBe(12);
  });

  it("is the work that a resource must do between the heads and tails of its tasks", () => {
    const { found } = planned({
      capacity: { gpu: 1 },
      tasks: [
        { id: "load", durationMs: 4 },
        ...["x", "y", "z"].map((id) => ({ id, durationMs: 5, dependsOn: ["load"], resources: { gpu: 1 } })),
        { id: "save", durationMs: 2, dependsOn: ["x", "y", "z"] },
      ],
    });
    expect(found).toMatchObject({ lowerBoundMs: 21, makespanMs: 21, gap: 0 });
  });

  it("rounds up to what durations can add up to", () => {
    const { found } = planned({ tasks: tasks("a 10", "b 10", "c 10"), workers: 2 });
    expect(found).toMatchObject({ lowerBoundMs: 20, makespanMs: 20, gap: 0 });
  });
});
