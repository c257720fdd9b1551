import { describe, expect, it } from "vitest";
import { locate } from "../../../../src/tools/context-optimizer/retrieval/locate.ts";

const FILES = {
  "src/headers.ts":
    "export function parseHeader(text: string) {\n  return text.split(':');\n}\n\nexport function writeHeader() {\n  return 1;\n}\n",
  "src/body.ts": "export function readBody() {\n  return parseHeader('x');\n}\n",
  "src/cache.ts": "export class Cache {\n  evict() {\n    return 2;\n  }\n}\n",
  "test/headers.test.ts": "it('parses a header', () => {\n  expect(parseHeader('a: b')).toEqual(1);\n});\n",
  "docs/guide.md": "# Caching\n\nHow pages are kept.\n",
};

function ask(query: string, limit = 10) {
  const segments = Object.entries(FILES).map(([id, content]) => ({
    id,
    content,
    priority: 0,
    pinned: false,
  }));
  return locate({ query, segments, limit });
}

describe("locate()", () => {
  it("returns the declaration of a name first, with its lines", () => {
    const { files, searched } = ask("TypeError: parseHeader fails where a header is empty");
    expect(files[0]).toMatchObject({ path: "src/headers.ts", score: 1 });
    expect(files[0]?.symbols[0]).toMatchObject({ name: "parseHeader", from: 1, to: 4 });
    expect(files[0]?.reasons).toContain("Its path has header.");
    expect(searched.files).toBe(5);
  });

  it("ranks tests after the code they test, unless the query asks for tests", () => {
    const order = (query: string) => ask(query).files.map(({ path }) => path);
    const plain = order("parse a header");
    expect(plain.indexOf("test/headers.test.ts")).toBeGreaterThan(plain.indexOf("src/headers.ts"));
    expect(order("the test that parses a header")[0]).toBe("test/headers.test.ts");
  });

  it("finds the places in a stack trace, regardless of the install folder", () => {
    const { files } = ask("Error: boom\n    at Cache.evict (/srv/app/src/cache.ts:3:12)");
    expect(files[0]?.path).toBe("src/cache.ts");
    expect(files[0]?.reasons[0]).toBe("The text names /srv/app/src/cache.ts:3.");
    expect(files[0]?.symbols[0]?.name).toBe("Cache.evict");
  });

  it("looks for a word that names nothing in other words too, and names those", () => {
    const segments = Object.entries({
      "src/store.ts": "export function save() {\n  // A rollback if the disk is full.\n  return 1;\n}\n",
      "src/page.ts": "export function show() {\n  return 2;\n}\n",
    }).map(([id, content]) => ({ id, content, priority: 0, pinned: false }));
    const asked = (query: string, more: typeof segments = []) =>
      locate({ query, segments: [...segments, ...more], limit: 10 }).files;
    const [file] = asked("who does the undo?");
    expect(file).toMatchObject({ path: "src/store.ts", reasons: ["Its text has rollback."] });
    expect(asked("A report\nwho does the undo?")).toEqual([]);
    const named = { id: "src/undo.ts", content: "export const last = 3;\n", priority: 0, pinned: false };
    expect(asked("who does the undo?", [named]).map(({ path }) => path)).toEqual(["src/undo.ts"]);
  });

  it("looks for nothing of a contraction", () => {
    const segments = [{ id: "a.ts", content: "// don ll ve\nlet x = 1;\n", priority: 0, pinned: false }];
    expect(locate({ query: "I don't, it'll, they’ve", segments, limit: 10 }).files).toEqual([]);
  });

  it("omits files without any term of the query and respects the limit", () => {
    expect(ask("zebra crossing").files).toEqual([]);
    expect(ask("header", 1).files).toHaveLength(1);
  });

  it("returns no files for a query without words", () => {
    expect(ask("???").files).toEqual([]);
  });

  const among = (query: string, ...ids: string[]) => {
    const file = { content: "zorp = 1\n", priority: 0, pinned: false };
    return locate({ query, segments: ids.map((id) => ({ id, ...file })), limit: 100 }).files;
  };

  it.each([
    "src/main/resources/messages_tr.properties",
    "app/i18n/de.json",
    "locale/fr/django.po",
    "src/locale/messages.tr.xlf",
    "res/values-de/strings.xml",
    "Shop/Resources.de.resx",
    "data/visits.csv",
    "public/logo.svg",
    "res/drawable-night/bell.xml",
    "app/assets/articles/first.json",
  ])("ranks %s far below code, unless the query asks for its type or names it", (path) => {
    const scoreOf = (query: string) =>
      among(query, path, "src/a.py").find((file) => file.path === path)?.score ?? 0;
    const asked = scoreOf("where is the translation, the csv or the icon of zorp");
    expect(scoreOf("where is zorp")).toBeLessThan(asked / 2);
    expect(scoreOf(`zorp in ${path}`)).toBe(1);
  });

  it.each([
    ["README.md", "the readme"],
    ["packages/zorp/CHANGELOG.md", "the changelog"],
    [".github/ISSUE_TEMPLATE/zorp.yml", "the issue template"],
    [".github/workflows/zorp.yml", "the workflow"],
    ["Pro-Changes.md", "the changelog"],
    ["docs/8.0-Upgrade.md", "the upgrade guide"],
    ["book/src/zorp.md", "the documentation"],
    ["website/zorp.mdx", "the page.mdx"],
    [".storybook/zorp.ts", "the storybook"],
    ["COPYING", "the licence"],
  ])("ranks %s higher if the query asks for %s", (path, asked) => {
    const scoreOf = (query: string) =>
      among(query, path, "src/main/zorp.py").find((file) => file.path === path)?.score ?? 0;
    expect(scoreOf(`where is ${asked} of zorp`)).toBeGreaterThan(scoreOf("where is zorp"));
  });

  it.each([
    "src/news.ts",
    "history/zorp.ts",
    "src/releases/zorp.ts",
    "changes/zorp.html",
    "src/security.py",
    "src/readme/zorp.go",
  ])("does not treat %s as documentation of the project", (path) => {
    const scoreOf = (query: string) =>
      among(query, path, "zorp.py").find((file) => file.path === path)?.score;
    expect(scoreOf("zorp of the upgrade")).toBe(scoreOf("zorp"));
  });

  it.each([
    ["db/migrate/20240102030405_add_zorp.rb", "migrations"],
    ["packages/prisma/migrations/20240102030405_add_zorp/migration.sql", "the migration"],
    ["shop/migrations/0012_zorp.py", "migrations"],
    ["Migrations/20240102030405_AddZorp.cs", "migrations"],
    ["src/main/resources/db/migration/V2_1__zorp.sql", "migrations"],
    [".agents/plans/zorp.md", ".agents"],
    [".claude/skills/zorp/SKILL.md", "the skill"],
    ["AGENTS.md", "AGENTS.md"],
    ["vendor/assets/javascripts/zorp.js", "the vendored code"],
    ["public/vendor/zorp.css", "the vendored code"],
    ["src/third_party/zorp.c", "the third-party code"],
    ["Shop/ZorpForm.Designer.cs", "the designer"],
  ])("ranks %s far below code, unless the query asks for %s", (path, asked) => {
    const scoreOf = (query: string) =>
      among(query, path, "src/main/zorp.py").find((file) => file.path === path)?.score ?? 0;
    expect(scoreOf("where is zorp")).toBeLessThan(0.6 * scoreOf(`where is ${asked} of zorp`));
  });

  it.each([
    ["src/migrations/runner.ts", "src/departures/runner.ts"],
    ["db/migrations.py", "db/departures.py"],
    ["src/migrate/2d.ts", "src/depart/2d.ts"],
    ["src/agents/zorp.ts", "src/doctors/zorp.ts"],
    ["src/pages/vendor/zorp.ts", "src/pages/tenant/zorp.ts"],
    ["src/designer.cs", "src/builder.cs"],
  ])("does not treat %s as a migration, an instruction for agents, a form or code of others", (path, other) =>
    expect(among("zorp", path, other).map(({ score }) => score)).toEqual([1, 1]),
  );

  it("ignores text of the query that comes from an issue template of the repository", () => {
    const template =
      "### Before you write\n- [ ] Please run the linter and say which workflow of ours is to be changed\n### Zorp version\n";
    const form =
      "body:\n  - type: checkboxes\n    attributes:\n      label: Did you search?\n      options:\n        - label: I searched the issues for one that tells of this already\n";
    const ids = {
      ".github/PULL_REQUEST_TEMPLATE.md": template,
      ".github/ISSUE_TEMPLATE/bug.yml": form,
      "src/lint.ts": "export function runLinter() {}\n// the linter says which issues are to be changed\n",
      "src/cart.ts": "export function addToCart() {}\n",
    };
    const files = (query: string) =>
      locate({
        query,
        segments: Object.entries(ids).map(([id, content]) => ({ id, content, priority: 0, pinned: false })),
        limit: 10,
      }).files.map(({ path }) => path);
    const said =
      "### Before you write\n- [x] Please run the linter and say which\nworkflow of ours is to be changed\n\n### Zorp version\n### Did you search?\n- [X] I searched the issues for one that tells of this already\n";
    expect(files(`Nothing gets into the cart\n\n${said}`)).toEqual(["src/cart.ts"]);
    expect(files("the linter and the issues")[0]).toBe("src/lint.ts");
    expect(files(said)).not.toEqual([]);
  });

  it("does not treat code as a translation because of its folder", () => {
    expect(among("zorp", "src/languages/rust.ts", "src/a.py")[0]?.score).toBe(1);
  });

  it.each(
    "test/a.ts tests/a.ts x/__tests__/a.ts spec/a.rb x/testing/a.c a.test.ts a.spec.ts a_test.go test_a.py x/test.ts a-spec.js A.TESTS.JS x/androidTest/a.kt x/commonTest/a.kt aTest.kt aSpec.scala Shop.Tests/a.cs aIT.java"
      .split(" ")
      .map((path) => [path, true] as [string, boolean])
      .concat(
        "src/a.ts latest/a.ts contest.ts a/tested.ts testa.ts tests x/specs/a.ts attesting/a.ts Wait.java latest.kt Unit.scala"
          .split(" ")
          .map((path) => [path, false] as [string, boolean]),
      ),
  )("recognises a test by its path: %s, %s", (path, expected) => {
    const [file] = among("zorp", path);
    expect(file?.reasons.includes("It is a test.")).toBe(expected);
  });

  it("ranks examples lower, and tests and pages lower still, unless the query asks for them", () => {
    const asked = { code: 1, example: 1, test: 1, page: 1 };
    const scores = (query: string) => {
      const paths = { code: "source/d.ts", example: "samples/b.ts", test: "spec/a.ts", page: "notes/e.md" };
      const found = among(query, "demo/c.ts", "notes/f.ts", ...Object.values(paths));
      const scoreOf = (path: string) => found.find((file) => file.path === path)?.score;
      expect([scoreOf("demo/c.ts"), scoreOf("notes/f.ts")]).toEqual([scoreOf(paths.example), 1]);
      return Object.fromEntries(Object.entries(paths).map(([kind, path]) => [kind, scoreOf(path)]));
    };
    expect(scores("zorp")).toEqual({ code: 1, example: 0.8, test: 0.7, page: 0.7 });
    for (const word of ["docs", "documentation", "tutorial", "guides"])
      expect(scores(`zorp\n${word}`)).toEqual({ ...asked, test: 0.7 });
    expect(scores("zorp\nmanual")).toEqual({ ...asked, example: 0.8, test: 0.7 });
    for (const word of ["test", "tests"])
      expect(scores(`zorp\n${word}`)).toEqual({ ...asked, example: 0.8, page: 0.7 });
  });

  it("ranks pages no lower where most of the repository is pages", () => {
    const scoreOfPage = (...others: string[]) =>
      among("zorp", "book/a.md", "lib/b.rs", ...others).find(({ path }) => path === "book/a.md")?.score;
    expect(scoreOfPage("lib/c.rs", "lib/d.rs", "lib/e.rs")).toBe(0.7);
    expect(scoreOfPage("book/c.md", "book/d.md", "book/e.md")).toBe(1);
  });

  it("ranks what tells of releases lower than other pages", () => {
    const paths = ["site/pages/a.rst", "site/releases/a.rst"];
    expect(among("zorp", "a.py", "b.py", ...paths).map(({ path }) => path)).toEqual([
      "a.py",
      "b.py",
      ...paths,
    ]);
    const [page, release] = paths.map(
      (path) => among("zorp", "a.py", ...paths).find((file) => file.path === path)?.score as number,
    );
    expect(release).toBeLessThan(page as number);
  });

  it("cares less for words that only say that something is to be fixed", () => {
    const file = (id: string, content: string) => ({ id, content, priority: 0, pinned: false });
    const { files } = locate({
      query: "Fixed issue of the border",
      segments: [file("tracker.ts", "createIssue();\n"), file("frame.ts", "drawBorder(width);\n")],
      limit: 1,
    });
    expect(files[0]?.path).toBe("frame.ts");
  });

  it("lists at most the five best declarations of a file, and a piece without one by its lines", () => {
    const content = ["x = 1\n\n", ...Array.from({ length: 7 }, (_, at) => `def f${at}():\n    zorp()\n\n`)];
    const [file] = locate({
      query: "zorp",
      segments: [{ id: "a.py", content: content.join(""), priority: 0, pinned: false }],
      limit: 1,
    }).files;
    expect(file?.symbols.map(({ name }) => name)).toEqual(["f0", "f1", "f2", "f3", "f4"]);
    const [plain] = among("zorp", "a.py");
    expect(plain?.symbols).toEqual([{ from: 1, to: 1, score: expect.any(Number) }]);
  });
});

it("a reason names only what a file has of a word", () => {
  const segments = [
    { id: "sha1.ts", content: "export function sha1(x) { return x; }" },
    { id: "sha256.ts", content: "export function sha256(x) { return x; }" },
    { id: "client.ts", content: "export function v2Client() {}" },
  ].map((each) => ({ ...each, priority: 0, pinned: false }));
  const reasonsFor = (query: string) =>
    Object.fromEntries(
      locate({ query, segments, limit: 5 }).files.map(({ path, reasons }) => [path, reasons]),
    );
  expect(reasonsFor("sha256")).toEqual({
    "sha256.ts": ["Its path has sha256."],
    "sha1.ts": ["Its path has sha."],
  });
  expect(reasonsFor("v3Client")).toEqual({ "client.ts": ["Its path has Client."] });
});
