import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, realpathSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { OWNER_KEY, sharedApp } from "../../support/app.ts";
import { ownerOf } from "../support/owner.ts";
import { user } from "../support/tool.ts";

// A review leaves nothing on the server that another one sees.
const app = sharedApp();

/** Creates a user of the server in a repository with one commit. */
async function inRepository(environment: Record<string, string> = {}) {
  const person = ownerOf(app(), environment);
  const { home, env } = person;
  const git = (...words: string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b.c", ...words], {
      cwd: home,
      env,
    }).toString();
  const write = (file: string, text: string) => writeFileSync(join(home, file), text);
  git("init", "--quiet", "--initial-branch=main");
  write(".gitignore", ".cache\n.local\n.config\nignored.ts\n");
  write("app.ts", "export const a = 1;\n");
  git("add", ".");
  git("commit", "--quiet", "-m", "one");
  return { ...person, git, write };
}

const EVAL = "export function run(req) {\n  return eval(req.query.code);\n}\n";

describe("tool review", () => {
  it("reviews uncommitted changes and new files by file, and leaves the index unchanged", async () => {
    const { tool, write, git, home } = await inRepository();
    const index = readFileSync(join(home, ".git/index"));
    write("app.ts", `export const a = 1;\n${EVAL}// tool-ignore debug-leftover: it is one\ndebugger;\n`);
    write("new file.py", "import os\n\ndef run(name):\n    os.system('ls ' + name)\n");
    write("ignored.ts", EVAL);
    const { code, stdout } = await tool("review");
    expect(stdout).toMatch(
      /^app\.ts\n {2}✖ 3:10 code-evaluation eval\(\) runs what a client sends as code\.\n {4}return eval\(req\.query\.code\);\n {4}Parse /m,
    );
    expect(stdout).toMatch(/^new file\.py\n {2}! 4:\d+ command-injection /m);
    expect(stdout).toMatch(/^✖ 1 error, 1 warning in 9 added lines in 2 files; score 75 of 100$/m);
    expect(stdout).toMatch(/^ {2}1 finding suppressed in the code$/m);
    expect(stdout).not.toContain("ignored.ts");
    expect(code).toBe(0);
    expect(readFileSync(join(home, ".git/index"))).toEqual(index);
    expect(git("status", "--porcelain")).toContain('?? "new file.py"');
  });

  it("follows values into unchanged files that changed ones import, and not with --context none", async () => {
    const { tool, write, git } = await inRepository();
    write(
      "shell.ts",
      'import { exec } from "node:child_process";\nexport const run = (name) => exec("ls " + name);\n',
    );
    git("add", ".");
    git("commit", "--quiet", "-m", "two");
    write("app.ts", 'import { run } from "./shell.js";\nexport const show = (req) => run(req.query.name);\n');
    const passed = "app.ts:2 this call passes it on to shell.ts:2.";
    const said = async (...words: string[]) =>
      JSON.parse((await tool("review", "--json", ...words)).stdout).findings.map(
        ({ file, line, message }: Record<string, string>) =>
          `${file}:${line} ${message?.replace(/^.*: /, "")}`,
      );
    expect(await said()).toEqual([passed]);
    expect(await said("--no-record")).toEqual([passed]);
    expect(await said("--context", "none")).toEqual([]);
    expect(await said("--all")).toEqual(["shell.ts:2 app.ts:2 passes it on."]);
    expect(await said("--all", "app.ts")).toEqual([passed]);
    for (let count = 1; count < 30; count++) write(`note${count}.ts`, "export const note = 1;\n");
    expect(await said()).toEqual([passed]);
    write("note30.ts", "export const note = 1;\n");
    // So that the review of a large change stays a matter of a second.
    expect(await said()).toEqual([]);
  });

  it("says of which languages it reads only little, in every format", async () => {
    const { tool, write } = await inRepository();
    const note =
      /Read only for secrets, weak settings and notes, not for injection: Elixir \(2 files\), Dart/;
    write("a.ex", 'def run(x), do: System.cmd("sh", ["-c", x])\n');
    write("b.exs", "x = 1\n");
    write("c.dart", "var x = 1;\n");
    const { stdout } = await tool("review");
    expect(stdout).toMatch(/^✔ No findings in 3 added lines in 3 files\.$/m);
    expect(stdout).toMatch(note);
    expect((await tool("review", "--json")).json.summary.littleRead).toEqual([
      { language: "Elixir", files: 2 },
      { language: "Dart", files: 1 },
    ]);
    expect((await tool("review", "--format", "github")).stdout).toMatch(note);
    write("new.ts", EVAL);
    expect((await tool("review")).stdout).toMatch(note);
    expect((await tool("review", "new.ts")).stdout).not.toMatch(/Read only/);
  });

  it("says that a git directory has no work tree, and which submodules it does not read", async () => {
    const { tool, toolIn, git, home } = await inRepository();
    const refused = await toolIn(join(home, ".git"))("review");
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringContaining("This folder holds git's own files, and no work tree."),
    ]);
    git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", `${home}/.git`, "lib");
    git("commit", "--quiet", "-m", "lib");
    writeFileSync(join(home, "lib/app.ts"), EVAL);
    const { stdout } = await tool("review");
    expect(stdout).toContain("Not read: lib (a submodule: review it in its folder)");
    expect((await toolIn(join(home, "lib"))("review")).stdout).toContain("code-evaluation");
  });

  it("finds a change of equal length made in the second of the commit", async () => {
    const { tool, write, git, home } = await inRepository();
    const committed = new Date(Date.UTC(2026, 0, 5, 10));
    // As where the file is written again within the second: git compares seconds, and lengths.
    git("config", "core.trustctime", "false");
    write("same.ts", "export const value = 12;\n");
    utimesSync(join(home, "same.ts"), committed, committed);
    git("add", "same.ts");
    git("commit", "--quiet", "-m", "same");
    write("same.ts", "eval(location.hash + 1);\n");
    utimesSync(join(home, "same.ts"), committed, committed);
    utimesSync(join(home, ".git/index"), committed, committed);
    expect((await tool("review")).stdout).toContain("code-evaluation");
  });

  it("shows a file name of several lines in one", async () => {
    const { tool, write } = await inRepository();
    write("new\n✔ No findings.ts", EVAL);
    const { stdout } = await tool("review");
    expect(stdout).toMatch(/^new ✔ No findings\.ts$/m);
    expect(stdout).not.toMatch(/^✔/m);
  });

  it("accepts a file name with a leading dash after --", async () => {
    const { tool, write } = await inRepository();
    write("-dash.ts", EVAL);
    const { json } = await tool("review", "--json", "--", "-dash.ts");
    expect(json.findings.map(({ file }: { file: string }) => file)).toEqual(["-dash.ts"]);
    expect((await tool("review", "--", "-gone.ts")).stderr).toContain('"-gone.ts" is no revision.');
  });

  it("skips large files with a notice, and reviews the rest", async () => {
    const { tool, write, git } = await inRepository();
    const line = `  { "x": ${"1".repeat(90)} },\n`;
    write("data.json", line.repeat(650_000));
    write("table.ts", `${EVAL}${"// a\n".repeat(220_000)}`);
    write("new.ts", EVAL);
    const files = ({ json }: Awaited<ReturnType<typeof tool>>) =>
      json.findings.map(({ file }: { file: string }) => file).sort();
    // A diff may change larger sources than `--all` reads.
    expect(files(await tool("review", "--json"))).toEqual(["new.ts", "table.ts"]);
    expect((await tool("review")).stdout).toMatch(/^ {2}Not read: data\.json \(binary, or large\)$/m);
    git("add", ".");
    git("commit", "--quiet", "-m", "all");
    const all = await tool("review", "--all");
    expect(all.stdout).toMatch(
      /^ {2}Not read: data\.json \(binary, or large\), table\.ts \(binary, or large\)$/m,
    );
    expect(files(await tool("review", "--all", "--json"))).toEqual(["new.ts"]);
  });

  it("follows values through the whole file, but only in the hunk with --context none", async () => {
    const { tool, write, git, piped } = await inRepository();
    const rest = Array.from({ length: 60 }, (_, line) => `// ${line}`).join("\n");
    const before = `import os\nfrom flask import request\n\ndef shown():\n    return request.args.get("name")\n\n${rest.replaceAll("//", "#")}\n`;
    write("shop.py", before);
    git("add", ".");
    git("commit", "--quiet", "-m", "shop");
    write("shop.py", `${before}\ndef run():\n    os.system("ls " + shown())\n`);
    const found = async (...words: string[]) =>
      (await tool("review", "--json", ...words)).json.findings.map(
        ({ severity }: { severity: string }) => severity,
      );
    expect(await found()).toEqual(["error"]);
    expect(await found("--context", "none")).not.toContain("error");
    // A foreign diff may name any file of this machine, so none is read for it.
    expect((await piped(git("diff"), "review", "-", "--json")).json.findings).not.toContainEqual(
      expect.objectContaining({ severity: "error" }),
    );
  });

  it("reviews staged changes, a revision, a range, and a repository without a commit", async () => {
    const { tool, write, git } = await inRepository();
    write("staged.ts", EVAL);
    git("add", "staged.ts");
    write("app.ts", `${EVAL}`);
    const staged = await tool("review", "--staged", "--json");
    expect(staged.json.findings.map(({ file }: { file: string }) => file)).toEqual(["staged.ts"]);
    git("commit", "--quiet", "-m", "two");
    write("later.ts", EVAL);
    const range = await tool("review", "HEAD~1..HEAD", "--format", "json");
    expect(range.json.findings.map(({ file }: { file: string }) => file)).toEqual(["staged.ts"]);
    const revision = await tool("review", "HEAD~1", "--json");
    expect(revision.json.summary.files).toBe(3);
    git("checkout", "--quiet", "--orphan", "fresh");
    const fresh = await tool("review", "--json");
    expect(fresh.json.summary.files).toBe(4);
  });

  it("exits with 3 from the severity of --fail-on, and applies --only and --except", async () => {
    const { tool, write } = await inRepository();
    write("app.ts", "if (a == 1) run(); // TODO: mend\n");
    expect((await tool("review", "--fail-on", "error")).code).toBe(0);
    expect((await tool("review", "--fail-on", "info")).code).toBe(3);
    expect((await tool("review", "--fail-on", "info", "--format", "sarif")).code).toBe(3);
    const only = await tool("review", "--json", "--only", "unresolved-todo");
    expect(only.json.findings.map(({ rule }: { rule: string }) => rule)).toEqual(["unresolved-todo"]);
    const none = await tool("review", "--except", "unresolved-todo,loose-equality");
    expect(none.stdout).toBe("✔ No findings in 1 added line in 1 file.\n");
    // As of a script whose variable is unset: it would find nothing, whatever was changed.
    const unset = await tool("review", "--only", "");
    expect(unset).toMatchObject({ code: 2, stdout: "" });
    expect(unset.stderr).toContain("--only");
    const unknown = await tool("review", "--only", "no-such-rule");
    expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining("rules.only")]);
    const wrong = await tool("review", "--fail-on", "fatal");
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining("error, warning, info")]);
  });

  it("reads a diff from stdin, with a dash and without", async () => {
    const { write, git, piped } = await inRepository();
    write("app.ts", EVAL);
    const diff = git("diff");
    git("checkout", "--quiet", "app.ts");
    for (const words of [
      ["review", "-", "--json"],
      ["review", "--json"],
    ]) {
      const { json } = await piped(diff, ...words);
      expect(json.findings.map(({ rule }: { rule: string }) => rule)).toEqual(["code-evaluation"]);
    }
    const { code, stderr } = await piped("no diff at all\n", "review", "-");
    expect([code, stderr]).toEqual([1, expect.stringContaining("line 1")]);
  });

  it("does not wait for a silent stdin", async () => {
    const { start, write } = await inRepository();
    write("app.ts", EVAL);
    const { code, stdout, stderr } = await start(["review"]).finished;
    expect(stderr).toMatch(/^Nothing came on stdin/m);
    expect([code, stdout]).toEqual([0, expect.stringContaining("code-evaluation")]);
  });

  it("prints SARIF, and workflow commands with escaped values", async () => {
    const { tool, write } = await inRepository();
    write("a,b:c%.ts", EVAL);
    const sarif = await tool("review", "--format", "sarif");
    expect(sarif.json).toMatchObject({
      version: "2.1.0",
      runs: [{ results: [{ ruleId: "code-evaluation", level: "error" }] }],
    });
    const { stdout } = await tool("review", "--format", "github");
    expect(stdout).toMatch(
      /^::error file=a%2Cb%3Ac%25\.ts,line=2,col=10,title=code-evaluation::eval\(\) runs .*\n$/,
    );
  });

  it("strips escape sequences of a diff, and passes git no option as a revision", async () => {
    const { tool, write, home } = await inRepository({ LC_ALL: "C" });
    write("app.ts", 'eval(req.query.x + "\u001b]0;title\u0007\u009b2J");\n');
    const { stdout } = await tool("review");
    for (const control of ["\u0007", "\u009b", "\u001b"]) expect(stdout).not.toContain(control);
    const option = await tool("review", "--", `--output=${join(home, "written")}`);
    expect([option.code, option.stderr]).toEqual([2, expect.stringContaining("is no revision")]);
    const both = await tool("review", "-", "HEAD");
    expect(both.code).toBe(2);
  });

  it("reviews only the named files and folders, also from a subdirectory", async () => {
    const { tool, start, write, git, home } = await inRepository();
    mkdirSync(join(home, "src"));
    write("src/old.ts", EVAL);
    git("add", ".");
    git("commit", "--quiet", "-m", "two");
    for (const file of ["app.ts", "src/old.ts", "src/new.ts", "src/[a].ts", "src/a.ts"]) {
      write(file, `${EVAL}debugger;\n`);
    }
    const filesOf = ({ json }: { json: { findings: { file: string }[] } }) => [
      ...new Set(json.findings.map(({ file }) => file)),
    ];
    const reviewed = async (...words: string[]) => filesOf(await tool("review", "--json", ...words)).sort();
    expect(await reviewed("src")).toEqual(["src/[a].ts", "src/a.ts", "src/new.ts", "src/old.ts"]);
    expect(await reviewed("src/[a].ts", "app.ts")).toEqual(["app.ts", "src/[a].ts"]);
    expect(await reviewed("HEAD~1", join(home, "src/old.ts"))).toEqual(["src/old.ts"]);
    const below = start(["review", "--json", "new.ts", "../app.ts"], {}, join(home, "src"));
    expect(filesOf(await below.finished).sort()).toEqual(["app.ts", "src/new.ts"]);
    git("add", "src/a.ts", "app.ts");
    expect(await reviewed("--staged", "src")).toEqual(["src/a.ts"]);

    git("branch", "src");
    const either = await tool("review", "src");
    expect([either.code, either.stderr]).toEqual([
      2,
      expect.stringMatching(/\.\/src [\s\S]*refs\/heads\/src/),
    ]);
    expect(await reviewed("./src")).toHaveLength(4);
    expect(await reviewed("refs/heads/src", "app.ts")).toEqual(["app.ts"]);
    const neither = await tool("review", "no-such-branch");
    expect([neither.code, neither.stderr]).toEqual([
      2,
      expect.stringContaining('"no-such-branch" is no revision, and no file or folder here.'),
    ]);
    for (const path of ["../gone.ts", "/gone/gone.ts"]) {
      expect(await tool("review", path)).toMatchObject({
        code: 2,
        stderr: `✖ There is no file or folder "${path}" here.\n`,
      });
    }
    const elsewhere = await tool("review", import.meta.filename);
    expect([elsewhere.code, elsewhere.stderr]).toEqual([
      2,
      expect.stringMatching(/outside this repository\.[\s\S]*git diff --no-index/),
    ]);
  });

  it("says how to get commits that a shallow clone lacks", async () => {
    const { git, home, toolIn, write } = await inRepository();
    write("app.ts", EVAL);
    git("commit", "--quiet", "--all", "-m", "two");
    git("clone", "--quiet", "--depth", "1", `file://${home}`, "shallow");
    const tool = toolIn(join(home, "shallow"));
    for (const words of [
      ["review", "HEAD~1"],
      ["review", "origin/other...HEAD"],
      ["graph", "impact", "--diff", "HEAD~1"],
    ]) {
      const { code, json } = await tool(...words, "--json");
      expect([code, json.next], words.join(" ")).toEqual([
        2,
        expect.stringContaining("git fetch --unshallow"),
      ]);
    }
    expect((await tool("review")).code).toBe(0);
  });

  it("reviews whole files with --all, changed or not, or only the named ones", async () => {
    const { tool, write, git } = await inRepository();
    write("app.ts", EVAL);
    git("add", ".");
    git("commit", "--quiet", "-m", "two");
    write("new.ts", EVAL);
    write("ignored.ts", EVAL);
    const places = async (...words: string[]) =>
      (await tool("review", "--all", "--json", ...words)).json.findings.map(
        ({ file, line }: { file: string; line: number }) => `${file}:${line}`,
      );
    expect(await places()).toEqual(["app.ts:2", "new.ts:2"]);
    expect(await places("app.ts")).toEqual(["app.ts:2"]);
    const { stdout } = await tool("review", "--all", ".");
    expect(stdout).toMatch(/^✖ 2 errors in \d+ lines in \d files$/m);
    for (const [words, told] of [
      [["HEAD"], '"HEAD" is a revision'],
      [["HEAD~1..HEAD"], '"HEAD~1..HEAD" is a revision'],
      [["gone.ts"], 'There is no file or folder "gone.ts" here.'],
      [["--staged"], "--staged reviews what was changed"],
      [["-"], "A diff on stdin takes no other arguments"],
    ] as const) {
      const { code, stderr } = await tool("review", "--all", ...words);
      expect([code, stderr]).toEqual([2, expect.stringContaining(told)]);
    }
  });

  it("leaves out files without read permission, with a message", async () => {
    const { tool, write, git, home } = await inRepository();
    if (process.getuid?.() === 0) return console.log("not tried: root may read every file");
    write("known.ts", EVAL);
    git("add", ".");
    git("commit", "--quiet", "-m", "two");
    write("b.ts", EVAL);
    write("new.ts", EVAL);
    for (const file of ["known.ts", "new.ts"]) chmodSync(join(home, file), 0);
    for (const words of [[], ["--all"]]) {
      const { stdout, stderr } = await tool("review", ...words);
      expect(stderr).toBe("Left out, since you may not read it: 2 files.\n");
      expect(stdout).toContain("b.ts");
    }
  });

  it("leaves out a nested repository without commits", async () => {
    const { tool, write, git } = await inRepository();
    git("init", "--quiet", "try out");
    write("try out/b.ts", EVAL);
    write("new.ts", EVAL);
    const { json, stderr, code } = await tool("review", "--json");
    expect(json.findings.map(({ file }: { file: string }) => file)).toEqual(["new.ts"]);
    expect(stderr).toContain("Left out, since each is a repository of its own: try out/");
    expect(code).toBe(0);
  });

  it("names the remedy where git refuses a repository of another user", async () => {
    const { start, home } = await inRepository();
    for (const words of [[], ["HEAD"], ["--all"]]) {
      const { child, finished } = start(["review", ...words], { GIT_TEST_ASSUME_DIFFERENT_OWNER: "1" });
      child.stdin.end();
      const { code, stderr } = await finished;
      expect(stderr).toContain(`run \`git config --global --add safe.directory ${realpathSync(home)}\`.`);
      expect(code).toBe(1);
    }
  });

  it("reviews staged files beside a merge conflict, and a coloured diff", async () => {
    const { tool, write, git, piped } = await inRepository();
    git("checkout", "--quiet", "-b", "other");
    write("app.ts", "export const a = 2;\n");
    git("commit", "--quiet", "-am", "other");
    git("checkout", "--quiet", "main");
    write("app.ts", "export const a = 3;\n");
    git("commit", "--quiet", "-am", "main");
    expect(() => git("merge", "--quiet", "other")).toThrow();
    write("b.ts", EVAL);
    git("add", "b.ts");
    const { stdout, stderr } = await tool("review", "--staged");
    expect(stderr).toBe("app.ts is not merged yet: nothing of it is staged.\n");
    expect(stdout).toMatch(/^✖ 1 error in 3 added lines in 1 file;/m);
    expect((await piped(git("diff", "--cached", "--color=always", "b.ts"), "review", "-")).stdout).toMatch(
      /^✖ 1 error in 3 added lines in 1 file;/m,
    );
  });

  it("suggests --all when nothing has changed", async () => {
    const { tool } = await inRepository();
    expect((await tool("review")).stdout).toBe(
      "✔ Nothing has changed.\n  Whole files, changed or not: tool review --all\n",
    );
  });
});

describe("tool review outside a repository", () => {
  function inFolder(environment: Record<string, string> = {}) {
    const { home, tool } = user({ GIT_CEILING_DIRECTORIES: "/", ...environment });
    const write = (file: string, text: string) => {
      mkdirSync(dirname(join(home, file)), { recursive: true });
      writeFileSync(join(home, file), text);
    };
    return { tool, write };
  }

  it("reviews all files but those of .gitignore, or any named ones", async () => {
    const { tool, write } = inFolder();
    const paths = ["app.ts", "src/a b.ts", "src/deep/größe.ts", "srcs.ts"];
    // Windows does not allow such a name.
    if (process.platform !== "win32") paths.push('src/q"\\uo\tte.ts');
    for (const path of [...paths, "ignored.ts", "node_modules/a/b.ts"]) write(path, EVAL);
    write(".gitignore", "ignored.ts\n");
    write("src/empty.ts", "");
    write("src/last.ts", EVAL.trimEnd());
    write("src/picture.png", EVAL);
    write("src/zeroes.ts", `${EVAL}\0`);
    const found = async (...words: string[]) => {
      const { findings } = (await tool("review", "--json", ...words)).json;
      return findings.map(({ file, line }: { file: string; line: number }) => `${file}:${line}`).sort();
    };
    const all = [...paths, "src/last.ts"].map((path) => `${path}:2`).sort();
    expect(await found()).toEqual(all);
    expect(await found("--all", ".")).toEqual(all);
    expect(await found("src")).toEqual(all.filter((place) => place.startsWith("src/")));
    expect(await found("./src/deep/", "app.ts")).toEqual(["app.ts:2", "src/deep/größe.ts:2"]);
    // Files that are named are reviewed even if they are hidden or ignored.
    for (const path of [".cache/a.ts", ".hidden/b/c.ts", "node_modules/a/b.ts", "ignored.ts"]) {
      write(path, EVAL);
      expect(await found(path)).toEqual([`${path}:2`]);
    }
    expect(await found(".hidden")).toEqual([".hidden/b/c.ts:2"]);
    expect(await found()).toEqual(all);
    for (const path of [".eslintrc.js", ".github/actions/a.js"]) write(path, EVAL);
    expect(await found()).toEqual([".eslintrc.js:2", ".github/actions/a.js:2", ...all]);
    const { stdout, code } = await tool("review", "app.ts");
    expect(stdout).toMatch(/\n✖ 1 error in 3 lines in 1 file\n$/);
    expect(code).toBe(0);
  });

  it("counts files that are too large, and refuses arguments that need a repository", async () => {
    const { tool, write } = inFolder();
    write("a.ts", EVAL);
    write("data.ts", `${EVAL}${"a".repeat(1 << 20)}`);
    const { stdout, stderr } = await tool("review");
    expect(stderr).toBe("Left out, since a file of more than 1 MiB is data: 1 file.\n");
    expect(stdout).toContain("1 error in 3 lines in 1 file");
    for (const [words, told] of [
      [["main"], /"main" is no file or folder here, and .* no revisions/],
      [[".."], /"\.\." is outside this folder/],
      [["--staged"], /no git repository here[\s\S]*tool review -/],
    ] as const) {
      const { code, stderr } = await tool("review", ...words);
      expect([code, stderr]).toEqual([2, expect.stringMatching(told)]);
    }
  });

  it("sends nothing, even when signed in", async () => {
    // A request to this server, which does not exist, would cause an error message.
    const { tool, write } = inFolder({ TOOL_TOKEN: OWNER_KEY, TOOL_BASE_URL: "http://127.0.0.1:1" });
    write("a.ts", EVAL);
    const { stdout, stderr } = await tool("review");
    expect(stdout).toContain("1 error in 3 lines in 1 file");
    expect(stderr).toBe("");
  });

  it("works without git", async () => {
    const { tool, write } = inFolder({ PATH: "" });
    write("a.ts", EVAL);
    expect((await tool("review")).stdout).toContain("1 error in 3 lines in 1 file");
    expect((await tool("review", "--staged")).stderr).toMatch(/git is not installed/);
  });
});
