import { describe, expect, it } from "vitest";
import { LEVEL } from "../../../../src/tools/code-review/flow/level.ts";
import { provenanceOf } from "../../../../src/tools/code-review/flow/provenance.ts";
import type { Target } from "../../../../src/tools/code-review/flow/target.ts";
import { fragmentOf } from "../cases.ts";
import { betweenOthers, furtherIn } from "../whole-names/elsewhere.ts";

/** Returns the taint level of the argument of `show(…)`, as part of a target. */
function levelOf(path: string, code: string, target: Target): string | undefined {
  const fragment = fragmentOf(path, code);
  const value = fragment.callsNamed("show").find(({ args }) => args.length > 0)?.args[0];
  if (!value) throw new Error("nothing is shown");
  const level = provenanceOf(fragment, target).of(value);
  return Object.entries(LEVEL).find(([, own]) => own === level)?.[0];
}

const levels = (target: Target, path: string, cases: readonly (readonly [code: string, level: string])[]) =>
  it.each(cases)(`for ${target} in ${path}: %j is %s`, (code, level) => {
    const ways = [code, betweenOthers(path, code) ?? code, furtherIn(code)];
    expect(ways.map((each) => levelOf(path, each, target))).toEqual(ways.map(() => level));
  });

describe("methods called on a tainted value", () => {
  levels("shell", "a.ts", [
    ["show(req.query.a.replaceAll(';', ''));", "literal"],
    ["show(req.query.a.replaceAll('&', ''));", "literal"],
    ["show(req.query.a.replaceAll(';;', ''));", "request"],
    ["show(req.query.a.replaceAll('<', ''));", "request"],
    ["show(req.query.a.replaceAll(b, ';'));", "request"],
    ["show(req.query.a.replace(';', ''));", "request"],
    ["show(req.query.a.unreplaceAll(';', ''));", "request"],
    ["show(req.query.a.replaceAllOf(';', ''));", "request"],
    ["show(req.query.a.map(() => '?'));", "literal"],
    ["show(req.query.a.map((b) => '?'));", "literal"],
    ["show(req.query.a.map(() => '?' + b));", "request"],
    ["show(req.query.a.map(() => b));", "request"],
    ["show(req.query.a.map(() => '?').join(','));", "literal"],
    ["show(req.query.a.flatMap(() => '?'));", "request"],
    ["show((req.query.a + 'x').length);", "literal"],
    ["show((req.query.a + 'x').trim().length);", "literal"],
    ["show((req.query.a + 'x').b.length);", "literal"],
    ["show((req.query.a + 'x').indexOf('y'));", "literal"],
    ["show((req.query.a + 'x').trim());", "request"],
    ["show((req.query.a + 'x').lengths);", "request"],
    ["show((req.query.a + 'x').length + req.query.b);", "request"],
    ["show(req.query.a.length);", "literal"],
    ["show(req.query.length.a);", "literal"],
    ["show(process.argv[2]);", "commandLine"],
    ["show(process.argv[1]);", "literal"],
    ["show(process.argv[0]);", "literal"],
  ]);
  levels("markup", "a.ts", [
    ["show(req.query.a.replaceAll('<', ''));", "literal"],
    ["show(req.query.a.replaceAll(';', ''));", "request"],
  ]);
  levels("path", "a.ts", [["show(req.query.a.replaceAll('..', ''));", "request"]]);
  levels("path", "a.go", [
    ['show(filepath.Clean("/" + r.FormValue("n")))', "literal"],
    ['show(path.Clean("/" + r.FormValue("n")))', "literal"],
    ['show(filepath.Join("/", r.FormValue("n")))', "literal"],
    ['show(filepath.Clean("//" + r.FormValue("n")))', "request"],
    ['show(filepath.Join("/a", r.FormValue("n")))', "request"],
    ['show(filepath.Join("/" + r.FormValue("n")))', "request"],
    ['show(filepath.Clean("/", r.FormValue("n")))', "request"],
    ['show(filepath.Made("/" + r.FormValue("n")))', "request"],
    ['show(filepath.Clean(r.FormValue("n")))', "request"],
  ]);
  levels("shell", "a.go", [
    ["show(os.Args[1])", "commandLine"],
    ["show(os.Args[0])", "literal"],
    ['show(filepath.Clean("/" + r.FormValue("n")))', "request"],
  ]);
  levels("path", "A.java", [['show(Files.Join("/", request.getParameter("n")));', "request"]]);
  levels("shell", "a.py", [
    ["show(request.args['a'].replace(';', ''))", "literal"],
    ["show(request.args['a'].replace('x', ''))", "request"],
    ["show(sys.argv[1])", "commandLine"],
    ["show(sys.argv[0])", "literal"],
  ]);
  levels("shell", "a.rb", [
    ["show(params[:a].gsub(';', ''))", "literal"],
    ["show(params[:a].gsub('x', ''))", "request"],
    ["show(params[:a].to_i)", "literal"],
    ["show(params[:a].to_s)", "request"],
    ["show(params[:a].to_i.to_s)", "literal"],
  ]);
});

describe("a cast or typed value", () => {
  levels("shell", "A.java", [
    ['show((int) request.getParameter("b"));', "literal"],
    ['show((long) (c + request.getParameter("b")));', "literal"],
    ['show((String) request.getParameter("b"));', "request"],
    ['show((int) c + request.getParameter("b"));', "request"],
    ['show("x" + (int) request.getParameter("b"));', "literal"],
    ['show(f(int) + request.getParameter("b"));', "request"],
    ["void f(int a) { show(a); }", "literal"],
    ["void f(Integer a) { show(a); }", "literal"],
    ["void f(String a) { show(a); }", "parameter"],
    ["void f(List<Integer> a) { show(a); }", "parameter"],
    ["void f(UUID a) { show(a); }", "literal"],
  ]);
  levels("shell", "A.cs", [
    ['show((int) Request.Query["a"]);', "literal"],
    ['show((string) Request.Query["a"]);', "request"],
    ["void F(int? a) { show(a); }", "literal"],
    ["void F(Guid a) { show(a); }", "literal"],
    ["void F(string? a) { show(a); }", "parameter"],
    ["void F(int[] a) { show(a); }", "parameter"],
  ]);
  levels("shell", "a.php", [
    ['<?php show((int) $_GET["a"]);', "literal"],
    ['<?php show((string) $_GET["a"]);', "request"],
    ["<?php function f(int $a) { show($a); }", "literal"],
    ["<?php function f(?int $a) { show($a); }", "literal"],
    ["<?php function f(string|int $a) { show($a); }", "parameter"],
    ["<?php function f(string $a) { show($a); }", "parameter"],
  ]);
  levels("shell", "a.go", [
    ["func f(a int) { show(a) }", "literal"],
    ["func f(a, b int) { show(a) }", "literal"],
    ["func f(a, b string) { show(a) }", "parameter"],
    ["func f(a int, b string) { show(b) }", "parameter"],
    ["func f(a string, b int) { show(a) }", "parameter"],
    ["func f(a []int) { show(a) }", "parameter"],
  ]);
  levels("shell", "a.rs", [
    ["fn f(a: i64) { show(a); }", "literal"],
    ["fn f(a: u8, b: &str) { show(a); }", "literal"],
    ["fn f(a: Vec<i64>) { show(a); }", "parameter"],
    ["fn f(a: &str) { show(a); }", "parameter"],
    ["fn f(Path(a): Path<String>) { show(a); }", "request"],
    ["fn f(a: Query<String>) { show(a); }", "request"],
    ["fn f(a: &Path) { show(a); }", "parameter"],
    ["fn f(Wrapped(a): Wrapped<String>) { show(a); }", "parameter"],
  ]);
  levels("shell", "a.kt", [
    ["fun f(a: Int) { show(a) }", "literal"],
    ["fun f(a: String) { show(a) }", "parameter"],
    ["fun f(a: List<Int>) { show(a) }", "parameter"],
  ]);
  levels("shell", "a.scala", [
    ["def f(a: String) = Action { show(a) }", "request"],
    ["def f(a: String) = Future { show(a) }", "parameter"],
    ["def f(a: Int) = Action { show(a) }", "literal"],
  ]);
  levels("shell", "a.ts", [["function f(a: number) { show(a); }", "literal"]]);
  levels("shell", "a.py", [["def f(a: int):\n    show(a)", "literal"]]);
});

describe("parameters of a route handler", () => {
  levels("shell", "a.py", [
    ["@app.route('/<a>')\ndef f(request, a):\n    show(request)", "parameter"],
    ["@app.route('/<a>')\ndef f(db, a):\n    show(db)", "parameter"],
    ["@app.route('/<a>')\ndef f(session, a):\n    show(session)", "parameter"],
    ["@app.route('/<a>')\ndef f(requested):\n    show(requested)", "request"],
    ["@app.route('/<a>')\ndef f(mydb):\n    show(mydb)", "request"],
    ["@app.route('/<a>')\n@b\n@c\ndef f(a):\n    show(a)", "request"],
    ["@app.get\ndef f(a):\n    show(a)", "parameter"],
    ["@app.route('/')\nclass B:\n    def f(self, a):\n        show(a)", "parameter"],
  ]);
  levels("shell", "A.java", [
    ["@GetMapping\nprotected String f(String a) { show(a); }", "parameter"],
    ["@GetMapping\nvoid g() { }\nString f(String a) { show(a); }", "parameter"],
    ["@DeleteMapping\npublic String f(int b, String a) { show(a); }", "request"],
  ]);
  levels("shell", "A.cs", [
    ["internal IActionResult F(string a) { show(a); }", "parameter"],
    ["IActionResult G() { }\nstring F(string a) { show(a); }", "parameter"],
    ["public async Task<IActionResult> F(String a) { show(a); }", "request"],
  ]);
  levels("shell", "a.ts", [
    ["class A { f(@Query('a') a: string) { show(a); } }", "request"],
    ["class A { f(@Querying('a') a: string) { show(a); } }", "parameter"],
    ["class A { f(@Body() { a }: B, c: C) { show(c); } }", "parameter"],
  ]);
});

describe("taint passed between functions of a file", () => {
  levels("shell", "a.ts", [
    ["const g = (a) => a;\nshow(g(req.query.b));", "request"],
    ["const g = (a) => 'x';\nshow(g(req.query.b));", "literal"],
    ["function g(a) { }\nshow(g(req.query.b));", "request"],
    ["function g(a) { return 'x'; }\nshow(g(req.query.b).trim());", "request"],
    ["function g(a) { return h; }\nshow(g('x'));", "unknown"],
    ["function f(c) { function g(a) { return c; }\n  show(g('x')); }", "parameter"],
    ["function g(a) { show(a); g(req.query.b); }", "parameter"],
    ["function g(a) { show(a); }\ng();", "parameter"],
    ["function g(a) { show(a); }\ng('x');\ng(req.query.b);", "request"],
  ]);
  levels("shell", "a.php", [["<?php function g($a) { return 'x'; } show(g($_GET['b']));", "literal"]]);
  levels("shell", "a.py", [
    [
      "class A:\n    @classmethod\n    def g(cls, a):\n        show(a)\n\nA.g('x')\ncls.g(request.args['b'])",
      "request",
    ],
    ["def g(a):\n    return 'x'\n\nshow(g(request.args['b']))", "literal"],
  ]);
});
