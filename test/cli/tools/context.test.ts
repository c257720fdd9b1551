import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { startOwner } from "../support/owner.ts";
import { user } from "../support/tool.ts";

/** A server that does not exist, since the command computes locally. */
const NOWHERE = { TOOL_BASE_URL: "http://127.0.0.1:9", DO_NOT_TRACK: "1" };

describe("tool context", () => {
  it("prints the parts that fit the budget under file names, and counts the rest on stderr", async () => {
    const { tool, home } = await startOwner();
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

  it("names a file whose name no answer can hold", async () => {
    const { tool, home } = user(NOWHERE);
    writeFileSync(join(home, "new\nline.ts"), "");
    const { code, stderr } = await tool("context", "new\nline.ts", "--budget", "9");
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining("line.ts has control characters in its name."),
    ]);
  });

  it("counts file headings in the tokens before and after fitting", async () => {
    const { tool, home } = user(NOWHERE);
    const names = ["1", "2", "3", "4", "5", "6"].map((each) => `f${each}.js`);
    for (const name of names) writeFileSync(join(home, name), `const v = "${name}";\n`);
    const all = await tool("context", ...names, "--budget", "1000");
    expect(all.stderr).toMatch(/(\d+) of \1 tokens kept \(100 %\): 6 files whole, 0 in part, 0 left out/);
    const some = await tool("context", ...names, "--budget", "40", "--query", "f3", "--json");
    expect(some.json.tokens.after).toBeLessThan(some.json.tokens.before);
  });

  it("says if nothing in a repository is about the question, or there is nothing to read", async () => {
    const { tool, home } = user(NOWHERE);
    execFileSync("git", ["init", "--quiet"], { cwd: home, stdio: "pipe" });
    writeFileSync(join(home, ".gitignore"), "*\n!*.js\n!.gitignore\n");
    const none = await tool("context", "--budget", "100", "--query", "refresh tokens");
    expect(none.stderr).toContain("is about that: ask in other words, or without --query.");
    expect([none.code, none.stdout]).toEqual([0, ""]);
    writeFileSync(join(home, "a.js"), "export const refreshTokens = 1;\n");
    const found = await tool("context", "--budget", "100", "--query", "refresh tokens");
    expect(found.stderr).toMatch(/tokens kept \(100 %\)/);
  });

  it("leaves out binary files with a message", async () => {
    const { tool, home, piped } = user(NOWHERE);
    const binary = Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 1, 27, 91, 0]);
    writeFileSync(join(home, "program"), binary);
    writeFileSync(join(home, "a.md"), "Bread is baked from flour.\n");
    const both = await tool("context", "program", "a.md", "--budget", "100");
    expect([both.code, both.stdout]).toEqual([0, "Bread is baked from flour.\n"]);
    expect(both.stderr).toContain("Left out: program is binary.");
    const alone = await tool("context", "program", "--budget", "100");
    expect([alone.code, alone.stdout]).toEqual([2, ""]);
    expect(alone.stderr).toContain("program is binary");
    expect((await tool("locate", "bread", "--in", "program")).code).toBe(2);
    expect(await piped(binary, "context", "-", "--budget", "100")).toMatchObject({
      code: 2,
      stdout: "",
      stderr: expect.stringContaining("stdin is binary"),
    });
  });
});
