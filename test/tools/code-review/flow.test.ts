import { describe, expect, it } from "vitest";
import { findingsIn } from "./cases.ts";

/** The pieces of a program in which a value flows from a request to a statement, in one language. */
interface Writing {
  file: string;
  /** Assigns client data to `name`. */
  source: string;
  /** Assigns a constant to `name`. */
  fixed: (name: string) => string;
  copy: (to: string, from: string) => string;
  branch: (condition: string, then: string, otherwise?: string) => string;
  sink: (name: string) => string;
  name: (word: string) => string;
  empty: (name: string) => string;
  always: string;
  never: string;
}

const dollar = (word: string) => `$${word}`;
const same = (word: string) => word;
const braced = (condition: string, then: string, otherwise?: string) =>
  `if (${condition}) {\n  ${then}\n}${otherwise ? ` else {\n  ${otherwise}\n}` : ""}`;
const cLike = {
  name: same,
  empty: (name: string) => `!${name}`,
  branch: braced,
  always: "7 * 6 > 40",
  never: "7 * 6 - 2 > 40",
};

const WRITINGS: readonly Writing[] = [
  {
    ...cLike,
    file: "app.py",
    source: 'name = request.args.get("n")',
    fixed: (name) => `${name} = "none"`,
    copy: (to, from) => `${to} = ${from}`,
    empty: (name) => `not ${name}`,
    branch: (condition, then, otherwise) =>
      `if ${condition}:\n    ${then}${otherwise ? `\nelse:\n    ${otherwise}` : ""}`,
    sink: (name) => `cursor.execute("SELECT * FROM carts WHERE name = '" + ${name} + "'")`,
  },
  {
    ...cLike,
    file: "app.ts",
    source: "let name = req.query.n;",
    fixed: (name) => `${name} = "none";`,
    copy: (to, from) => `${to} = ${from};`,
    sink: (name) => `db.query("SELECT * FROM carts WHERE name = '" + ${name} + "'");`,
  },
  {
    ...cLike,
    file: "app.go",
    source: 'name := r.FormValue("n")',
    fixed: (name) => `${name} = "none"`,
    copy: (to, from) => `${to} = ${from}`,
    empty: (name) => `${name} == ""`,
    branch: (condition, then, otherwise) =>
      `if ${condition} {\n  ${then}\n}${otherwise ? ` else {\n  ${otherwise}\n}` : ""}`,
    sink: (name) => `db.Query("SELECT * FROM carts WHERE name = '" + ${name} + "'")`,
  },
  {
    ...cLike,
    file: "App.java",
    source: 'String name = request.getParameter("n");',
    fixed: (name) => `${name} = "none";`,
    copy: (to, from) => `${to} = ${from};`,
    empty: (name) => `${name} == null`,
    sink: (name) => `statement.executeQuery("SELECT * FROM carts WHERE name = '" + ${name} + "'");`,
  },
  {
    ...cLike,
    file: "app.php",
    name: dollar,
    source: '$name = $_GET["n"];',
    fixed: (name) => `${name} = "none";`,
    copy: (to, from) => `${to} = ${from};`,
    sink: (name) => `mysqli_query($link, "SELECT * FROM carts WHERE name = '" . ${name} . "'");`,
  },
  {
    ...cLike,
    file: "app.rb",
    source: "name = params[:n]",
    fixed: (name) => `${name} = "none"`,
    copy: (to, from) => `${to} = ${from}`,
    branch: (condition, then, otherwise) =>
      `if ${condition}\n  ${then}\n${otherwise ? `else\n  ${otherwise}\n` : ""}end`,
    sink: (name) => `db.execute("SELECT * FROM carts WHERE name = '" + ${name} + "'")`,
  },
  {
    ...cLike,
    file: "App.cs",
    source: 'var name = Request.Query["n"];',
    fixed: (name) => `${name} = "none";`,
    copy: (to, from) => `${to} = ${from};`,
    empty: (name) => `${name} == null`,
    sink: (name) => `new SqlCommand("SELECT * FROM carts WHERE name = '" + ${name} + "'", link);`,
  },
];

const errorsIn = (file: string, lines: readonly string[]) =>
  findingsIn(file, lines.join("\n"), { rules: { only: ["sql-injection"] }, minSeverity: "error" }).length;

describe.each(WRITINGS)("a tainted value in $file", (writing) => {
  const { file, source, fixed, copy, branch, sink, empty, always, never } = writing;
  const [name, other] = [writing.name("name"), writing.name("other")];

  it("is followed to a sink, directly and through a copy", () => {
    expect(errorsIn(file, [source, sink(name)])).toBe(1);
    expect(errorsIn(file, [source, copy(other, name), sink(other)])).toBe(1);
  });

  it("loses its taint when a constant overwrites it", () => {
    expect(errorsIn(file, [source, fixed(name), sink(name)])).toBe(0);
  });

  it("keeps its taint when a default overwrites it only if empty", () => {
    expect(errorsIn(file, [source, branch(empty(name), fixed(name)), sink(name)])).toBe(1);
  });

  it("keeps its taint when only one of two branches assigns it", () => {
    const both = branch("ready", copy(other, name), fixed(other));
    expect(errorsIn(file, [source, fixed(other), both, sink(other)])).toBe(1);
    const turned = branch("ready", fixed(other), copy(other, name));
    expect(errorsIn(file, [source, fixed(other), turned, sink(other)])).toBe(1);
  });

  it("loses its taint when both branches assign a constant", () => {
    const both = branch("ready", fixed(other), fixed(other));
    expect(errorsIn(file, [source, copy(other, name), both, sink(other)])).toBe(0);
  });

  it("is ignored in a branch that never runs", () => {
    expect(errorsIn(file, [source, fixed(other), branch(never, copy(other, name)), sink(other)])).toBe(0);
    expect(errorsIn(file, [source, branch(always, fixed(other), copy(other, name)), sink(other)])).toBe(0);
    expect(errorsIn(file, [source, branch(always, copy(other, name), fixed(other)), sink(other)])).toBe(1);
  });

  it("does not carry over from one branch to the other", () => {
    expect(errorsIn(file, [source, fixed(other), branch("ready", copy(other, name), sink(other))])).toBe(0);
  });
});

describe("members of a collection", () => {
  const cases: readonly [file: string, code: (key: string) => string, bad: string, fine: string][] = [
    ["app.py", (key) => `m = {}\nm["a"] = "x"\nm["b"] = request.args["n"]\neval(m["${key}"])`, "b", "a"],
    ["app.py", (key) => `m = {"a": "x", "b": request.args["n"]}\neval(m["${key}"])`, "b", "a"],
    [
      "app.py",
      (key) => `l = []\nl.append("x")\nl.append(request.args["n"])\nl.append("y")\nl.pop(0)\neval(l[${key}])`,
      "0",
      "1",
    ],
    [
      "app.py",
      (key) =>
        `c = ConfigParser()\nc.set("s", "a", "x")\nc.set("s", "b", request.args["n"])\neval(c.get("s", "${key}"))`,
      "b",
      "a",
    ],
    [
      "app.ts",
      (key) => `const m = new Map();\nm.set("a", "x");\nm.set("b", req.query.n);\neval(m.get("${key}"));`,
      "b",
      "a",
    ],
    [
      "app.ts",
      (key) =>
        `const l = [];\nl.push("x");\nl.push(req.query.n);\nl.push("y");\nl.shift();\neval(l[${key}]);`,
      "0",
      "1",
    ],
    [
      "App.java",
      (key) =>
        `Map<String, String> m = new HashMap<>();\nm.put("a", "x");\nm.put("b", request.getParameter("n"));\nengine.eval(m.get("${key}"));`,
      "b",
      "a",
    ],
    [
      "App.java",
      (key) =>
        `List<String> l = new ArrayList<String>();\nl.add("x");\nl.add(request.getParameter("n"));\nl.add("y");\nl.remove(0);\nengine.eval(l.get(${key}));`,
      "0",
      "1",
    ],
  ];

  it.each(cases)("are tracked separately by constant keys in %s", (file, code, bad, fine) => {
    const found = (key: string) =>
      findingsIn(file, code(key), { rules: { only: ["code-evaluation"] }, minSeverity: "error" }).length;
    expect(found(bad)).toBe(1);
    expect(found(fine)).toBe(0);
  });

  it("take the worst taint of all members if the key is not constant", () => {
    const code = 'm = {}\nm["a"] = "x"\nm["b"] = request.args["n"]\neval(m[pick()])';
    expect(findingsIn("app.py", code, { minSeverity: "error" })).toHaveLength(1);
  });
});

describe("functions of the same file", () => {
  const severities = (file: string, code: string) =>
    findingsIn(file, code, { rules: { only: ["code-evaluation"] } }).map(({ severity }) => severity);

  it("return the taint of their argument, or none for a constant result", () => {
    const python = (result: string) =>
      `def pick(value):\n    return ${result}\n\neval(pick(request.args["n"]))`;
    expect(severities("app.py", python("value.strip()"))).toEqual(["error"]);
    expect(severities("app.py", python('"fixed"'))).toEqual([]);
    const script = (result: string) => `const pick = (value) => ${result};\neval(pick(req.query.n));`;
    expect(severities("app.ts", script("value + 1"))).toEqual(["error"]);
    expect(severities("app.ts", script('"fixed"'))).toEqual([]);
  });

  it("take the taint of the arguments in their calls", () => {
    const code = (given: string) => `def run(value):\n    eval(value)\n\nrun(${given})`;
    expect(severities("app.py", code('request.args["n"]'))).toEqual(["error"]);
    expect(severities("app.py", code('"1 + 1"'))).toEqual(["warning"]);
  });

  it("do not hang the analysis when they call each other endlessly", () => {
    const code = "def a(x):\n    return b(x)\ndef b(x):\n    return a(x)\neval(a(request.args['n']))";
    expect(severities("app.py", code).length).toBeLessThanOrEqual(1);
  });
});

describe("a checked value", () => {
  const found = (
    file: string,
    code: string,
    rule: "code-evaluation" | "path-traversal" | "command-injection",
  ) => findingsIn(file, code, { rules: { only: [rule] } }).length;

  it("is harmless after an allow-list check that returns early", () => {
    const python = (test: string) =>
      `def go():\n    n = request.args["n"]\n    if ${test}:\n        return\n    os.system(n)`;
    expect(found("app.py", python("n not in ALLOWED"), "command-injection")).toBe(0);
    expect(found("app.py", python("not n"), "command-injection")).toBe(1);
    expect(found("app.py", python("n in SEEN"), "command-injection")).toBe(1);
    const script = (test: string) =>
      `function go(req) { const n = req.query.n; if (${test}) { return; } exec(n); }\nconst { exec } = require("child_process");`;
    expect(found("app.ts", script("!ALLOWED.includes(n)"), "command-injection")).toBe(0);
    expect(found("app.ts", script("!n"), "command-injection")).toBe(1);
  });

  it("is harmless within the branch that an allow-list check guards", () => {
    const code = (test: string) => `n = request.args["n"]\nif ${test}:\n    eval(n)`;
    expect(found("app.py", code("n in ALLOWED"), "code-evaluation")).toBe(0);
    expect(found("app.py", code("n"), "code-evaluation")).toBe(1);
    expect(found("app.py", code('"x" in request.args.getlist(n)'), "code-evaluation")).toBe(1);
  });

  it("is tainted again once reassigned", () => {
    const code = 'n = request.args["n"]\nif n not in ALLOWED:\n    exit()\nn = request.args["m"]\neval(n)';
    expect(found("app.py", code, "code-evaluation")).toBe(1);
  });
});
