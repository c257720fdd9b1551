import { describe, expect, it } from "vitest";
import { javascriptImports } from "../../../../src/cli/tools/graph/scan/javascript-imports.ts";
import { pythonImports } from "../../../../src/cli/tools/graph/scan/python-imports.ts";

describe("the imports of JavaScript and TypeScript", () => {
  it.each([
    ['import a from "a"', ["a"]],
    ["import * as a from 'a'; import { b, type C } from \"b\"", ["a", "b"]],
    ['import "side-effect"', ["side-effect"]],
    ['import type { A } from "./a.ts"', ["./a.ts"]],
    ['import a, { b\n  as c }\n  from\n"./multi-line"', ["./multi-line"]],
    ['export * from "a"; export { b } from "b"; export * as c from "c"', ["a", "b", "c"]],
    ['const a = await import("a")', ["a"]],
    ['const a = import(/* why */ "a", { with: { type: "json" } })', ["a"]],
    ['import data from "./data.json" with { type: "json" }', ["./data.json"]],
    ["const fs = require('fs')", ["fs"]],
    ['import fs = require("fs")', ["fs"]],
    ['import from from "from"', ["from"]],
    ["import(name); require(name); import(`./name`)", []],
    ["// import a from 'a'\n/* import 'b' */", []],
    ['const text = \'import a from "a"\'; const other = `\nimport b from "b"\n`', []],
    ['const pattern = /["\'`]/; import a from "a"', ["a"]],
    ['const half = total / 2; const b = "x" / 1; import a from "a"', ["a"]],
    ['loader.import("a"); module.require("b"); x.from("c")', []],
    ["import.meta.resolve('a'); const from = 'b'", []],
    ['export const from = "a"; export function f() { return "b" }', []],
    ['const view = <p>Don\'t read "from" here</p>;\nimport a from "a"', ["a"]],
    ['import a from "it\'s"', ["it's"]],
    ['import a from "a"\nimport b from "a"', ["a"]],
  ])("of %j are %j", (text, specifiers) => {
    expect(javascriptImports(text)).toEqual(specifiers);
  });
});

describe("the imports of Python", () => {
  const plain = (module: string) => ({ level: 0, module, names: [] });

  it.each([
    ["import os", [plain("os")]],
    ["import os.path as path, sys", [plain("os.path"), plain("sys")]],
    ["from os import path", [{ level: 0, module: "os", names: ["path"] }]],
    ["from . import a, b as c", [{ level: 1, module: "", names: ["a", "b"] }]],
    ["from ..pkg.mod import *", [{ level: 2, module: "pkg.mod", names: [] }]],
    ["from .a import (\n  b,  # why\n  c,\n)", [{ level: 1, module: "a", names: ["b", "c"] }]],
    ["from a import b, \\\n  c", [{ level: 0, module: "a", names: ["b", "c"] }]],
    ["try:\n    import a\nexcept ImportError:\n    import b", [plain("a"), plain("b")]],
    ["if x: import a; import b", [plain("a"), plain("b")]],
    ['"""\nimport a\n"""\n# import b\nx = "import c"', []],
    ["importlib.import_module('a')", []],
    ["import größe", [plain("größe")]],
  ])("of %j are %j", (text, imports) => {
    expect(pythonImports(text)).toEqual(imports);
  });
});
