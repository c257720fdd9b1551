import { describe, expect, it } from "vitest";
import { readJavascript } from "../../../src/repository/languages/javascript/read-javascript.ts";
import { readPython } from "../../../src/repository/languages/python/read-python.ts";

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
    ["import(name); require(name); import(`./name`); import(`./$" + "{name}`)", ["./name"]],
    ['import("./tpl/" + name); require("./lang/".concat(name)); import("./a",\n  { with: {} })', ["./a"]],
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
    ["const a = `$" + '{b ? `}` : require("x")}`; import c from "c"', ["x", "c"]],
    ["const a = <p>It's {require('a')} and it's</p>", ["a"]],
    ["const a = <a href='b'>c</a> / 2; require('d')", ["d"]],
    ["const a = {} / 2; require('d') / 3", ["d"]],
    ["x.split(/[/'\"]/); require('d')", ["d"]],
    ['/// <reference path="types.d.ts" />\n', ["./types.d.ts"]],
    ['type A = import("./a").B; import type B = require("b")', ["./a", "b"]],
    ["import def, * as all from 'a'; export type { T } from 'b'; export * as c from 'c'", ["a", "b", "c"]],
    ['/* import "a"', []],
    ["`import 'a'", []],
    ["require(''); import \"\"; export * from ''; const a = {...require('a')}", ["a"]],
  ])("are read from %j as %j", (text, specifiers) => {
    expect(readJavascript(text, "a.tsx").imports.map(({ module }) => module)).toEqual(specifiers);
  });
});

describe("the imports of Python", () => {
  const plain = (module: string) => ({ module });

  it.each([
    ["import os", [plain("os")]],
    ["import os.path as path, sys", [plain("os.path"), plain("sys")]],
    ["from os import path", [{ module: "os", names: ["path"] }]],
    ["from . import a, b as c", [{ module: ".", names: ["a", "b"] }]],
    ["from ..pkg.mod import *", [{ module: "..pkg.mod", names: [] }]],
    ["from .a import (\n  b,  # why\n  c,\n)", [{ module: ".a", names: ["b", "c"] }]],
    ["from a import b, \\\n  c", [{ module: "a", names: ["b", "c"] }]],
    ["try:\n    import a\nexcept ImportError:\n    import b", [plain("a"), plain("b")]],
    ["if x: import a; import b", [plain("a"), plain("b")]],
    ['"""\nimport a\n"""\n# import b\nx = "import c"', []],
    ['f"""{x}\nimport a\n"""\nimport b', [plain("b")]],
    ["x = 'it\\'s'\nimport b", [plain("b")]],
    ["importlib.import_module('a')", []],
    ["import größe", [plain("größe")]],
  ])("are read from %j as %j", (text, imports) => {
    expect(readPython(text).imports).toEqual(imports);
  });
});
