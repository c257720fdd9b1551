import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { dependenciesOf, resolutionsOf } from "../../src/repository/dependencies.ts";
import { readerOf } from "../../src/repository/files/read-file.ts";
import { readFiles } from "../../src/repository/read-files.ts";
import { openScanCache } from "../../src/repository/scan-cache.ts";
import { runs } from "../support/runs.ts";
import { temporaryDirectory } from "../support/store.ts";

/** Contents that are not read. */
const BINARY = "\0";

/** What each file may say, in every language and in the files that decide how imports resolve. */
const VARIANTS: Readonly<Record<string, readonly string[]>> = {
  "package.json": ['{ "workspaces": ["packages/*"] }', "{}"],
  "packages/kit/package.json": [
    '{ "name": "@acme/kit" }',
    '{ "name": "@acme/kit", "main": "b.ts" }',
    '{ "name": "@acme/other" }',
  ],
  "packages/kit/index.ts": ["export const kit = 1;"],
  "packages/kit/b.ts": ["export const kit = 2;"],
  "tsconfig.json": [
    '{ "compilerOptions": { "paths": { "@/*": ["src/*"] } } }',
    '{ "compilerOptions": { "paths": { "@/*": ["other/*"] } } }',
  ],
  "src/a.ts": [
    'import "@/b"; import "@acme/kit";',
    '\n\nimport "@/b"; import "@acme/kit";',
    'import "./b.ts"; import "react"; export function a() {}',
  ],
  "src/b.ts": ["", 'import "./a.ts";'],
  "other/b.ts": [""],
  "nuxt/nuxt.config.ts": ["export default {}"],
  "nuxt/package.json": ['{ "dependencies": { "nuxt": "4" } }', "{}"],
  "nuxt/composables/one.ts": ["export const useThing = () => 1;", "export const useOther = () => 1;"],
  "nuxt/composables/two.ts": ["export const useOther = () => 1;", "export const useThing = () => 1;"],
  "nuxt/app.vue": ["<script setup>\nuseThing();\n</script>", "<script setup>\nuseOther();\n</script>"],
  "lib/pyproject.toml": ["", '[tool.setuptools.packages.find]\nwhere = ["code"]\n'],
  "lib/src/pkg/__init__.py": ["", "from .mod import one\n"],
  "lib/src/pkg/mod.py": ["def one():\n    pass\n", "import os\n"],
  "lib/code/pkg/mod.py": ["def one():\n    pass\n"],
  "lib/tests/test_mod.py": ["from pkg.mod import one\n", "\n\nfrom pkg import mod\n"],
  "lib/tests/conftest.py": [
    "import pytest\n\n@pytest.fixture\ndef one(): ...\n",
    "import pytest\nfrom .plugin import *\n",
  ],
  "lib/tests/plugin.py": ["import pytest\n\n@pytest.fixture\ndef one(): ...\n", ""],
  "lib/tests/test_one.py": ["def test_one(one): ...\n", "def test_one(two): ...\n"],
  "go.mod": ["module example.com/m\n", "module example.com/n\n"],
  "go/x/x.go": ["package x\n\nfunc One() {}\n", "package x\n\nfunc Two() {}\n", BINARY],
  "go/x/y.go": ["package x\n\nfunc Two() { One() }\n", "package y\n\nfunc One() {}\n"],
  "go/main.go": [
    'package main\n\nimport "example.com/m/go/x"\n\nfunc main() { x.One() }\n',
    'package main\n\nimport "example.com/m/go/x"\n\nfunc main() { x.Two() }\n',
  ],
  "rs/Cargo.toml": ['[package]\nname = "one"\n', '[package]\nname = "two"\n'],
  "rs/src/lib.rs": ["mod a;\nmod b;\n", "mod b;\n", "\nmod a;\nmod b;\n"],
  "rs/src/a.rs": ["pub fn x() {}\n", "#[test]\nfn y() {}\n"],
  "rs/src/b.rs": ["use crate::a::x;\n", ""],
  "java/p/A.java": [
    "package p;\n\nclass A {}\n",
    "package p;\n\nclass A {}\nclass B {}\n",
    "package q;\nclass A {}\n",
  ],
  "java/q/C.java": [
    "package q;\n\nimport p.*;\n\nclass C { A a; B b; }\n",
    "package q;\n\nclass C { A a; }\n",
  ],
  "kotlin/A.kt": ["package p\n\nfun one() = 1\n", "package p\n\nfun two() = 1\n"],
  "kotlin/B.kt": [
    "package q\n\nimport p.one\n",
    "package p\n\nval a = one()\n",
    "package p\n\nval a = A()\n",
  ],
  "scala/A.scala": ["package p\n\nclass A\n", "package p\nclass B; object A\n", "package q\nclass A\n"],
  "scala/B.scala": ["package q\nimport p._\nval a = new A\n", "package p\n\nval b = new B\n"],
  "swift/Package.swift": ['let a = Package(targets: [.target(name: "P")])\n', ""],
  "swift/Sources/P/A.swift": ["struct A {}\n", "struct B {}\n", "extension B { func a() {} }\n"],
  "swift/Sources/P/B.swift": ["let a = A()\n", "struct B { func b() { a() } }\n"],
  "swift/Sources/Q/Q.swift": ["@testable import P\nlet a = A()\n", "let a = A()\n"],
  "dart/pubspec.yaml": ["name: p\n", "name: q\n"],
  "dart/lib/a.dart": [
    "library a; part 'b.dart'; import 'package:p/c.dart';",
    "library b; part 'b.dart';",
    "import 'package:q/c.dart'; part 'b.dart';",
  ],
  "dart/lib/b.dart": ["part of a;", "part of b;", "part of 'a.dart';"],
  "dart/lib/c.dart": ["", "class C {}"],
  "dart/test/c_test.dart": ["import '../lib/c.dart';", "import 'package:p/c.dart';"],
  "dart/test/flutter_test_config.dart": ["import '../lib/a.dart';"],
  "net/A.cs": ["namespace P;\npartial class A { int one; }\n", "namespace Q;\nclass A {}\n"],
  "net/B.cs": ["namespace P;\npartial class A { int two = one; }\n", "namespace P;\nclass B { A a; }\n"],
  "net/Usings.cs": ["global using Q;\n", ""],
  "net/Net.csproj": ["<Project/>", ""],
  "php/A.php": ["<?php\nnamespace P;\nclass A {}\n", "<?php\nnamespace Q;\nclass A {}\n"],
  "php/B.php": ["<?php\nuse P\\A;\n", "<?php\nnamespace Q;\nnew A();\n", "<?php\nrequire 'A.php';\n"],
  "c/a.h": ["int one(void);\n", "int two(void);\n"],
  "c/a.c": ["int one(void) { return 1; }\n", '#include "a.h"\n'],
  "c/b.c": ['#include "a.h"\nint b(void) { return one(); }\n', "int two(void) { return 2; }\n"],
  "ruby/lib/a.rb": ["class A\n  X = 1\nend\n", "module A\n  class B; end\nend\n"],
  "ruby/lib/a/b.rb": ["module A\n  class B\n    def x; end\n  end\nend\n", ""],
  "ruby/c.rb": ['require "a"\n', "class C < A\n  X\nend\n", "A::B.new\n"],
  "ruby/spec/helper.rb": ["include A\n", ""],
  "ruby/spec/b_spec.rb": ["B.new\n", "describe A::B\n"],
  "ruby/.rspec": ["--require helper\n", "--color\n"],
};
/** Every file with every number of a variant. There is none of the last number: the file is deleted. */
const EDITS = Object.entries(VARIANTS).flatMap(([file, texts]) =>
  [...texts.keys(), texts.length].map((variant) => ({ file, variant })),
);

describe("a scan after edits", () => {
  it("finds with a cache what it finds without one, in all languages", async () => {
    const everyEdit = fc.shuffledSubarray(EDITS, { minLength: EDITS.length });
    await fc.assert(
      fc.asyncProperty(everyEdit, async (edits) => {
        const directory = temporaryDirectory();
        const cacheDirectory = temporaryDirectory();
        const write = ({ file, variant }: (typeof EDITS)[number]) => {
          const text = VARIANTS[file]?.[variant];
          mkdirSync(dirname(join(directory, file)), { recursive: true });
          if (text === undefined) rmSync(join(directory, file), { force: true });
          else writeFileSync(join(directory, file), text);
        };
        for (const file of Object.keys(VARIANTS)) write({ file, variant: 0 });
        for (const edit of edits) {
          write(edit);
          expect(await found(directory, cacheDirectory)).toEqual(await found(directory));
        }
      }),
      { numRuns: runs(2) },
    );
  });
});

/** Scans as `openRepository` does, without asking git for the files. */
async function found(directory: string, cacheDirectory?: string) {
  const reader = readerOf(directory);
  const before = openScanCache(cacheDirectory, directory);
  const paths = Object.keys(VARIANTS).sort();
  const sources = { reader, sparse: new Set<string>(), kept: before.entries, signal: undefined };
  const { entries, existing } = await readFiles(paths, sources);
  const text = (path: string) => reader.contents(path)?.toString();
  const resolutions = resolutionsOf({ entries, paths: existing, linked: new Map(), text, before });
  before.save({ entries, resolutions });
  const facts = [...entries].map(([path, each]) => [path, each.reason, each.facts?.value]);
  return { facts, ...dependenciesOf(resolutions) };
}
