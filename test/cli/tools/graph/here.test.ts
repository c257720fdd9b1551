import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { user } from "../../support/tool.ts";

/** Creates a repository of a user who is not signed in. */
function inRepository(files: Record<string, string>, environment: Record<string, string> = {}) {
  const { home, toolIn, start, dataDirectory } = user({
    TOOL_BASE_URL: "http://127.0.0.1:9",
    DO_NOT_TRACK: "1",
    ...environment,
  });
  const top = join(realpathSync(home), "shop");
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(top, path)), { recursive: true });
    writeFileSync(join(top, path), text);
  };
  for (const [path, text] of Object.entries(files)) write(path, text);
  const git = (...words: string[]) => execFileSync("git", ["-C", top, ...words], { stdio: "pipe" });
  git("init", "--quiet");
  git("config", "user.name", "Ada");
  git("config", "user.email", "ada@example.org");
  return {
    top,
    write,
    git,
    start,
    dataDirectory,
    tool: toolIn(top),
    toolIn: (path: string) => toolIn(join(top, path)),
  };
}

const FILES = {
  "package.json": '{ "scripts": { "test": "vitest run" }, "devDependencies": { "vitest": "1" } }',
  "src/store.ts": "export const open = () => 1;",
  "src/app.ts": 'import "./store.ts";',
  "src/main.ts": 'import "./app.ts";',
  "lib/main.ts": "",
  "test/app.test.ts": 'import "../src/app.ts";',
};

describe("tool graph outside of a repository", () => {
  it("says that there is none, and not only that the user is not signed in", async () => {
    const { tool } = user({ TOOL_BASE_URL: "http://127.0.0.1:9", DO_NOT_TRACK: "1" });
    for (const words of [["show"], ["impact", "a.js"], ["path", "a.js", "b.js"]]) {
      const { code, stderr } = await tool("graph", ...words);
      expect([code, stderr]).toEqual([4, expect.stringContaining("There is no repository here: ")]);
      expect(stderr).toContain("tool login");
    }
  });
});

describe("tool graph in a repository", () => {
  it("counts no use of what this machine answers by itself", async () => {
    const environment = { DO_NOT_TRACK: "", TOOL_TOKEN: "tak_x" };
    const { tool, dataDirectory } = inRepository(FILES, environment);
    const commands = [
      ["impact", "store.ts"],
      ["path", "src/app.ts", "src/store.ts"],
      ["show"],
      ["show", "src/store.ts"],
      ["show", "--format", "dot"],
      ["scan", "--dry-run"],
      ["scan", "--no-record"],
    ];
    for (const words of commands) expect((await tool("graph", ...words)).code).toBe(0);
    expect(existsSync(join(dataDirectory, "queue"))).toBe(false);
  });

  it("takes a file by its absolute path, as editors and agents give it, from wherever it is started", async () => {
    const { toolIn, top } = inRepository({ ...FILES, "src/src/store.ts": "" });
    symlinkSync(top, `${top}-link`);
    for (const path of [join(top, "src/store.ts"), join(`${top}-link`, "src/store.ts")]) {
      const { code, stdout } = await toolIn("src")("graph", "impact", path);
      expect([code, stdout]).toEqual([0, expect.stringContaining("app.ts")]);
    }
    const { code, stderr } = await toolIn("src")("graph", "show", join(dirname(top), "store.ts"));
    expect([code, stderr]).toEqual([2, expect.stringContaining("shop has no file ")]);
  });

  it("counts links that it does not read, and lists no imports where there are none", async () => {
    const { tool, top } = inRepository({ "a.js": "export const a = 1;" });
    for (const name of ["b.js", "c.js"]) symlinkSync("a.js", join(top, name));
    expect((await tool("graph", "scan")).stdout).toContain("not read: 2 links\n");
    const { stdout } = await tool("graph", "show");
    expect(stdout).toContain("Not read: 2 links\n");
    expect(stdout).not.toContain("Most imported");
  });

  it("finds a repository that lies elsewhere, as GIT_DIR says", async () => {
    const { top, git, tool, start } = inRepository({
      "a.ts": 'import "./b.ts";',
      "b.ts": "export const b = 1;",
    });
    git("add", ".");
    git("commit", "--quiet", "--message", "first");
    renameSync(join(top, ".git"), `${top}.git`);
    writeFileSync(join(top, "b.ts"), "export const b = 2;");
    expect((await tool("graph", "impact", "--diff")).code).toBe(2);
    for (const what of ["--diff", "b.ts"]) {
      const elsewhere = { GIT_DIR: `${top}.git`, GIT_WORK_TREE: top };
      const { child, finished } = start(["graph", "impact", what], elsewhere, top);
      child.stdin.end();
      const { code, stdout } = await finished;
      expect([code, stdout]).toEqual([0, expect.stringContaining("a.ts  b.ts")]);
    }
  });

  it("finds a work tree as GIT_DIR and GIT_WORK_TREE say, relative to the folder that it is started in", async () => {
    const { top, write, git, start } = inRepository({
      "src/a.ts": 'import "./b.ts";',
      "src/b.ts": "export const b = 1;",
    });
    git("add", ".");
    git("commit", "--quiet", "--message", "first");
    write("src/b.ts", "export const b = 22;");
    write("src/left-out.ts", 'import "./b.ts";');
    writeFileSync(join(top, ".git/info/exclude"), "left-out.ts\n");
    renameSync(join(top, ".git"), `${top}.git`);
    const ways: { folder: string; environment: Record<string, string> }[] = [
      { folder: "src", environment: { GIT_DIR: "../../shop.git", GIT_WORK_TREE: ".." } },
      { folder: "../shop.git", environment: { GIT_WORK_TREE: "../shop" } },
    ];
    for (const { folder, environment } of ways) {
      for (const words of [
        ["graph", "impact", "b.ts"],
        ["graph", "impact", "--diff"],
        ["review", "--json"],
      ]) {
        const { child, finished } = start(words, environment, join(top, folder));
        child.stdin.end();
        const { code, stdout, stderr } = await finished;
        expect([code, stderr, folder], words.join(" ")).toEqual([0, "", folder]);
        if (words[0] === "review") expect(JSON.parse(stdout).summary.files).toBe(1);
        else expect(stdout).toMatch(/^1 file depends on /);
      }
    }
  });

  it("shows without a sign-in which files and tests depend on a file", async () => {
    const { tool, toolIn } = inRepository(FILES);
    const found = await tool("graph", "impact", "store.ts");
    expect([found.code, found.stderr]).toEqual([0, ""]);
    expect(found.stdout).toBe(
      [
        "3 files depend on src/store.ts, 1 of them a test",
        "",
        "Hops  File         By way of",
        "   1  src/app.ts   src/store.ts",
        "   2  src/main.ts  src/app.ts",
        "",
        "Tests",
        "  test/app.test.ts",
        "",
        "Run them",
        "  npx vitest run test/app.test.ts",
        "",
      ].join("\n"),
    );
    const below = await toolIn("src")("graph", "impact", "main.ts", "--direction", "out", "--json");
    expect(below.json.entities.map(({ file }: { file: string }) => file)).toEqual([
      "src/app.ts",
      "src/store.ts",
    ]);
    expect(below.json.entities[1].path).toEqual([
      { type: "imports", from: "shop:src/main.ts", to: "shop:src/app.ts" },
      { type: "imports", from: "shop:src/app.ts", to: "shop:src/store.ts" },
    ]);
    const from = await toolIn("src")("graph", "impact", "store.ts");
    expect(from.stdout).toContain("  cd .. && npx vitest run test/app.test.ts\n");
  });

  it("follows changed, added and deleted files, and lists their effects with --diff", async () => {
    const { tool, write, git, top } = inRepository(FILES);
    expect((await tool("graph", "impact", "--diff", "--json")).json.changed).toHaveLength(6);
    git("add", ".");
    git("commit", "--quiet", "--message", "first");
    expect((await tool("graph", "impact", "--diff")).stdout).toBe("Nothing was changed.\n");
    write("src/new.ts", 'import "./store.ts"');
    write("src/app.ts", "");
    expect((await tool("graph", "impact", "src/store.ts", "--json")).json.entities).toMatchObject([
      { file: "src/new.ts", distance: 1 },
    ]);
    const diff = await tool("graph", "impact", "--diff", "--json");
    expect(diff.json.changed.map(({ name }: { name: string }) => name)).toEqual(["src/app.ts", "src/new.ts"]);
    expect(diff.json.testCommands).toEqual([{ directory: ".", command: "npx vitest run test/app.test.ts" }]);
    git("checkout", "--quiet", "src/app.ts");
    rmSync(join(top, "src/store.ts"));
    const deleted = await tool("graph", "impact", "--diff", "HEAD", "--json");
    expect(deleted.json.entities.map(({ file }: { file: string }) => file)).toEqual([
      "src/app.ts",
      "src/main.ts",
      "test/app.test.ts",
    ]);
    expect(deleted.json.counts).toEqual({ 1: 1, 2: 2 });
    const unknown = await tool("graph", "impact", "--diff", "nothing");
    expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining("no commit nothing")]);
  });

  it("finds paths, shows files and scans the repository without a server", async () => {
    const { tool } = inRepository(FILES);
    expect((await tool("graph", "path", "src/main.ts", "store.ts")).stdout).toBe(
      "src/main.ts ─imports→ src/app.ts ─imports→ src/store.ts\n",
    );
    const shown = await tool("graph", "show");
    expect(shown.stdout).toMatch(/^shop: 6 files, 3 imports between them\n/);
    expect(shown.stdout).toMatch(/^javascript +5 +1 +1$/m);
    const file = await tool("graph", "show", "src/store.ts");
    expect(file.stdout).toMatch(
      /^src\/store\.ts\n\nLines +Kind +Name\n +1-1 +function +open\n\nImported by\n {2}src\/app\.ts\n$/,
    );
    expect((await tool("graph", "show", "app.ts", "--json")).json).toMatchObject({
      id: "shop:src/app.ts",
      imports: ["src/store.ts"],
      importedBy: ["src/main.ts", "test/app.test.ts"],
    });
    expect((await tool("graph", "show", "nothing.ts")).code).toBe(2);
    expect((await tool("graph", "show", "--format", "mermaid")).stdout).toMatch(/^flowchart LR\n {2}n0\["/);
    const scanned = await tool("graph", "scan", "--json");
    expect(scanned.json).toMatchObject({
      repository: "shop",
      files: 5,
      imports: 3,
      definitions: 1,
      sent: null,
    });
    expect((await tool("graph", "show", "--recorded")).code).toBe(4);
  });

  it("refuses an ambiguous name with its candidates, and a missing file", async () => {
    const { tool } = inRepository(FILES);
    const several = await tool("graph", "impact", "main.ts");
    expect([several.code, several.stderr]).toEqual([
      2,
      expect.stringContaining("2 files are called main.ts: lib/main.ts, src/main.ts"),
    ]);
    const none = await tool("graph", "impact", "gone.ts");
    expect([none.code, none.stderr]).toEqual([2, expect.stringContaining("shop has no file gone.ts")]);
    const definition = await tool("graph", "impact", "open");
    expect(definition.stderr).toContain("open is defined in src/store.ts: name that file.");
    expect((await tool("graph", "impact")).code).toBe(2);
    expect((await tool("graph", "impact", "a.ts", "--diff=HEAD")).code).toBe(2);
  });

  it("takes a link for the file that it leads to", async () => {
    const { top, git, tool } = inRepository({ ...FILES, "src/uses.ts": 'import "./link.ts";' });
    symlinkSync("store.ts", join(top, "src/link.ts"));
    git("add", ".");
    const found = await tool("graph", "impact", "src/link.ts", "--json");
    expect(found.json).toMatchObject({ entities: { length: 4 } });
    expect(found.json).toEqual((await tool("graph", "impact", "src/store.ts", "--json")).json);
  });

  it.each([
    ["a misspelt file", "src/stroe.ts", "Did you mean src/store.ts?"],
    ["a file without its ending", "store", "Did you mean src/store.ts?"],
    ["a directory", "./src/", "src is a directory: name one of its files."],
    ["what a file defines", "src/store.ts#open", "open is defined in src/store.ts: name that file."],
    [
      "a file of a submodule",
      "deps/lib/a.ts",
      "deps/lib is a submodule, which is not read: run this in deps/lib.",
    ],
  ])("says what to name instead of %s", async (_, name, advice) => {
    const { top, git, tool } = inRepository(FILES);
    git("add", ".");
    git("commit", "--quiet", "--message", "all");
    mkdirSync(join(top, "deps/lib"), { recursive: true });
    const head = git("rev-parse", "HEAD").toString().trim();
    git("update-index", "--add", "--cacheinfo", `160000,${head},deps/lib`);
    const { code, stderr } = await tool("graph", "impact", name);
    expect([code, stderr]).toEqual([2, expect.stringContaining(advice)]);
  });

  it("reports a language as not followed instead of claiming that nothing depends on a file", async () => {
    const { tool } = inRepository({
      "lib/shop.ex": "import Cart",
      "lib/cart.ex": "",
      "src/Shop.java": "class Shop {}",
      "src/Cart.groovy": "def shop = new Shop()",
      "web/data.json": "{}",
      "web/app.js": 'import "./data.json";',
    });
    const elixir = await tool("graph", "impact", "lib/cart.ex");
    expect(elixir.stdout).toBe("Elixir is not followed: what depends on lib/cart.ex is not known\n");
    expect(elixir.code).toBe(3);
    const json = await tool("graph", "impact", "lib/cart.ex", "--json");
    expect(json.json).toMatchObject({ entities: [], notFollowed: [{ language: "Elixir", files: 2 }] });
    const java = await tool("graph", "impact", "Shop.java");
    expect([java.code, java.stdout]).toEqual([
      0,
      "0 files depend on src/Shop.java\n\nNot followed: Groovy (1 file); more may depend on it\n",
    ]);
    const data = await tool("graph", "impact", "data.json");
    expect(data.stdout).toMatch(/^1 file depends on web\/data\.json\n[\s\S]*Not followed: \.json \(1 file\)/);
    expect((await tool("graph", "impact", "--diff")).stdout).toContain("Elixir (2 files)");
    expect((await tool("graph", "show")).stdout).toContain(
      "Not followed: Elixir (2 files), Groovy (1 file)\n",
    );
    expect((await tool("graph", "show", "cart.ex")).stdout).toContain("Elixir is not followed");
    const scanned = await tool("graph", "scan");
    expect(scanned.stdout).toContain("  Not followed: Elixir (2 files), Groovy (1 file)\n");
    const path = await tool("graph", "path", "lib/shop.ex", "lib/cart.ex");
    expect([path.code, path.stdout]).toEqual([
      3,
      "No path leads from lib/shop.ex to lib/cart.ex.\nElixir is not followed.\n",
    ]);
  });

  it("exits with 3 when no path leads from one file to the other", async () => {
    const { tool } = inRepository(FILES);
    const { code, stdout } = await tool("graph", "path", "src/main.ts", "lib/main.ts");
    expect([code, stdout]).toEqual([3, "No path leads from src/main.ts to lib/main.ts.\n"]);
  });

  it("exits with 2 and names the languages when none of them is followed", async () => {
    const { tool } = inRepository({ "lib/shop.ex": "" });
    const { code, stderr } = await tool("graph", "scan");
    expect([code, stderr]).toEqual([2, expect.stringContaining("Not followed: Elixir (1 file).")]);
  });

  it("lists Rust tests inside the file itself, with the command to run them", async () => {
    const { tool } = inRepository({
      "Cargo.toml": '[package]\nname = "shop"\nedition = "2021"\n',
      "src/lib.rs": "pub mod cart;\n",
      "src/cart.rs": "pub fn total() {}\n#[cfg(test)]\nmod tests {\n  #[test]\n  fn adds() {}\n}\n",
    });
    const { stdout } = await tool("graph", "impact", "cart.rs");
    expect(stdout).toMatch(/\n\nTests\n {2}src\/cart\.rs\n\nRun them\n {2}cargo test --lib\n$/);
  });

  it("says that there is no work tree in a bare repository, as locate, context and review do", async () => {
    const { git, toolIn } = inRepository(FILES);
    git("init", "--quiet", "--bare", "../bare.git");
    const tool = toolIn("../bare.git");
    for (const words of [
      ["graph", "impact", "--diff"],
      ["graph", "impact", "HEAD"],
      ["graph", "scan"],
      ["locate", "commit"],
      ["review"],
      ["review", "--staged"],
      ["context", "--budget", "100", "--query", "commit"],
    ]) {
      const { code, stderr } = await tool(...words);
      expect([code, stderr], words.join(" ")).toEqual([1, expect.stringContaining("and no work tree")]);
    }
  });

  it("names the remedy where git refuses a repository of another user, and reads files without git", async () => {
    const { tool, top } = inRepository(FILES, { GIT_TEST_ASSUME_DIFFERENT_OWNER: "1" });
    const remedy =
      "git reads no repository that belongs to somebody else. If you trust it, run " +
      `\`git config --global --add safe.directory ${top}\`.`;
    for (const words of [["--diff"], ["--diff", "main"]]) {
      const { code, stderr } = await tool("graph", "impact", ...words);
      expect([code, stderr]).toEqual([1, expect.stringContaining(remedy)]);
    }
    const note = `${remedy} Until then, only .gitignore files in ${top} choose what is read, and the repository is called shop.\n`;
    expect(await tool("graph", "impact", "store.ts")).toMatchObject({
      code: 0,
      stderr: note,
      stdout: expect.stringContaining("3 files depend on src/store.ts"),
    });
    expect(await tool("graph", "scan", "--json")).toMatchObject({ json: { files: 5 }, stderr: note });
  });

  it("does not call generated code unread, whose imports count", async () => {
    const { tool } = inRepository({
      ...FILES,
      "src/made.ts": "// Code generated by protoc. DO NOT EDIT.\nimport './store.ts'",
      "package-lock.json": "{}",
    });
    const { stdout } = await tool("graph", "scan");
    expect(stdout).toContain("  not read: 1 generated\n  generated, and read for imports alone: 1 file\n");
    expect((await tool("graph", "impact", "src/store.ts")).stdout).toContain("src/made.ts");
  });

  it("says which files a sparse checkout leaves out, in the lines and in the document", async () => {
    const { tool, git } = inRepository(FILES);
    git("add", ".");
    git("commit", "--quiet", "--message", "first");
    git("sparse-checkout", "set", "src");
    for (const words of [["src/store.ts"], ["--diff"]]) {
      const { json } = await tool("graph", "impact", ...words, "--json");
      expect(json.leftOut).toEqual((await tool("graph", "scan", "--json")).json.leftOut);
      expect(json.leftOut.absent).toEqual(["lib/main.ts", "test/app.test.ts"]);
    }
    expect((await tool("graph", "impact", "store.ts")).stdout).toContain(
      "Not checked out, and not read: 2 files\n",
    );
  });
});
