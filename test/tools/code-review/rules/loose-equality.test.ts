import { ruleCases } from "../cases.ts";

ruleCases("loose-equality", {
  javascript: {
    must: [
      "if (a == b) run();",
      "return count != 0;",
      "const same = name == 'x';",
      "if (rate === NaN) run();",
      "if (Number.NaN !== rate) run();",
    ],
    mustNot: [
      "if (a === b) run();",
      "if (a == null) run();",
      "if (undefined != a) run();",
      "if (typeof a == 'string') run();",
      "if (typeof a.b?.c == 'string') run();",
      "if ('string' != typeof a) run();",
      "const text = 'a == b';",
      "if (Number.isNaN(rate)) run();",
      "if (rate === NaN.toString()) run();",
      "if (rate === codes.NaN) run();",
      "const text = 'rate === NaN';",
      "// a == b",
    ],
  },
  python: {
    must: [
      "if name is 'x': run()",
      "if count is not 0: run()",
      "if rate == math.nan: run()",
      "if float('nan') == rate: run()",
      "rows = frame[frame.rate != np.nan]",
    ],
    mustNot: [
      "if name == 'x': run()",
      "if value is None: run()",
      "if value is not other: run()",
      "if math.isnan(rate): run()",
      "if rate == float('inf'): run()",
      "if name == nan: run()",
    ],
  },
  go: {
    must: ["package a\nfunc f(x float64) bool { return x == math.NaN() }"],
    mustNot: ["package a\nfunc f(x float64) bool { return math.IsNaN(x) || x == 1 }"],
  },
  ruby: { must: ["run if rate == Float::NAN"], mustNot: ["run if rate.nan? || rate == 1"] },
  csharp: {
    must: ["if (rate == double.NaN) Run();"],
    mustNot: ["if (double.IsNaN(rate) || name == other) Run();"],
  },
  rust: {
    must: ["fn f(x: f64) -> bool { x == f64::NAN }"],
    mustNot: ["fn f(x: f64) -> bool { x.is_nan() || x == 1.0 }"],
  },
  java: {
    must: [
      'if (name == "x") run();',
      'return "x" != name;',
      "boolean f(double rate) { return rate == Double.NaN; }",
      "boolean f(String a, String b) { return a == b; }",
      "boolean f(Long a) {\n  Long b = next();\n  return b != a;«here»\n}",
      "class A {\n  private Integer last;\n  boolean f(Integer next) { return last == next; }«here»\n}",
    ],
    mustNot: [
      'if (name.equals("x")) run();',
      "if (count == 1) run();",
      "if (letter == 'x') run();",
      "boolean f(String a) { return a == null; }",
      "boolean f(String a, String b) { return a == b || a.equals(b); }",
      "boolean f(Integer a, int b) { return a == b; }",
      "boolean f(String a, Object b) { return a == b; }",
      "boolean f(Integer a, Integer b) { return a + 1 == b; }",
      "boolean f(String a, String b) { return a.length() == b.length(); }",
      "boolean f(String[] a, String[] b) { return a == b; }",
      "boolean f(Double rate) { return rate.isNaN(); }",
    ],
  },
  php: {
    must: [
      "<?php\nif (md5($input) == $hash) login();",
      "<?php\nif ($token == $_GET['token']) login();",
      "<?php\nif ($rate === NAN) run();",
    ],
    mustNot: [
      "<?php\nif (hash_equals($hash, $given)) login();",
      "<?php\nif ($count == 1) run();",
      "<?php\nif ($token === $given) login();",
    ],
  },
  c: {
    must: ['if (name == "x") run();'],
    mustNot: ['if (strcmp(name, "x") == 0) run();', "if (letter == 'x') run();", "if (count == 1) run();"],
  },
  cpp: {
    must: ['void run(const char *name) {\n  if (name == "x") stop();«here»\n}'],
    mustNot: ['void run(const std::string &name) {\n  if (name == "x") stop();\n}'],
  },
});
