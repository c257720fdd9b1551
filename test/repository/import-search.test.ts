import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { openImports } from "../../src/repository/imports.ts";
import { temporaryDirectory } from "../support/store.ts";

/** Returns the files that import some others: found by git, then looked at. */
function importing(targets: string[], files: Record<string, string>) {
  const top = temporaryDirectory();
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(top, path)), { recursive: true });
    writeFileSync(join(top, path), text);
  }
  const git = (...words: string[]) => execFileSync("git", words, { cwd: top }).toString();
  git("init", "--quiet");
  git("add", ".");
  const project = { paths: new Set(Object.keys(files)), text: (path: string) => files[path] };
  const imports = openImports(project);
  const found = imports.searches(targets).flatMap((search) =>
    git("grep", "-l", "-z", "-E", "-e", search.pattern, "--", ...search.files)
      .split("\0")
      .filter((path) => path !== "" && imports.isImporting(path, search)),
  );
  return found.sort();
}

describe("a search for what imports a script", () => {
  it.each([
    'import { a } from "./users";',
    "import { a } from './users.js'",
    'export * from "./users.ts";',
    'const a = require("./users");',
    'const a = await import("./users");',
    'import text from "./users?raw";',
    'import "./users";',
    'import { a } from "../src/users";',
  ])("finds %s", (line) => {
    expect(importing(["src/users.ts"], { "src/users.ts": "", "src/a.ts": line })).toEqual(["src/a.ts"]);
  });

  it.each([
    ['import { a } from "./users";', "web/a.ts"],
    ['import { a } from "users";', "src/a.ts"],
    ['import { a } from "./my-users";', "src/a.ts"],
    ['const users = "users";', "src/a.ts"],
  ])("does not find %s in %s", (line, path) => {
    expect(
      importing(["src/users.ts"], { "src/users.ts": "", [path]: line, "src/b.ts": '"./users"' }),
    ).toEqual(["src/b.ts"]);
  });

  it("finds what imports an index by its folder, from within it and by name", () => {
    const files = {
      "src/db/index.ts": "",
      "src/a.ts": 'import "./db";',
      "src/b.ts": 'import "./db/";',
      "src/c.ts": 'import "./db/index.js";',
      "src/db/d.ts": 'import ".";',
      "src/db/e/f.ts": 'import "../";',
      "src/db/e/g.ts": 'import "..";',
      "src/h.ts": 'import ".";',
    };
    const found = ["src/a.ts", "src/b.ts", "src/c.ts", "src/db/d.ts", "src/db/e/f.ts", "src/db/e/g.ts"];
    expect(importing(["src/db/index.ts"], files)).toEqual(found);
  });

  it("finds what imports the entry of a package by its name", () => {
    const files = {
      "package.json": '{ "workspaces": ["db", "web"] }',
      "db/package.json": '{ "name": "@acme/db", "main": "dist/main.js" }',
      "db/src/main.ts": "",
      "db/src/other.ts": "",
      "web/package.json": '{ "dependencies": { "@acme/db": "workspace:*" } }',
      "web/a.ts": 'import { a } from "@acme/db";',
    };
    expect(importing(["db/src/main.ts"], files)).toEqual(["web/a.ts"]);
  });

  it("finds what imports a file by a name that a tsconfig.json gives to it", () => {
    const files = {
      "tsconfig.base.json":
        '{ "compilerOptions": { "baseUrl": ".", "paths": { "@acme/db": ["libs/db/src/index.ts"], "@acme/ui": ["libs/ui/index.ts"] } } }',
      "libs/db/tsconfig.json": '{ "extends": "../../tsconfig.base.json" }',
      "libs/db/src/index.ts": "",
      "libs/ui/index.ts": "",
      "web/tsconfig.json": '{ "extends": "../tsconfig.base.json" }',
      "web/a.ts": 'import { a } from "@acme/db";',
      "web/b.ts": 'import { b } from "@acme/ui";',
    };
    expect(importing(["libs/db/src/index.ts"], files)).toEqual(["web/a.ts"]);
  });

  it("finds names that hold marks of patterns", () => {
    const files = { "a/[id]+(b).$c.ts": "", "a/d.ts": 'import "./[id]+(b).$c";', "a/e.ts": 'import "./i";' };
    expect(importing(["a/[id]+(b).$c.ts"], files)).toEqual(["a/d.ts"]);
  });

  it("finds components, and what they import", () => {
    const files = { "a/Card.vue": "", "a/b.svelte": '<script>import Card from "./Card.vue";</script>' };
    expect(importing(["a/Card.vue"], files)).toEqual(["a/b.svelte"]);
  });
});

describe("a search for what imports a module of Python", () => {
  it.each([
    "from shop.users import find",
    "import shop.users",
    "import shop.users as u, os",
    "from shop import users",
    "from shop import orders, users as u",
    "from shop import (\n    orders,\n    users,\n)",
    "from shop import (\n    users as u, orders)",
    "from .users import find",
    "from . import users",
  ])("finds %j", (line) => {
    const files = { "shop/__init__.py": "", "shop/users.py": "", "shop/orders.py": "", "shop/a.py": line };
    expect(importing(["shop/users.py"], files)).toEqual(["shop/a.py"]);
  });

  it.each(["from shop import orders", "users = 1", "from other.users import find", "from .. import users"])(
    "does not find %s",
    (line) => {
      const files = { "shop/__init__.py": "", "shop/users.py": "", "shop/orders.py": "", "shop/a.py": line };
      const known = { "b.py": "import shop.users\n" };
      expect(importing(["shop/users.py"], { ...files, ...known })).toEqual(["b.py"]);
    },
  );

  it("finds what imports a package", () => {
    const files = {
      "shop/__init__.py": "",
      "a.py": "from shop import find\n",
      "b.py": "import shop\n",
      "shop/c.py": "from . import find\n",
    };
    expect(importing(["shop/__init__.py"], files)).toEqual(["a.py", "b.py", "shop/c.py"]);
  });
});
