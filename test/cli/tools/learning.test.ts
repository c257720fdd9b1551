import { describe, expect, it } from "vitest";
import { projectOf } from "../../tools/learning/learning.ts";
import { startOwner } from "../support/owner.ts";

describe("tool learning", () => {
  it("records a benchmark, compares projects, and shares a masked pattern", async () => {
    const { app, tool } = await startOwner({}, { TOOL_PROJECT: "shop" });
    const refused = await tool("learning", "insights");
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain("tool projects set shop --learning on");
    expect((await tool("projects", "set", "shop", "--learning", "on")).code).toBe(0);
    expect((await tool("learning", "insights")).stdout).toBe(
      "Nothing was measured yet. Record something: tool learning benchmark build_duration 212\n",
    );
    const measure = ["learning", "benchmark", "build_duration", "240", "--unit", "s", "--size", "5000"];
    expect((await tool(...measure)).stdout).toBe(
      "✔ build duration 240 s recorded\nNot enough projects measure this to say something about them.\n",
    );
    const others = [1, 2, 3, 4].map((each) => projectOf(app, `other-${each}`));
    for (const [index, other] of others.entries()) {
      await other.set(true);
      await other.measure(15 * 2 ** index, { context: { size: 5000 } });
    }
    await others[0]?.share({ title: "Cache it", description: "Line one\nLine two", category: "build" });
    const insights = await tool("learning", "insights", "--type", "build_duration");
    expect(insights.stdout).toBe(
      [
        "build duration      240 s  █  1 measurement, no trend yet",
        "                    better than about 0 % of 4 other projects",
        "                    1e3-1e4 lines: half up to 50.1 s, nine in ten up to 170.1 s",
        "  › Cache it",
        "    Line one",
        "    Line two",
        "",
      ].join("\n"),
    );
    expect((await tool("learning", "insights", "--json")).json.items).toHaveLength(6);
    const again = await tool(...measure, "--json");
    expect(again.json).toMatchObject({ type: "build_duration", value: 240, cohort: { status: "ok" } });
    const shared = await tool("learning", "pattern", "Faster shop", "See /srv/shop", "--category", "build");
    expect(shared.stdout).toMatch(
      /^✔ shared as pat_\w+\nFaster \[name\]\nSee \[path\]\nMasked before anything was kept: name, path\n$/,
    );
    expect((await tool("learning", "benchmark", "vibes", "1")).code).toBe(2);
    expect((await tool("learning", "benchmark", "build_duration", "x")).code).toBe(2);
    expect((await tool("learning", "pattern", "x", "y")).code).toBe(2);
  });
});
