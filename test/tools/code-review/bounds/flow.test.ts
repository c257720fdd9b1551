import { describe, expect, it } from "vitest";
import { levelOf } from "../support/level-of.ts";

const script = (code: string) => levelOf("a.ts", code);
const times = (count: number, text: (at: number) => string, between = "") =>
  Array.from({ length: count }, (_, at) => text(at)).join(between);

/** Asserts that code is analysed up to the bound `last`, and not beyond. */
const bound = (what: string, code: (count: number) => string, last: number, within: string, beyond: string) =>
  it(`${what}: ${last}`, () => {
    expect([script(code(last)), script(code(last + 1))]).toEqual([within, beyond]);
  });

describe("limits of the flow analysis", () => {
  bound(
    "members of a value that may make it harmless",
    (count) => `show(req.query${".b".repeat(count - 2)}.length);`,
    40,
    "literal",
    "request",
  );
  bound(
    "members behind a bracket that may make it harmless",
    (count) => `show((req.query.a + 'x')${".b".repeat(count - 1)}.length);`,
    40,
    "literal",
    "request",
  );
  bound(
    "names that a value goes through",
    (count) =>
      `const a0 = req.query.b;\n${times(count - 1, (at) => `const a${at + 1} = a${at};\n`)}show(a${count - 1});`,
    12,
    "request",
    "unknown",
  );
  bound(
    "changes of a list whose members are told apart",
    (count) => `const a = ['x'];\n${"a.push(req.query.b);\n".repeat(count - 1)}show(a[0]);`,
    30,
    "literal",
    "request",
  );
  bound(
    "values that a name may have",
    (count) => `let a = req.query.b;\n${"if (c) a = 'x';\n".repeat(count - 1)}show(a);`,
    40,
    "request",
    "literal",
  );
  bound(
    "places that may give a name its value",
    (count) => `let a = req.query.b;\n${"if (c) { a = 'x'; throw d; }\n".repeat(count - 1)}show(a);`,
    80,
    "request",
    "unknown",
  );
  bound(
    "words and marks of a branch among which it is left",
    (count) => {
      const thrown = count % 2 === 0 ? "-b" : "b";
      return `let a = 'y';\nif (c) { a = req.query.b; throw ${thrown}${" + b".repeat(Math.floor((count - 3) / 2))}; }\nshow(a);`;
    },
    120,
    "literal",
    "request",
  );
  bound(
    "parameters of a function that is followed",
    (count) => `function g(${times(count, (at) => `a${at}`, ", ")}) { return 'x'; }\nshow(g(req.query.b));`,
    30,
    "literal",
    "request",
  );
  bound(
    "parameters that a result is made of",
    (count) => {
      const names = (mark: string) => times(count, (at) => `a${at}`, mark);
      return `function g(${names(", ")}) { return ${names(" + ")}; }\nshow(g('x'));`;
    },
    8,
    "literal",
    "parameter",
  );
  bound(
    "calls of a function that may hand it something",
    (count) => `function g(a) { show(a); }\n${"g('x');\n".repeat(count - 1)}g(req.query.b);`,
    20,
    "request",
    "parameter",
  );
  bound(
    "functions that hand on each other's results",
    (count) =>
      `${times(count, (at) => `function g${at}(a) { return ${at === count - 1 ? "'x'" : `g${at + 1}(a)`}; }\n`)}show(g0(req.query.b));`,
    3,
    "literal",
    "request",
  );
  bound(
    "functions that hand on what they were given",
    (count) =>
      `function g0(a) { show(a); }\n${times(count - 1, (at) => `function g${at + 1}(a) { g${at}(a); }\n`)}g${count - 1}(req.query.b);`,
    3,
    "request",
    "parameter",
  );

  it("reads the shared type of at most 21 Go parameters", () => {
    const code = (others: number) => `func f(a${times(others, (at) => `, b${at}`)} int) { show(a) }`;
    expect([20, 21].map((others) => levelOf("a.go", code(others)))).toEqual(["literal", "parameter"]);
  });

  it("reads at most three lines of decorators above a Python function", () => {
    const code = (others: number) => `@app.route('/<a>')\n${"@b\n".repeat(others)}def f(a):\n    show(a)`;
    expect([2, 3].map((others) => levelOf("a.py", code(others)))).toEqual(["request", "parameter"]);
  });

  it("reads a Python decorator with at most two owners", () => {
    const code = (owner: string) => `@${owner}.route('/<a>')\ndef f(a):\n    show(a)`;
    expect(["a.b", "a.b.c"].map((owner) => levelOf("a.py", code(owner)))).toEqual(["request", "parameter"]);
  });
});

describe("the taint level of a collection member", () => {
  it.each([
    ["const a = ['x', req.query.b];\nshow(a[0]);", "literal"],
    ["const a = ['x', req.query.b];\nshow(a[1 - 1]);", "literal"],
    ["const a = ['x', req.query.b];\nshow(a[2]);", "request"],
    ["const a = ['x', req.query.b];\nshow(a[c]);", "request"],
    ["const a = ['x', ...req.query.b];\nshow(a[0]);", "request"],
    ["const a = [];\na.push('x');\na.push(req.query.b);\nshow(a[0]);", "literal"],
    ["const a = [req.query.b];\na.shift();\na.push('x');\nshow(a[0]);", "literal"],
    ["const a = ['x', req.query.b];\na.shift();\nshow(a[0]);", "request"],
    ["const a = ['x', req.query.b];\na.pop(c);\nshow(a[0]);", "request"],
    ["const a = ['x', req.query.b];\nif (c) a.pop();\nshow(a[0]);", "request"],
    ["const a = ['x', req.query.b];\na.insert(0, 'y');\nshow(a[0]);", "request"],
    ["const a = { b: 'x', ...req.query };\nshow(a.b);", "request"],
    ["const a = { b: 'x' };\na.c = req.query.b;\nshow(a.b);", "literal"],
    ["const a = { b: 'x' };\na.b = req.query.b;\nshow(a.b);", "request"],
    ["const d = 'x';\nconst c = req.query.c;\nconst a = { d, c };\nshow(a.b);", "request"],
    ["const d = 'x';\nconst c = req.query.c;\nconst a = { d, c };\nshow(a.d);", "literal"],
    ["const a = load();\na['b'] = 'x';\na['c'] = req.query.b;\nshow(a['b']);", "literal"],
    ["const a = load();\na[d] = 'x';\na['c'] = req.query.b;\nshow(a['b']);", "request"],
    ["const a = {};\na['b'] = req.query.b;\na['b'] = 'x';\nshow(a['b']);", "literal"],
    ["const a = {};\na['b'] = 'x';\na['b'] = req.query.b;\nshow(a['b']);", "request"],
  ])("%j is %s", (code, level) => expect(script(code)).toBe(level));

  it.each([
    ["a.py", "a = ['x', request.args['b']]\nshow(a[-2])", "literal"],
    ["a.py", "a = ['x', request.args['b']]\nshow(a[-1])", "request"],
    ["a.py", "a = [*request.args['b'], 'x']\nshow(a[1])", "request"],
    ["a.py", "a = ['x', request.args['b']]\na.pop()\nshow(a[0])", "literal"],
    ["a.php", "<?php\n$a = ['x', $_GET['b']];\nshow($a[0]);", "literal"],
    ["a.php", "<?php\n$a = ['c' => 'x', 'd' => $_GET['b']];\nshow($a[0]);", "request"],
  ])("in %s: %j is %s", (path, code, level) => expect(levelOf(path, code)).toBe(level));
});
