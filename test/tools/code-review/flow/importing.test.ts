import { describe, expect, it } from "vitest";
import { openImports } from "../../../../src/repository/imports.ts";
import { review } from "../../../../src/tools/code-review/review.ts";
import { added } from "../cases.ts";

type Files = Record<string, string>;

/** Returns the callers that the review of a file names for what it finds there, beside others that are not changed. */
function callers(path: string, files: Files): string[] {
  const project = { paths: new Set(Object.keys(files)), text: (each: string) => files[each] };
  const { of } = openImports(project);
  const { findings } = review({
    diff: added(path, files[path] as string),
    files: Object.entries(files).map(([path, content]) => ({ path, content })),
    imports: Object.fromEntries(Object.keys(files).map((each) => [each, Object.fromEntries(of(each))])),
  });
  return findings.map(({ message }) => / (\S+) passes it on/.exec(message)?.[1] ?? "nobody");
}

const JOINED = 'db.query("SELECT a FROM b WHERE id = " + id)';
const ROUTE = (before: string, call: string) =>
  `${before}\nrouter.get("/", async (req, res) => {\n  res.json(await ${call});\n});`;

describe("a function of JavaScript", () => {
  const users = `exports.find = async (id) => ${JOINED};`;

  it.each([
    [
      "module.exports = { users: require('./users') };",
      "const { users } = require('.');",
      "users.find(req.query.id)",
    ],
    [
      "module.exports.users = require('./users');",
      "const { users } = require('.');",
      "users.find(req.query.id)",
    ],
    [
      "const users = require('./users');\nmodule.exports = { users };",
      "const all = require('.');",
      "all.users.find(req.query.id)",
    ],
    ["module.exports = { ...require('./users') };", "const { find } = require('.');", "find(req.query.id)"],
    ["exports.find = require('./users').find;", "const all = require('.');", "all.find(req.query.id)"],
  ])("is found by way of %s", (index, before, call) => {
    const files = { "users.js": users, "index.js": index, "route.js": ROUTE(before, call) };
    expect(callers("users.js", files)).toEqual(["route.js:3"]);
  });

  it("is not found behind the result of a module that is called", () => {
    const files = {
      "users.js": users,
      "index.js": "module.exports.users = require('./users')(db);",
      "route.js": ROUTE("const { users } = require('.');", "users.find(req.query.id)"),
    };
    expect(callers("users.js", files)).toEqual(["nobody"]);
  });

  it("is found where it is imported when it is needed", () => {
    const route =
      'app.get("/", async (req, res) => {\n  const { find } = await import("./users.js");\n  find(req.query.id);\n});';
    expect(callers("users.js", { "users.js": users, "route.js": route })).toEqual(["route.js:3"]);
  });

  it("is found in files that begin with a byte order mark", () => {
    const files = {
      "users.js": `\uFEFFexport function find(id) { ${JOINED}; }`,
      "route.js": `\uFEFF${ROUTE('import { find } from "./users";', "find(req.query.id)")}`,
    };
    expect(callers("users.js", files)).toEqual(["route.js:3"]);
  });
});

describe("an address that a function of JavaScript asks", () => {
  const asked = (lines: string) =>
    callers("feed.js", {
      "feed.js": `import axios from "axios";\nexport function read(id) {\n${lines}\n}`,
      "route.js": ROUTE('import { read } from "./feed";', "read(req.query.id)"),
    });

  it.each([
    "  const url = id + '/feed';\n  return axios.get(url);",
    "  const url = `${id}/feed`;\n  return axios.get(url);",
    "  let url;\n  url = id;\n  return axios.get(url);",
  ])("is the client's choice where it begins with what a route passes on: %j", (lines) => {
    expect(asked(lines)).toEqual(["route.js:3"]);
  });

  it.each([
    "  const url = `https://feeds.example.test/${id}`;\n  return axios.get(url);",
    "  const url = 'https://feeds.example.test/' + id;\n  return axios.get(url);",
    "  const url = `${this.base}/feeds/${id}`;\n  return axios.get(url);",
  ])("is not where it begins with another: %j", (lines) => {
    expect(asked(lines)).not.toContain("route.js:3");
  });
});

describe("a method of TypeScript", () => {
  const users = `export class Users {\n  find(id: string) {\n    return ${JOINED};\n  }\n}`;
  const route = (fields: string, method: string) =>
    `import { Controller, Get, Query } from "@nestjs/common";\nimport { Others } from "./others";\nimport { Users } from "./users";\n@Controller()\nexport class Route {\n${fields}\n${method}\n}`;
  const shown = '  @Get()\n  show(@Query("id") id: string) {\n    return this.users.find(id);\n  }';

  it.each([
    "  constructor(private readonly users: Users) {}",
    "  private users = new Users();",
    "  private users: Users;",
    "  private users?: Users;",
    "  constructor() { this.users = new Users(); }",
    "  constructor(users: Users) { this.users = users; }",
  ])("is found on a field that is declared by %s", (fields) => {
    expect(
      callers("users.ts", {
        "users.ts": users,
        "others.ts": "export class Others {}",
        "route.ts": route(fields, shown),
      }),
    ).toEqual(["route.ts:9"]);
  });

  it.each([
    "  constructor(private readonly users: Others) {}",
    "  private users = new Users().others;\n  private users: Others;",
    "  private users = makeUsers();",
    "  private others: Users;",
  ])("is not found on a field that is declared by %j", (fields) => {
    expect(
      callers("users.ts", {
        "users.ts": users,
        "others.ts": "export class Others {}",
        "route.ts": route(fields, shown),
      }),
    ).toEqual(["nobody"]);
  });

  it("is not found on a field that another class of the file declares", () => {
    const text = `${route("", shown)}\nclass Second {\n  private users: Users;\n}`;
    expect(
      callers("users.ts", { "users.ts": users, "others.ts": "export class Others {}", "route.ts": text }),
    ).toEqual(["nobody"]);
  });
});

describe("a function of Python", () => {
  const users = `def find(cursor, id):\n    return cursor.execute("SELECT a FROM b WHERE id = " + id)\n`;
  const method = `class Users:\n    def find(self, id):\n        return cursor.execute("SELECT a FROM b WHERE id = " + id)\n`;
  const view = (before: string, call: string) =>
    `from flask import request\n${before}\n@app.route("/")\ndef show():\n    return ${call}\n`;

  it.each([
    ["from shop.users import *", "from shop import find", 'find(cursor, request.args["id"])'],
    [
      "from .users import find as find_user",
      "from shop import find_user",
      'find_user(cursor, request.args["id"])',
    ],
    ["", "from shop.users import *", 'find(cursor, request.args["id"])'],
  ])("is found where a package says %j", (front, before, call) => {
    const files = { "shop/__init__.py": front, "shop/users.py": users, "shop/views.py": view(before, call) };
    expect(callers("shop/users.py", files)).toEqual(["shop/views.py:5"]);
  });

  it("is not found behind a function of the same name in the file that imports all", () => {
    const before = "from shop.users import *\ndef find(cursor, id):\n    return id";
    const files = {
      "shop/users.py": users,
      "shop/views.py": view(before, 'find(cursor, request.args["id"])'),
    };
    expect(callers("shop/users.py", files)).toEqual(["nobody"]);
  });

  it.each([
    "class View:\n    def __init__(self):\n        self.users = Users()\n    def get(self):\n        return self.users.find(request.args['id'])",
    "class View:\n    def __init__(self, users: Users):\n        self.users = users\n    def get(self):\n        return self.users.find(request.args['id'])",
    "@app.get('/')\ndef show(id: str, users: Users = Depends()):\n    #\n    #\n    return users.find(id)",
  ])("is found on an object in %j", (view) => {
    const before =
      "from fastapi import FastAPI\nfrom flask import request\nfrom users import Users\napp = FastAPI()\n";
    expect(callers("users.py", { "users.py": method, "view.py": before + view })).toEqual(["view.py:9"]);
  });

  it.each([
    ["class Image(BaseModel):\n    path: str\n    def read(self):\n        return load(self.path)", "nobody"],
    [
      "class Page(BaseHTTPRequestHandler):\n    size: int\n    def do_GET(self):\n        return load(self.path)",
      "image.py:5",
    ],
  ])("is given a member of a request by a handler alone: %j", (text, caller) => {
    const files = {
      "load.py": "def load(path):\n    return open(path).read()\n",
      "image.py": `from load import load\n${text}\n`,
    };
    const named = callers("load.py", files);
    expect(named.length > 0 ? named : ["nobody"]).toEqual([caller]);
  });
});
