import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { user } from "../support/tool.ts";

/** A server that does not exist, since a repository is searched locally. */
const NOWHERE = { TOOL_BASE_URL: "http://127.0.0.1:9", TOOL_TOKEN: "tak_x" };

const FILES = {
  ".gitignore": ".cache\n.local\n.config\nbuild/\n",
  "src/headers.ts": "export function parseHeader(text: string) {\n  return text;\n}\n",
  "src/cache.ts": "export function evict() {\n  return 1;\n}\n",
  "docs/guide.md": "# Headers\n\nThey are parsed from text.\n",
  "build/headers.js": "function parseHeader() {}\n",
};

function inRepository() {
  const person = user(NOWHERE);
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(join(person.home, path, ".."), { recursive: true });
    writeFileSync(join(person.home, path), text);
  }
  execFileSync("git", ["init", "--quiet"], { cwd: person.home, env: person.env });
  return person;
}

describe("tool locate", () => {
  it("finds files and functions of the repository, without those that git ignores", async () => {
    const { tool } = inRepository();
    const { code, stdout } = await tool("locate", "where", "is", "a", "header", "parsed");
    expect(stdout).toMatch(/^src\/headers\.ts\n {2}src\/headers\.ts:1-3 {2}parseHeader$/m);
    expect(stdout).toContain("Its path has header.");
    expect(stdout).not.toContain("build/");
    expect(code).toBe(0);
  });

  it("reads the query from stdin, and searches only the paths of --in", async () => {
    const { piped } = inRepository();
    const { code, json } = await piped(
      "parsed headers\n".repeat(5000),
      "locate",
      "-",
      "--in",
      "docs",
      "--json",
    );
    expect(json.files.map(({ path }: { path: string }) => path)).toEqual(["docs/guide.md"]);
    expect(code).toBe(0);
  });

  it("exits with 3 without a match, and with 2 without a query or files", async () => {
    const { tool } = inRepository();
    expect((await tool("locate", "zebra")).code).toBe(3);
    expect((await tool("locate")).code).toBe(2);
    expect((await tool("locate", "header", "--in", "*.rs")).code).toBe(2);
  });
});

describe("tool context in a repository", () => {
  it("reads the whole repository, and names the file of each piece", async () => {
    const { tool } = inRepository();
    const { code, stdout, stderr } = await tool("context", "--budget", "90%", "--query", "parse a header");
    expect(stdout).toContain("==> src/headers.ts <==\nexport function parseHeader");
    expect(stdout).not.toContain("build/headers.js");
    expect(stderr).toMatch(/tokens kept/);
    expect(code).toBe(0);
  });

  it("expands globs and directories", async () => {
    const { tool } = inRepository();
    const { json } = await tool("context", "src/*.ts", "docs", "--budget", "1000", "--json");
    expect(json.segments.map(({ id }: { id: string }) => id)).toEqual([
      "docs/guide.md",
      "src/cache.ts",
      "src/headers.ts",
    ]);
    expect((await tool("context", "nothing/*.ts", "--budget", "9")).code).toBe(2);
  });
});
