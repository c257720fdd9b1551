import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { OWNER_KEY, startApp } from "../../support/app.ts";
import { user } from "../support/tool.ts";

describe("tool context", () => {
  it("prints what fits, with the files' names, and says on stderr what was left out", async () => {
    const app = await startApp();
    const { tool, home } = user({ TOOL_BASE_URL: app.url, TOOL_TOKEN: OWNER_KEY });
    writeFileSync(join(home, "a.md"), "Ships sail the sea. Bread is baked from flour. ".repeat(8));
    writeFileSync(join(home, "b.md"), "Nothing of interest is written here at all.\n");
    const query = ["--query", "what is bread baked from"];
    const fitted = await tool("context", "a.md", "b.md", "--budget", "40", ...query);
    expect(fitted.code, fitted.stderr).toBe(0);
    expect(fitted.stdout).toContain("==> a.md <==\n");
    expect(fitted.stdout).toContain("Bread is baked from flour.");
    expect(fitted.stderr).toMatch(
      /\d+ of \d+ tokens kept \([\d.]+ %\): \d files? whole, \d in part, \d left out/,
    );
    const half = await tool("context", "a.md", "--budget", "50%", "--json");
    expect(half.json.tokens.after).toBeLessThanOrEqual(half.json.tokens.before / 2);
    expect((await tool("context", "a.md", "--budget", "0%")).code).toBe(2);
    expect((await tool("context", "missing.md", "--budget", "9")).code).toBe(1);
  });
});
