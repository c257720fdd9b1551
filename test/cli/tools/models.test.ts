import { describe, expect, it } from "vitest";
import { catalogueFile } from "../../tools/models/models.ts";
import { startOwner } from "../support/owner.ts";

describe("tool models", () => {
  it("lists matching models as a table or as JSON, and suggests a provider", async () => {
    const { tool } = await startOwner({ modelsFile: catalogueFile() });
    const all = await tool("models", "list");
    expect(all.stdout).toMatch(/^Model +Context +Output +In +Out +Released +Can$/m);
    expect(all.stdout).toMatch(/^ash\/large +1 M +64 k +10 +40 +2026-01-01 +reasoning tool_call vision$/m);
    expect(all.stdout).toMatch(/^5 models; USD for a million tokens, as of 2026-03-04$/m);
    const cheap = await tool(
      "models",
      "list",
      "--capability",
      "tool_call",
      "--max-input-usd",
      "1",
      "--min-context",
      "1000",
      "--json",
    );
    expect(cheap.json.items.map(({ id }: { id: string }) => id)).toEqual(["ancient", "middle", "small"]);
    const none = "No model fits (catalogue of 2026-03-04).\n";
    for (const [words, said] of [
      [["--provider", "nobody"], /^It has no provider "nobody"\. There are ash, .*elm.*\.\n$/],
      [["--provider", "ahs"], /^It has no provider "ahs"\. Did you mean ash\?\n$/],
      [["--provider", "ash", "--min-context", "900000000"], /^$/],
      [["--min-context", "900000000"], /^$/],
    ] as const) {
      const { code, stdout } = await tool("models", "list", ...words);
      expect([code, stdout.slice(0, none.length)]).toEqual([0, none]);
      expect(stdout.slice(none.length)).toMatch(said);
    }
  });

  it("selects a model with reasons, and learns from outcomes", async () => {
    const { tool } = await startOwner({ modelsFile: catalogueFile() });
    const first = await tool(
      "models",
      "select",
      "--kind",
      "code",
      "--objective",
      "quality",
      "Add",
      "a",
      "retry",
    );
    expect(first.code).toBe(0);
    expect(first.stdout).toMatch(/^✔ ash\/large {2}0\.04\d* USD$/m);
    expect(first.stdout).toMatch(/^ {2}The prompt asks for a program and reads as easy /m);
    expect(first.stdout).toMatch(/^elm\/middle +0\.00\d+ USD +100 k$/m);
    expect(first.stdout).toMatch(/^2 models of 5 did not fit; --json says why\.$/m);
    for (let times = 1; times <= 8; times++) {
      const { stdout } = await tool(
        "models",
        "outcome",
        "ash/large",
        "failure",
        "--kind",
        "code",
        "--latency",
        "900",
      );
      expect(stdout).toBe(`✔ Recorded. ash/large did 0 of ${times} code tasks here.\n`);
    }
    const then = await tool(
      "models",
      "select",
      "--kind",
      "code",
      "--objective",
      "quality",
      "--json",
      "Add a retry",
    );
    expect(then.json.selected).toMatchObject({ provider: "elm", id: "middle" });
    const bound = ["--needs", "tool_call", "--max-cost", "0.001", "--not-provider", "elm,ash", "--json"];
    expect((await tool("models", "select", ...bound)).json.selected.id).toBe("small");
  });

  it("reads the prompt from stdin", async () => {
    const { piped } = await startOwner({ modelsFile: catalogueFile() });
    const { stdout } = await piped("hello world", "models", "select", "-", "--json");
    expect(JSON.parse(stdout)).toMatchObject({ estimate: { inputTokens: 2 }, difficulty: { words: 2 } });
  });

  it("states the presumed input size without a prompt or a size", async () => {
    const { tool } = await startOwner({ modelsFile: catalogueFile() });
    const presumed = "1,000 tokens of input are presumed";
    expect((await tool("models", "select")).stdout.replace(/\s+/g, " ")).toContain(presumed);
    expect((await tool("models", "select", "--input-tokens", "7")).stdout).not.toContain("presumed.");
  });

  it("reports invalid options, an unknown model, and the nearest model over the cost limit", async () => {
    const { tool } = await startOwner({ modelsFile: catalogueFile() });
    const nothing = await tool("models", "select", "--max-cost", "0");
    expect([nothing.code, nothing.stderr]).toEqual([1, expect.stringContaining("The nearest is oak/small")]);
    for (const [expected, ...words] of [
      [/vision/, "list", "--capability", "magic"],
      [/number/, "list", "--max-input-usd", "cheap"],
      [/less than 0/, "select", "--max-cost", "-1"],
      [/--kind/, "outcome", "ash/large", "success"],
      [/success/, "outcome", "ash/large", "perhaps", "--kind", "chat"],
    ] as const) {
      const { code, stderr } = await tool("models", ...words);
      expect([code, stderr]).toEqual([2, expect.stringMatching(expected)]);
    }
    const unknown = await tool("models", "outcome", "ash/larch", "success", "--kind", "chat");
    expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining("no such model")]);
  });
});
