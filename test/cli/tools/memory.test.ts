import { describe, expect, it } from "vitest";
import { startOwner } from "../support/owner.ts";

describe("tool memory", () => {
  it("stores, merges, recalls, counts and forgets memories", async () => {
    const { tool, start } = await startOwner();
    expect((await tool("memory", "recall")).stdout).toContain("Nothing is remembered");
    const words = ["Deploys", "are", "frozen", "on", "Fridays"];
    const stored = await tool(
      "memory",
      "store",
      ...words,
      "--kind",
      "decision",
      "--tag",
      "ops,release",
      "--json",
    );
    expect(stored.code, stored.stderr).toBe(0);
    const { id } = stored.json.memory;
    expect(stored.json.memory).toMatchObject({ kind: "decision", tags: ["ops", "release"] });
    const again = await tool("memory", "store", "deploys are frozen on Fridays!");
    expect(again.stdout).toContain(`merged into ${id}`);
    const recalled = await tool("memory", "recall", "frozen", "deploy");
    expect(recalled.stdout).toMatch(
      /^Deploys are frozen on Fridays\nmem_\w+ · decision · .* · says frozen, deploy\n$/,
    );
    const plain = await start(["memory", "recall", "frozen"], { LANG: "C", LC_ALL: "C" }).finished;
    expect(plain.stdout).toMatch(/mem_\w+ - decision - /);
    expect((await tool("memory", "recall", "--json", "deploys")).json.items).toHaveLength(1);
    expect((await tool("memory", "list", "--json", "--project", "default")).json.items).toHaveLength(1);
    expect((await tool("memory", "recall", "zeppelin")).stdout).toBe("Nothing matches.\n");
    expect((await tool("memory", "stats")).stdout).toMatch(/Memories +1, \d+ B of text\nKinds +1 decision\n/);
    expect((await tool("memory", "forget", id)).stdout).toBe(`✔ ${id} forgotten\n`);
    expect((await tool("memory", "forget", id)).code).toBe(1);
    expect((await tool("memory", "store", "x", "--importance", "2")).code).toBe(2);
  });
});
