import { execFileSync } from "node:child_process";
import { readdirSync, realpathSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { user } from "../../support/tool.ts";

/** Creates a repository with a commit and a change, for a user who is not signed in. */
function inRepository() {
  const { home, toolIn } = user({ TOOL_BASE_URL: "http://127.0.0.1:9", DO_NOT_TRACK: "1" });
  const at = (...path: string[]) => join(realpathSync(home), ...path);
  const git = (...words: string[]) =>
    execFileSync("git", ["-c", "user.name=Ada", "-c", "user.email=ada@example.org", ...words], {
      cwd: at("shop"),
      stdio: "pipe",
    });
  execFileSync("git", ["init", "--quiet", at("shop")], { stdio: "pipe" });
  writeFileSync(at("shop", "app.ts"), "export const app = 1;\n");
  writeFileSync(at("shop", ".gitignore"), "*.log\n");
  git("add", "--all");
  git("commit", "--quiet", "--message", "one");
  writeFileSync(at("shop", "app.ts"), "export const app = (request) => eval(request.query.code);\n");
  return { at, git, toolIn };
}

describe("a repository that is there, but that git cannot read", () => {
  it.each<[string, (repository: ReturnType<typeof inRepository>) => string, RegExp]>([
    [
      "its HEAD is damaged",
      ({ at }) => {
        writeFileSync(at("shop/.git/HEAD"), "garbage\n");
        return at("shop");
      },
      /not a git repository/,
    ],
    [
      "its index is damaged",
      ({ at }) => {
        writeFileSync(at("shop/.git/index"), "garbage\n");
        return at("shop");
      },
      /index/,
    ],
    [
      "it is a work tree of one that was moved",
      ({ at, git }) => {
        git("worktree", "add", "--quiet", at("tree"));
        renameSync(at("shop"), at("moved"));
        return at("tree");
      },
      /not a git repository: \S+worktrees.tree/,
    ],
  ])("is read without git, with what git says of it: %s", async (_, damage, said) => {
    const repository = inRepository();
    const top = damage(repository);
    const tool = repository.toolIn(top);
    const message = `git cannot read the repository in ${top}, and says: `;
    const diff = await tool("graph", "impact", "--diff");
    expect([diff.code, diff.stderr]).toEqual([1, expect.stringContaining(message)]);
    expect(diff.stderr).toMatch(said);
    const scan = await tool("graph", "scan", "--json");
    expect([scan.code, scan.json.files, scan.stderr]).toEqual([0, 1, expect.stringContaining(message)]);
  });

  it("is reviewed in whole files, which says so", async () => {
    const { at, toolIn } = inRepository();
    const tool = toolIn(at("shop"));
    expect((await tool("review")).stderr).toBe("");
    writeFileSync(at("shop/.git/HEAD"), "garbage\n");
    const { code, stdout, stderr } = await tool("review");
    expect([code, stdout]).toEqual([0, expect.stringContaining("code-evaluation")]);
    expect(stderr).toMatch(/^git cannot read the repository in \S+shop, .* whole files are reviewed\.$/m);
  });

  it("is not taken for none if objects are missing", async () => {
    const { at, toolIn } = inRepository();
    for (const folder of readdirSync(at("shop/.git/objects")))
      if (folder.length === 2) rmSync(at("shop/.git/objects", folder), { recursive: true });
    const { code, stderr } = await toolIn(at("shop"))("graph", "impact", "--diff");
    expect([code, stderr]).toEqual([1, expect.stringContaining("and says: bad object ")]);
  });
});

it("a file is found by its name even with a backslash in it", async () => {
  const { at, toolIn } = inRepository();
  writeFileSync(at("shop", "back\\slash.ts"), 'import "./app.ts";\n');
  const { code, stdout } = await toolIn(at("shop"))("graph", "show", "back\\slash.ts");
  expect([code, stdout]).toEqual([0, expect.stringContaining("back\\slash.ts")]);
});
