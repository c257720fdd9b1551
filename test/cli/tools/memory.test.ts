import { describe, expect, it } from "vitest";
import { startOwner } from "../support/owner.ts";

describe("tool memory", () => {
  it("stores, merges, recalls, counts and forgets memories", async () => {
    const { tool, start } = await startOwner();
    const nothing = "No memory matches. Store one with: tool memory store <text>\n";
    expect((await tool("memory", "recall")).stdout).toBe(nothing);
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
    expect((await tool("memory", "recall", "zeppelin")).stdout).toBe(nothing);
    expect((await tool("memory", "stats")).stdout).toMatch(/Memories +1, \d+ B of text\nKinds +1 decision\n/);
    expect((await tool("memory", "forget", id)).stdout).toBe(`✔ ${id} forgotten\n`);
    expect((await tool("memory", "forget", id)).code).toBe(1);
    expect((await tool("memory", "store", "x", "--importance", "2")).code).toBe(2);
  });

  it("recalls and lists only the memories of an agent or a conversation", async () => {
    const { tool } = await startOwner();
    await tool("memory", "store", "Deploys are frozen on Fridays", "--agent", "ada");
    await tool("memory", "store", "Deploys need a review", "--agent", "bob", "--thread", "standup");
    for (const command of [["recall", "deploys"], ["recall"], ["list"]]) {
      const found = async (...filter: string[]) => {
        const { json } = await tool("memory", ...command, ...filter, "--json");
        return json.items.map(({ memory }: { memory: { agent: string } }) => memory.agent);
      };
      expect((await found()).sort(), command.join(" ")).toEqual(["ada", "bob"]);
      expect(await found("--agent", "ada"), command.join(" ")).toEqual(["ada"]);
      expect(await found("--thread", "standup"), command.join(" ")).toEqual(["bob"]);
      expect(await found("--thread", "standup", "--agent", "ada"), command.join(" ")).toEqual([]);
    }
  });
});
