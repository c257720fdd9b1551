import { describe, expect, it } from "vitest";
import { parseJsonWithComments } from "../../src/repository/languages/javascript/json-with-comments.ts";
import { languageOf } from "../../src/repository/languages/languages.ts";

const LENGTH = 1 << 18;
const PIECES = [
  '"\\',
  '\\"',
  "'\\",
  "\\'",
  "use ",
  " use ",
  "from #",
  "from . ",
  "import ",
  "a(",
  "/*",
  '"""',
  '"""\\',
  "`\\",
  "def test(",
  'usefixtures("a" ',
  "pytest_plugins ",
  "let a = () => ",
  "const a = require('b') ",
  "#if 0\n",
  "#if a\n#else\n",
  "template<",
  "class a ",
  "class a{",
  "operator ",
  "a::",
  "a.",
  "x={}",
  "a():b{},",
  'R"(',
  "namespace a{};",
  "<<A,",
  "<<~A\nA\n",
  "module A\n",
  'x "#{',
  "x /a ",
  "x if y ",
  "end ",
  "%w[",
  "belongs_to :a, \n",
];

/** What a file needs, by its first line. */
const REST: Record<string, [line: string, module: string]> = {
  "a.ts": ['import b from "./b";', "./b"],
  "inner.ts": ['import b from "./b"; {', "./b"],
  "a.py": ["import b", "b"],
  "a.go": ['import "b"', "b"],
  "open.go": ['import "b"\nimport', "b"],
  "a.rs": ["use crate::b::c;", "crate::b::c"],
  "a.java": ["import b.C;", "b.C"],
  "a.kt": ["import b.C", "b.C"],
  "a.cs": ["using b;", "b.*"],
  "a.php": ["<?php use b\\C;", "b.C"],
  "a.rb": ['require "b"', "b"],
  "a.c": ['#include "b.h"', '"b.h"'],
};

describe("a file with a long line that repeats itself", () => {
  const cases = Object.keys(REST).flatMap((path) => PIECES.map((piece) => [path, piece] as const));

  it.each(cases)("is read in linear time: %s, of %j", (path, piece) => {
    // In quadratic time, most of these would take minutes.
    const [line, module] = REST[path] as [string, string];
    const text = [line, piece.repeat(LENGTH / piece.length)].join("\n");
    const imports = languageOf(path)
      ?.read(text, path)
      .imports.map((each) => each.module);
    expect(imports).toContain(module);
  });

  it.each(PIECES)("is no configuration, which is found in linear time: %j", (piece) => {
    expect(parseJsonWithComments(`{ "a": ${piece.repeat(LENGTH / piece.length)}`)).toBeUndefined();
  });

  it.each([
    ["a.ts", "class A {\n", "f(){}\n"],
    ["a.c", "#if A\n#else\n", "a#();"],
    ["a.kt", "", "a.b#;"],
    ["a.cs", "", "a.B#();"],
    ["a.php", "<?php\n", "new a#;"],
  ])("is read however much it has of one thing: %s, %j, %j", (path, first, piece) => {
    // More than a call may have arguments.
    const pieces = Array.from({ length: 150_000 }, (_, at) => piece.replace("#", at.toString(36)));
    const facts = languageOf(path)?.read(`${first}${pieces.join("")}\n#endif`, path);
    expect(JSON.stringify(facts).length).toBeGreaterThan(pieces.length / 10);
  });
});
