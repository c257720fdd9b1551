import { describe, expect, it } from "vitest";
import { parseJsonWithComments } from "../../../src/repository/languages/javascript/json-with-comments.ts";
import type { Language } from "../../../src/repository/languages/language.ts";
import { languageOf } from "../../../src/repository/languages/languages.ts";

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
  "extern int a, ",
  "int a[",
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
  "get :a, \n",
  "scope do\n",
  "Dir[__dir__ + ",
  "é.",
  "篮 ",
  '"\\(',
  's"${',
  '#"',
  "(/a\\",
  "func a<B, C>(",
  "enum a { case b(",
  "extension a { func b() {} ",
  "class a:\n ",
  "def a[B, C](",
  "import a.{b, ",
  "import a, b.",
  "package a {",
  "#",
  "import 'a' ",
  "import 'a' if (b ",
  "import '''a",
  "part of a.",
  "r'''$",
  "'${",
  "final ",
  "@A<B",
  "A<",
  "typedef A(",
  "class A { A() : b = {}",
  "extension <",
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
  "a.scala": ["import b.C", "b.C"],
  "a.swift": ["import b", "b"],
  "a.dart": ["import 'b.dart';", "b.dart"],
  "a.cs": ["using b;", "b.*"],
  "a.php": ["<?php use b\\C;", "b.C"],
  "a.rb": ['require "b"', "b"],
  "config/routes.rb": ['require "b"', "b"],
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
    ["a.scala", "", "a.b#;"],
    ["a.swift", "", "a.b#;"],
    ["b.swift", "enum A {\n", "case b#\n"],
    ["a.dart", "", "import 'a#.dart';"],
    ["b.dart", "class A {\n", "int b#() => 1;"],
    ["c.dart", "", "int a#(int b) { return b; }"],
    ["d.dart", "", "class A# {}"],
    ["a.php", "<?php\n", "new a#;"],
  ])("is read however much it has of one thing: %s, %j, %j", (path, first, piece) => {
    // More than a call may have arguments.
    const pieces = Array.from({ length: 150_000 }, (_, at) => piece.replace("#", at.toString(36)));
    const facts = languageOf(path)?.read(`${first}${pieces.join("")}\n#endif`, path);
    expect(JSON.stringify(facts).length).toBeGreaterThan(pieces.length / 10);
  });
});

describe("a repository of many files that are alike", () => {
  /** Returns how many files each file leads to. */
  function targetsOf(files: ReadonlyMap<string, string>): number[] {
    const path = [...files.keys()].at(-1) as string;
    const language = languageOf(path) as Language;
    const facts = new Map(
      [...files].flatMap(([each, text]) =>
        language.files.test(each) ? [[each, language.read(text, each)] as const] : [],
      ),
    );
    const project = { paths: new Set(files.keys()), facts, text: (each: string) => files.get(each) };
    const resolve = language.resolver(project);
    return [...facts].map(([each, own]) => resolve(each, own).filter(({ kind }) => kind === "file").length);
  }
  const times = (count: number, made: (at: number) => [path: string, text: string][]) =>
    new Map(Array.from({ length: count }, (_, at) => made(at)).flat());

  it.each<[name: string, files: ReadonlyMap<string, string>, least: number]>([
    [
      "classes of one name in Java",
      times(10_000, (at) => [
        [`p${at}/Same.java`, "package n; class Same {}"],
        [`p${at}/Use.java`, "package n; class Use { Same same; }"],
      ]),
      10_000,
    ],
    [
      "classes of one name in Kotlin",
      times(20_000, (at) => [[`p${at}/a.kt`, `package n\nclass Same\nclass A${at} : Other()\nclass Other`]]),
      0,
    ],
    [
      "classes of one name in Scala",
      times(10_000, (at) => [
        [`p${at}/Same.scala`, "package n\nclass Same"],
        [`p${at}/Use.scala`, "package n\nimport n._\nclass Use(same: Same)"],
      ]),
      10_000,
    ],
    [
      "types of one name in Swift, and members of one name",
      times(10_000, (at) => [
        [`p${at}/Same.swift`, "struct Same {}"],
        [
          `p${at}/Use.swift`,
          `extension Same { func a${at}() { a(same) } }\nextension String { func same() {} }`,
        ],
      ]),
      10_000,
    ],
    [
      "packages of Swift",
      times(2000, (at) => [
        [
          `p${at}/Package.swift`,
          `let a = Package(targets: [.target(name: "A${at}"), .target(name: "Same")])`,
        ],
        [`p${at}/Sources/A${at}/A.swift`, "import Same\nlet a = Same()"],
        [`p${at}/Sources/Same/Same.swift`, "struct Same {}"],
      ]),
      2000,
    ],
    [
      "packages and libraries of one name in Dart",
      times(5000, (at) => [
        [`p${at}/pubspec.yaml`, `name: same\ndependencies:\n  other:\n    path: ../p${at}/gone`],
        [`p${at}/lib/same.dart`, "library same; part 'part.dart'; import 'package:same/part.dart';"],
        [`p${at}/lib/part.dart`, "part of same;"],
        [`q${at}/a.dart`, "import 'package:same/same.dart'; import 'package:same/gone.dart';"],
      ]),
      15_000,
    ],
    [
      "functions of one name in PHP",
      times(20_000, (at) => [[`p${at}/a.php`, "<?php namespace N; function same() {} same(); other();"]]),
      20_000,
    ],
    [
      "classes of one name in C#",
      times(20_000, (at) => [
        [`p${at}/a.csproj`, '<ProjectReference Include="../p0/a.csproj" />'],
        [`p${at}/a.cs`, "namespace N; class Same {}"],
        [`p${at}/b.cs`, "namespace N; class Use { Same same; }"],
      ]),
      20_000,
    ],
    [
      "projects of Python with packages that are not there",
      times(1000, (at) => [
        [`p${at}/pyproject.toml`, `[project]\nname = "p${at}"\n`],
        [`p${at}/a.py`, Array.from({ length: 50 }, (_, name) => `import x${at}_${name}\n`).join("")],
      ]),
      0,
    ],
    [
      "headers of one name in C",
      times(10_000, (at) => [
        [`a${at}/x.h`, ""],
        [`b${at}/x.c`, '#include "x.h"\n#include <y/x.h>\n'],
      ]),
      0,
    ],
    [
      "headers that one header includes",
      times(1000, (at) => [
        ["all.h", Array.from({ length: 1000 }, (_, each) => `#include "h${each}.h"\n`).join("")],
        [`h${at}.h`, Array.from({ length: 100 }, (_, each) => `int f${at}_${each}(void);\n`).join("")],
        [
          `c${at}.c`,
          `#include "all.h"\n${Array.from({ length: 100 }, (_, each) => `int f${at}_${each}(void) { return f${(at * 7 + each) % 1000}_${each}(); }\n`).join("")}`,
        ],
      ]),
      10_000,
    ],
  ])("is resolved in linear time: %s", (_name, files, least) => {
    const found = targetsOf(files);
    expect(found.reduce((sum, each) => sum + each, 0)).toBeGreaterThanOrEqual(least);
  });
});
