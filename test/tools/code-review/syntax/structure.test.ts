import { describe, expect, it } from "vitest";
import { assignmentsTo } from "../../../../src/tools/code-review/syntax/assignments.ts";
import type { Fragment } from "../../../../src/tools/code-review/syntax/fragment.ts";
import type { Range } from "../../../../src/tools/code-review/syntax/range.ts";
import { fragmentOf } from "../cases.ts";

const textOf = (fragment: Fragment, { from, to }: Range) =>
  fragment.tokens
    .slice(from, to)
    .map(({ text }) => text)
    .join(" ");

describe("branches", () => {
  /** Formats branches as `condition => body`, with the number of arms of the statement and other properties. */
  const of = (path: string, code: string) => {
    const fragment = fragmentOf(path, code);
    return fragment.branches.all.map((branch) => {
      const { chain, condition, negated } = branch;
      const known = [
        `${chain.arms.length}`,
        ...(chain.loop ? ["loop"] : []),
        ...(chain.complete ? ["complete"] : []),
        ...(chain.subject ? [`of ${textOf(fragment, chain.subject)}`] : []),
        ...(negated ? ["negated"] : []),
      ];
      return `${condition ? textOf(fragment, condition) : ""} => ${textOf(fragment, branch)} (${known.join(", ")})`;
    });
  };

  it.each<[string, string, string[]]>([
    [
      "a.ts",
      "if (a) { b; } else if (c) { d; } else { e; }",
      ["a => b ; (3, complete)", "c => d ; (3, complete)", " => e ; (3, complete)"],
    ],
    ["a.ts", "if (a) b;\nc;", ["a => b ; (1)"]],
    ["a.ts", "if (a) { b; }\nif (c) { d; }", ["a => b ; (1)", "c => d ; (1)"]],
    ["a.ts", "if (a) { if (b) { c; } }", ["a => if ( b ) { c ; } (1)", "b => c ; (1)"]],
    ["a.ts", "for (const a of b) { c; }\nwhile (d) { e; }", [" => c ; (1, loop)", " => e ; (1, loop)"]],
    ["a.ts", "try { a; } catch (b) { c; }", [" => c ; (1)"]],
    ["a.ts", "a.if(b);", []],
    [
      "a.ts",
      "switch (a) { case 1: b; break; case 2: case 3: c; default: d; }",
      [
        "1 => b ; break ; (3, complete, of a)",
        "2 : case 3 => c ; (3, complete, of a)",
        " => d ; (3, complete, of a)",
      ],
    ],
    ["a.ts", "switch (a) { case f({ b: c }): d; }", ["f ( { b : c } ) => d ; (1, of a)"]],
    [
      "a.go",
      "if a := f(); a > 1 {\n b()\n} else {\n c()\n}",
      ["a > 1 => b ( ) (2, complete)", " => c ( ) (2, complete)"],
    ],
    ["a.go", "for _, a := range b {\n c()\n}", [" => c ( ) (1, loop)"]],
    ["a.rs", "match a { 1 => b(), _ => c() }", []],
    ["A.java", "if (a) { b(); }", ["a => b ( ) ; (1)"]],
    ["a.php", "<?php\nif ($a) { b(); } elseif ($c) { d(); }", ["$a => b ( ) ; (2)", "$c => d ( ) ; (2)"]],
    [
      "a.py",
      "if a:\n    b\nelif c:\n    d\nelse:\n    e\nf",
      ["a => b (3, complete)", "c => d (3, complete)", " => e (3, complete)"],
    ],
    ["a.py", "while a:\n    b\nc", [" => b (1, loop)"]],
    ["a.py", "for a in b:\n    c\nd", [" => c (1, loop)"]],
    ["a.py", "if a:\n    if b:\n        c\n    d\ne", ["a => if b : c d (1)", "b => c (1)"]],
    ["a.py", "if f(a,\n b):\n    c\nd", ["f ( a , b ) => c (1)"]],
    [
      "a.rb",
      "if a\n  b\nelsif c\n  d\nelse\n  e\nend",
      ["a => b (3, complete)", "c => d (3, complete)", " => e (3, complete)"],
    ],
    ["a.rb", "unless a\n  b\nend", ["a => b (1, negated)"]],
    ["a.rb", "b if a", ["a => b (1)"]],
    ["a.rb", "b unless a", ["a => b (1, negated)"]],
  ])("are read in %s: %j", (path, code, expected) => expect(of(path, code)).toEqual(expected));

  it("are listed around a token from the innermost to the outermost", () => {
    const fragment = fragmentOf("a.ts", "if (a) { if (b) { x; } y; }");
    const around = (name: string) =>
      [...fragment.branches.around(fragment.words.get(name)?.[0] as number)].map(({ condition }) =>
        textOf(fragment, condition as Range),
      );
    expect([around("x"), around("y"), around("a")]).toEqual([["b", "a"], ["a"], []]);
    const [outer, inner] = fragment.branches.all;
    expect([...fragment.branches.outside(inner!)]).toEqual([outer]);
    expect([...fragment.branches.outside(outer!)]).toEqual([]);
  });
});

describe("a call", () => {
  const of = (path: string, code: string) => {
    const fragment = fragmentOf(path, code);
    return fragment.calls.map(
      ({ path, isNew, args }) =>
        `${isNew ? "new " : ""}${path}(${args.map((range) => textOf(fragment, range)).join(" | ")})`,
    );
  };

  it.each<[string, string, string[]]>([
    ["a.ts", "a.b(c, d[e, f]);", ["a.b(c | d [ e , f ])"]],
    ["a.ts", "a?.b?.(c);", ["a.b(c)"]],
    ["a.ts", "a().b()[0].c();", ["a()", "a().b()", "a().b()[].c()"]],
    ["a.ts", "new A.B(c);", ["new A.B(c)"]],
    ["a.ts", "parse<T>(a);", ["parse(a)"]],
    ["a.ts", "function f(a) {}\nclass A { m(a) { b(); } }", ["b()"]],
    ["a.ts", "if (a) { while (b) {} }", []],
    ["a.ts", "import('a');", ["import(a)"]],
    ["a.ts", "`a ${b(c)}`;", ["b(c)"]],
    ["a.ts", '"a".b(c);', [".b(c)"]],
    ["a.ts", "({}).b();", ["().b()"]],
    ["a.ts", "a.new(b);", ["a.new(b)"]],
    ["a.ts", "f(a, b", ["f(a | b)"]],
    ["a.py", "def f(a):\n    return g(a)", ["g(a)"]],
    ["a.py", "a = [f(b) for b in c]", ["f(b)"]],
    ["A.java", "String f(String a) { return g(a); }", ["g(a)"]],
    ["a.rs", 'println!("a", b);\nparse::<T>(c);', ["println!(a | b)", "parse(c)"]],
    ["a.rb", 'system "ls", a\nb.c d do |e|\nend', ["system(ls | a)", "b.c(d)"]],
    ["a.rb", "exec!(a)\nx ? (b) : c", ["exec!(a)"]],
    ["a.rb", "puts :a if b", ["puts(: a)"]],
    ["a.php", "<?php\necho $a, $b;\nA::b($c);\n$d->e($f);", ["echo($a | $b)", "A.b($c)", "$d.e($f)"]],
  ])("is read in %s: %s", (path, code, expected) =>
    expect(of(path, code).sort()).toEqual(expected.toSorted()),
  );

  it("is found as the innermost around a token", () => {
    const fragment = fragmentOf("a.ts", "f(a, g(b), c); d;");
    const around = (name: string) => fragment.callAround(fragment.words.get(name)?.[0] as number)?.name;
    expect(["a", "b", "c", "d"].map(around)).toEqual(["f", "g", "f", undefined]);
  });

  it("can be an assignment to a member, but not to a variable", () => {
    const found = (path: string, code: string, name: string) => {
      const fragment = fragmentOf(path, code);
      return assignmentsTo(fragment, name).map(
        ({ path, args }) => `${path} = ${args.map((range) => textOf(fragment, range))}`,
      );
    };
    expect(found("A.cs", "label.Text = a + b;", "Text")).toEqual(["label.Text = a + b"]);
    expect(found("A.cs", "var x = new Label { Other = c, Text = a };", "Text")).toEqual(["Label.Text = a"]);
    expect(found("A.cs", "var x = new Web.Label(d) { Text = a };", "Text")).toEqual(["Label.Text = a"]);
    expect(found("A.cs", "Text = a;\nif (Text == b) {}", "Text")).toEqual([]);
  });
});

describe("a function", () => {
  const of = (path: string, code: string) => {
    const fragment = fragmentOf(path, code);
    return fragment.names.functions.map(
      ({ name = "", parameters, body }) =>
        `${name}(${parameters.map(({ name }) => name).join(", ")}) ${textOf(fragment, body)}`,
    );
  };

  it.each<[string, string, string[]]>([
    ["a.ts", "function f(a, { b, c: d }, ...e) { g; }", ["f(a, b, d, e) g ;"]],
    ["a.ts", "const f = (a: string, b = 1) => c;", ["f(a, b) c"]],
    ["a.ts", "const f = (a): A | B => c;", ["f(a) c"]],
    ["a.ts", "const f = (a): A & B => c;", ["f(a) c"]],
    ["a.ts", "const f = (a): n.A => c;", ["f(a) c"]],
    ["a.ts", "const f = a => b;", ["f(a) b"]],
    ["a.ts", "class A { async m(@Q('x') a: T) { b; } }", ["m(a) b ;"]],
    ["a.ts", "x ? f(a) : { b };", []],
    ["a.py", "def f(self, a: str, b=1):\n    c\n    d\ne", ["f(self, a, b) : c d"]],
    ["a.go", "func (s *S) F(a string, b int) error {\n c\n}", ["F(a, b) c"]],
    ["A.java", "public String f(final String a, @Q int b) throws E { c(); }", ["f(a, b) c ( ) ;"]],
    ["a.rs", "fn f(a: &str, Query(b): Query<T>) { c(); }", ["f(a, b) c ( ) ;"]],
    ["a.php", "<?php\nfunction f(string $a, $b = 1) { c(); }", ["f($a, $b) c ( ) ;"]],
  ])("is read in %s: %s", (path, code, expected) => expect(of(path, code)).toEqual(expected));
});

describe("imports", () => {
  const of = (path: string, code: string) => Object.fromEntries(fragmentOf(path, code).names.imports);

  it.each<[string, string, Record<string, string>]>([
    ["a.ts", 'import a, { b, type c, d as e } from "node:m";', { a: "m", b: "m.b", c: "m.c", e: "m.d" }],
    ["a.ts", 'import * as a from "m";', { a: "m" }],
    ["a.ts", 'import a = require("m");', { a: "m" }],
    [
      "a.ts",
      'const a = require("node:m");\nconst { b, c: d } = require("m");',
      { a: "m", b: "m.b", d: "m.c" },
    ],
    ["a.ts", 'const a = require("m").b;', { a: "m.b" }],
    ["a.ts", 'f(require("m"));\nimport "m";', {}],
    ["a.py", "import a, b.c, d.e as f", { a: "a", b: "b", f: "d.e" }],
    ["a.py", "from a.b import c, d as e", { c: "a.b.c", e: "a.b.d" }],
    ["a.go", 'import "crypto/md5"', { md5: "crypto.md5" }],
    ["a.go", 'import m "crypto/md5"', { m: "crypto.md5" }],
    ["a.go", 'import (\n "os/exec"\n m "crypto/md5"\n)', { exec: "os.exec", m: "crypto.md5" }],
    ["A.java", "import a.b.C;", {}],
  ])("are read in %s: %s", (path, code, expected) => expect(of(path, code)).toEqual(expected));
});
