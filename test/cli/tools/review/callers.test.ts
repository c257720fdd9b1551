import { describe, expect, it } from "vitest";
import { ROUTE, withFiles } from "./with-files.ts";

const BOUND = `export function findUser(id: string) {
  return db.query("SELECT * FROM users WHERE id = $1", [id]);
}
`;
/** `BOUND` as a change makes it dangerous. */
const JOINED = BOUND.replace('= $1", [id]', '= " + id');
const OWN = ROUTE('import { findUser } from "../users";', "findUser(req.query.id)");
/** What is reported without a caller that is known. */
const ALONE = ["warning src/users.ts:2"];
const BY = (caller: string) => [`error src/users.ts:2: ${caller} passes it on.`];

/** Reviews a change of `src/users.ts` that makes its function dangerous, beside unchanged files. */
async function reviewed(others: Record<string, string>, words: string[] = [], changed = JOINED) {
  const { write, commit, found } = withFiles({ "src/users.ts": BOUND, ...others });
  commit();
  write("src/users.ts", changed);
  return found(...words);
}

describe("a function that a change makes dangerous", () => {
  it("is found to be given what a client sends by a file that is not changed", async () => {
    expect(await reviewed({})).toEqual(ALONE);
    expect(await reviewed({ "src/routes/user.ts": OWN })).toEqual(BY("src/routes/user.ts:3"));
    expect(await reviewed({ "src/routes/user.ts": OWN }, ["--context", "none"])).toEqual(ALONE);
  });

  it.each([
    ["renamed", ROUTE('import { findUser as get } from "../users.js";', "get(req.query.id)")],
    ["as a namespace", ROUTE("import * as users from '../users';", "users.findUser(req.query.id)")],
    ["by require", ROUTE('const users = require("../users");', "users.findUser(req.query.id)")],
  ])("is found where it is imported %s", async (_, route) => {
    expect(await reviewed({ "src/routes/user.ts": route })).toEqual(BY("src/routes/user.ts:3"));
  });

  it("is found by a mapping of a tsconfig.json, and by the name of a package", async () => {
    const mapping = '{ "compilerOptions": { "paths": { "~db/*": ["./src/*"] } } }';
    const mapped = ROUTE('import { findUser } from "~db/users";', "findUser(req.query.id)");
    expect(await reviewed({ "tsconfig.json": mapping, "web/user.ts": mapped })).toEqual(BY("web/user.ts:3"));
    const packages = {
      "package.json": '{ "workspaces": ["src", "web"] }',
      "src/package.json": '{ "name": "@acme/db", "exports": "./users.ts" }',
      "web/package.json": '{ "dependencies": { "@acme/db": "workspace:*" } }',
      "web/user.ts": ROUTE('import { findUser } from "@acme/db";', "findUser(req.query.id)"),
    };
    expect(await reviewed(packages)).toEqual(BY("web/user.ts:3"));
  });

  it.each([
    ["an index", { "src/index.ts": 'export * from "./users";\n' }, "../src"],
    ["an index of the folder above", { "src/index.ts": 'export { findUser } from "./users";\n' }, ".."],
    ["a file of another name", { "src/api.ts": 'export { findUser } from "./users";\n' }, "../api"],
    [
      "two files",
      { "src/api.ts": 'export * from "./users";\n', "src/all.ts": 'export * from "./api";\n' },
      "../all",
    ],
  ])("is found by way of %s that hands it on", async (_, handing, module) => {
    const path = module === "../src" ? "web/user.ts" : "src/routes/user.ts";
    const route = ROUTE(`import { findUser } from "${module}";`, "findUser(req.query.id)");
    expect(await reviewed({ ...handing, [path]: route })).toEqual(BY(`${path}:3`));
  });

  it("is found in a folder whose name has a space", async () => {
    const route = ROUTE('import { findUser } from "../../users";', "findUser(req.query.id)");
    expect(await reviewed({ "src/my routes/a b/user.ts": route })).toEqual(BY("src/my routes/a b/user.ts:3"));
  });

  it.each([
    ["made harmless by the caller", 'import { findUser } from "../users";', "findUser(Number(req.query.id))"],
    ["not what is passed", 'import { findUser } from "../users";', 'findUser("1", req.query.id)'],
    [
      "given to another function of that name",
      'import { findUser } from "../other";',
      "findUser(req.query.id)",
    ],
    [
      "given to an own function of that name",
      'import { other } from "../users"; const findUser = (id) => id;',
      "findUser(req.query.id)",
    ],
  ])("is not found where what a client sends is %s", async (_, importing, call) => {
    const other = "export function findUser(id: string) {\n  return id;\n}\n";
    expect(await reviewed({ "src/routes/user.ts": ROUTE(importing, call), "src/other.ts": other })).toEqual(
      ALONE,
    );
  });

  it("is not found where a test calls it", async () => {
    expect(await reviewed({ "src/routes/user.test.ts": OWN })).toEqual(ALONE);
  });

  it("is found among five hundred importers", async () => {
    const others = Object.fromEntries(
      Array.from({ length: 500 }, (_, index) => [
        `src/a/n${index}.ts`,
        'import { other } from "../users";\nother();\n',
      ]),
    );
    expect(await reviewed({ ...others, "src/routes/user.ts": OWN })).toEqual(BY("src/routes/user.ts:3"));
  });
});

describe("a change that is not what makes a flow dangerous", () => {
  it("has no finding, whoever calls", async () => {
    const changed = `${JOINED}export const LIMIT = 10;\n`;
    const { write, commit, found } = withFiles({ "src/users.ts": JOINED, "src/routes/user.ts": OWN });
    commit();
    write("src/users.ts", changed);
    expect(await found()).toEqual([]);
  });

  it("has one at a call in between, which names both ends", async () => {
    const service = (argument: string) =>
      `import { findUser } from "./users";\nexport function load(id: string) {\n  return findUser(${argument});\n}\n`;
    const { write, commit, found } = withFiles({
      "src/users.ts": JOINED,
      "src/service.ts": service("Number(id)"),
      "src/routes/user.ts": ROUTE('import { load } from "../service";', "load(req.query.id)"),
    });
    commit();
    write("src/service.ts", service("id"));
    expect(await found()).toEqual([
      "error src/service.ts:3: src/routes/user.ts:3 gives it to this call, which passes it on to src/users.ts:2.",
    ]);
  });
});

describe("callers are read as they are", () => {
  const files = { "src/users.ts": BOUND, "src/routes/user.ts": OWN };
  const HARMLESS = OWN.replace("req.query.id", "1");

  it("in the working tree, whether git knows them or not, and not where they were deleted", async () => {
    const { write, commit, found, remove } = withFiles(files);
    commit();
    write("src/users.ts", JOINED);
    write("src/routes/user.ts", HARMLESS);
    expect(await found("src/users.ts")).toEqual(ALONE);
    write("src/routes/new.ts", OWN);
    expect(await found("src/users.ts")).toEqual(BY("src/routes/new.ts:3"));
    remove("src/routes/new.ts");
    remove("src/routes/user.ts");
    expect(await found("src/users.ts")).toEqual(ALONE);
  });

  it("where nothing is committed", async () => {
    const { write, found } = withFiles(files);
    write("src/users.ts", JOINED);
    expect(await found("src/users.ts")).toEqual(BY("src/routes/user.ts:3"));
  });

  it("as they are staged with --staged, also if they were deleted since", async () => {
    const { git, write, commit, found, remove } = withFiles({ ...files, "src/routes/user.ts": HARMLESS });
    commit();
    write("src/users.ts", JOINED);
    git("add", ".");
    write("src/routes/user.ts", OWN);
    expect(await found("--staged")).toEqual(ALONE);
    git("add", ".");
    git("commit", "--quiet", "--message", "b", "src/routes/user.ts");
    for (const change of [() => write("src/routes/user.ts", HARMLESS), () => remove("src/routes/user.ts")]) {
      change();
      expect(await found("--staged")).toEqual(BY("src/routes/user.ts:3"));
    }
  });

  it("as they are in the later of two revisions", async () => {
    const { git, write, commit, found } = withFiles({ ...files, "src/routes/user.ts": HARMLESS });
    commit();
    git("checkout", "--quiet", "-b", "callers");
    write("src/routes/user.ts", OWN);
    commit();
    git("checkout", "--quiet", "-b", "topic");
    write("src/users.ts", JOINED);
    commit();
    git("checkout", "--quiet", "main");
    for (const revisions of [["callers..topic"], ["callers...topic"], ["callers", "topic"], ["topic^!"]])
      expect(await found(...revisions)).toEqual(BY("src/routes/user.ts:3"));
    git("checkout", "--quiet", "topic");
    write("src/routes/user.ts", HARMLESS);
    expect(await found("callers..")).toEqual(BY("src/routes/user.ts:3"));
    expect(await found("callers", "./src/users.ts")).toEqual(ALONE);
  });
});

describe("a function of Python", () => {
  const bound =
    'def find_user(cursor, name):\n    return cursor.execute("SELECT id FROM users WHERE name = %s", (name,))\n';
  const joined = bound.replace('%s", (name,)', '" + name');
  const view = (importing: string, call: string) =>
    `from flask import request\n${importing}\n\n@app.route("/user")\ndef show():\n    return ${call}\n`;

  it.each([
    ["from shop.users import find_user", 'find_user(cursor, request.args["name"])'],
    ["from shop.users import find_user as find", 'find(cursor, request.args["name"])'],
    ["from shop import users", 'users.find_user(cursor, request.args["name"])'],
    ["from ..users import find_user", 'find_user(cursor, request.args["name"])'],
    ["import shop.users", 'shop.users.find_user(cursor, request.args["name"])'],
    ["from shop import find_user", 'find_user(cursor, request.args["name"])'],
    ["from shop import (orders, users)", 'users.find_user(cursor, request.args["name"])'],
  ])("is found by %s", async (importing, call) => {
    const { write, commit, found } = withFiles({
      "shop/__init__.py": "from .users import find_user\n",
      "shop/orders.py": "",
      "shop/users.py": bound,
      "shop/web/__init__.py": "",
      "shop/web/views.py": view(importing, call),
    });
    commit();
    write("shop/users.py", joined);
    expect(await found()).toEqual(["error shop/users.py:2: shop/web/views.py:6 passes it on."]);
  });

  it("is not found where the caller makes it harmless, or calls another", async () => {
    const { write, commit, found } = withFiles({
      "users.py": bound,
      "other.py": bound.replace("cursor.execute", "print"),
      "a.py": view("from users import find_user", 'find_user(cursor, int(request.args["name"]))'),
      "b.py": view("from other import find_user", 'find_user(cursor, request.args["name"])'),
    });
    commit();
    write("users.py", joined);
    expect(await found()).toEqual(["warning users.py:2"]);
  });
});
