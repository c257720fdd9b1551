import { describe, expect, it } from "vitest";
import { LEVEL } from "../../../../src/tools/code-review/flow/level.ts";
import { provenanceOf } from "../../../../src/tools/code-review/flow/provenance.ts";
import type { Target } from "../../../../src/tools/code-review/flow/target.ts";
import { fragmentOf } from "../cases.ts";

type Language = "py" | "ts" | "go" | "rb" | "php" | "java" | "cs";

/** Code that assigns client data to `n`, and exits before `use(n)` if a test holds. */
const LEAVING: Record<Language, (test: string) => string> = {
  py: (test) => `n = request.args["n"]\nif ${test}:\n    exit()\nuse(n)`,
  ts: (test) => `const n = req.query.n;\nif (${test}) throw 1;\nuse(n);`,
  go: (test) => `n := r.FormValue("n")\nif ${test} {\n\treturn\n}\nuse(n)`,
  rb: (test) => `n = params[:n]\nif ${test}\n  return\nend\nuse(n)`,
  php: (test) => `<?php\n$n = $_GET["n"];\nif (${test}) {\n  exit;\n}\nshow($n);`,
  java: (test) => `String n = request.getParameter("n");\nif (${test}) {\n  return;\n}\nuse(n);`,
  cs: (test) => `var n = Request.Query["n"];\nif (${test}) {\n  return;\n}\nuse(n);`,
};
const ENTERING: Partial<Record<Language, (test: string) => string>> = {
  py: (test) => `n = request.args["n"]\nif ${test}:\n    use(n)`,
  ts: (test) => `const n = req.query.n;\nif (${test}) { use(n); }`,
};

function isReached(language: Language, code: string, target: Target): boolean {
  const fragment = fragmentOf(language === "java" ? "A.java" : `a.${language}`, code);
  const argument = fragment.callsNamed(language === "php" ? "show" : "use")[0]?.args[0];
  if (!argument) throw new Error("nothing is used");
  return provenanceOf(fragment, target).of(argument) >= LEVEL.request;
}

const isPast = (language: Language, test: string, target: Target) =>
  isReached(language, LEAVING[language](test), target);

describe("an allow-list or pattern check", () => {
  it.each([
    ["py", "not n.isalpha()"],
    ["py", "not n.isnumeric()"],
    ["py", "not n.isdecimal()"],
    ["py", "not re.match(PATTERN, n)"],
    ["py", "not any(n == each for each in ALLOWED)"],
    ["py", "not n.is_relative_to(ROOT)"],
    ["py", "not is_safe_url(n)"],
    ["ts", "!Number.isInteger(n)"],
    ["ts", "isNaN(n)"],
    ["ts", "!isUUID(n)"],
    ["ts", "!ALLOWED[n]"],
    ["ts", "ALLOWED.indexOf(n) === -1"],
    ["ts", "ALLOWED.indexOf(n) == -1"],
    ["ts", "ALLOWED.indexOf(n) < 0"],
    ["ts", 'n != "fixed"'],
    ["go", "!slices.Contains(allowed, n)"],
    ["go", "!pattern.MatchString(n)"],
    ["go", "!allowed[n]"],
    ["rb", "!ALLOWED.include?(n)"],
    ["rb", "!ALLOWED.key?(n)"],
    ["rb", "!ALLOWED.member?(n)"],
    ["rb", "!PATTERN.match?(n)"],
    ["php", "!in_array($n, $allowed)"],
    ["php", "!array_key_exists($n, $allowed)"],
    ["php", "!is_numeric($n)"],
    ["php", "!is_int($n)"],
    ["php", "!ctype_alnum($n)"],
    ["php", "!ctype_digit($n)"],
    ["php", "!preg_match($pattern, $n)"],
    ["php", "!isset($allowed[$n])"],
    ["java", "!ALLOWED.contains(n)"],
    ["java", "!ALLOWED.containsKey(n)"],
    ["java", "!n.matches(PATTERN)"],
    ["cs", "!Allowed.Contains(n)"],
    ["cs", "!allowed.ContainsKey(n)"],
    ["cs", "!Regex.IsMatch(n, pattern)"],
    ["cs", "!int.TryParse(n, out var m)"],
    ["cs", "!Url.IsLocalUrl(n)"],
  ] as const)("makes the value harmless in %s: %s", (language, test) => {
    expect(isPast(language, test, "shell")).toBe(false);
  });

  it.each([
    ["py", "not n.indexed(ALLOWED)"],
    ["py", "not begin(n)"],
    ["py", "not many(n)"],
    ["py", "not anything(n)"],
    ["py", "not n.isdigital()"],
    ["py", "not hisdigit(n)"],
    ["py", "not this_matches(n)"],
    ["ts", "!ALLOWED.includesNothing(n)"],
    ["ts", "!ALLOWED.hasnt(n)"],
    ["ts", "!isNaN(n)"],
    ["ts", "!tested(n)"],
    ["ts", "!latest(n)"],
    ["ts", "!ALLOWED(n)"],
    ["ts", "ALLOWED.indexOf(n) !== -1"],
    ["ts", "ALLOWED.indexOf(n) > -1"],
    ["ts", "ALLOWED.indexOf(n) >= 0"],
    ["ts", "n[0] !== '/'"],
    ["ts", "m < 0 || m === -1"],
    ["php", "!isset($n)"],
    ["php", "!ctype_of($n)"],
    ["php", "!isset_all($allowed[$n])"],
    ["php", "isset($allowed[$n])"],
    ["java", "!n.isEmpty()"],
    ["cs", "string.IsNullOrEmpty(n)"],
  ] as const)("is not seen in a similar test in %s: %s", (language, test) => {
    expect(isPast(language, test, "shell")).toBe(true);
  });
});

describe("a prefix check or a check for forbidden text", () => {
  it.each([
    ["py", "not n.startswith(ROOT)", "path"],
    ["py", "os.path.commonpath([ROOT, n]) != ROOT", "path"],
    ["py", "os.path.commonprefix([ROOT, n]) != ROOT", "path"],
    ["rb", "!n.start_with?(ROOT)", "path"],
    ["php", "!str_starts_with($n, $root)", "path"],
    ["java", "!n.startsWith(ROOT)", "path"],
    ["cs", "!n.StartsWith(Root)", "path"],
    ["go", "!strings.HasPrefix(n, root)", "path"],
    ["go", "!filepath.IsLocal(n)", "path"],
    ["ts", 'n.indexOf("..") >= 0', "path"],
    ["ts", 'n.endsWith("/")', "path", true],
    ["ts", 'n.endsWith("..")', "path"],
    ["ts", 'n.includes("//a.test")', "address"],
    ["ts", 'n.includes("https://a.test")', "address"],
    ["ts", "n.includes('\"')", "query"],
    ["ts", "n.includes('\"')", "code"],
    ["ts", 'n.includes("|")', "shell"],
    ["ts", 'n.includes("../")', "path"],
    ["ts", 'n.includes("/..")', "shell", true],
    ["ts", 'n.includes("..a")', "path", true],
    ["ts", 'n.includes("a..")', "path", true],
    ["ts", 'n.includes("a/")', "path", true],
    ["ts", 'n.includes("/a")', "path", true],
    ["ts", 'n.includes("x|")', "shell", true],
    ["ts", 'n.includes("|x")', "shell", true],
    ["ts", 'n.includes("x\'")', "query", true],
    ["ts", 'n.includes("\'x")', "query", true],
    ["ts", 'n.includes("a//b")', "address", true],
    ["ts", "n.restartsWith(ROOT) === false", "path", true],
    ["ts", "n.startsWithout(ROOT) === false", "path", true],
    ["ts", 'n.bendsWith("..")', "path", true],
    ["ts", 'n.endsWithout("..")', "path", true],
    ["php", 'strpos($n, "..") !== false', "path"],
    ["php", 'str_contains($n, "..")', "path"],
    ["rb", 'n.include?("..")', "path"],
    ["go", 'strings.Contains(n, "..")', "path"],
    ["go", 'strings.ContainsAny(n, "/")', "path"],
    ["go", 'strings.HasSuffix(n, "..")', "path"],
    ["java", 'n.contains("..")', "path"],
    ["cs", 'n.Contains("..")', "path"],
    ["cs", 'n.EndsWith("..")', "path"],
  ] as const)(
    "counts only for the targets it protects, in %s: %s for %s",
    (language, test, target, isLeft?: true) => {
      expect(isPast(language, test, target)).toBe(isLeft === true);
    },
  );
});

describe("the scope of a check", () => {
  it.each([
    ["ts", "!ALLOWED.includes(o.n)"],
    ["ts", "!ALLOWED.includes(o?.n)"],
    ["ts", "!ALLOWED.includes(n())"],
    ["php", "!in_array($o->n, $allowed)"],
    ["py", "o.n not in ALLOWED"],
  ] as const)("leaves out values that the check does not name, in %s: %s", (language, test) => {
    expect(isPast(language, test, "shell")).toBe(true);
  });

  it.each([
    ["py", "n in ALLOWED", false],
    ["py", "ready and n in ALLOWED", false],
    ["py", "(n) in ALLOWED", false],
    ["py", "n.isalnum()", false],
    ["py", 'n == "fixed"', false],
    ["py", 'ready and n == "fixed"', false],
    ["py", '"key" in n', true],
    ["py", "m in n", true],
    ["py", "ready(m) in n", true],
    ["py", 'n == ""', true],
    ["py", 'm + n == "fixed"', true],
    ["py", 'm(n) == "fixed"', false],
    ["py", 'm[n] == "fixed"', true],
    ["py", 'not n == "fixed"', true],
    ["py", 'n is "fixed"', true],
    ["ts", "ALLOWED.includes(n)", false],
    ["ts", "ready && ALLOWED.includes(n)", false],
    ["ts", "check(ALLOWED, n) && ALLOWED.has(n)", false],
    ["ts", "!isNaN(n)", false],
    ["ts", "isNaN(n)", true],
    ["ts", "n.includes('key')", true],
    ["ts", "m === n", true],
    ["ts", "!n.includes('..')", true],
    ["ts", "!ALLOWED.includes(n)", true],
  ] as const)(
    "covers its branch only if it admits fixed or listed values, in %s: %s",
    (language, test, isLeft) => {
      const code = ENTERING[language]?.(test) as string;
      expect(isReached(language, code, "shell")).toBe(isLeft);
    },
  );

  it.each([
    ["!n.includes('..')", "path", false],
    ["!n.includes('/')", "path", true],
    ["n.startsWith(ROOT)", "path", false],
    ["!n.startsWith(ROOT)", "path", true],
    ["n.startsWith('/')", "path", true],
    ["ALLOWED.indexOf(n) !== -1", "shell", false],
    ["ALLOWED.indexOf(n) > -1", "shell", false],
    ["ALLOWED.indexOf(n) === -1", "shell", true],
    ["ALLOWED.indexOf(n) < 0", "shell", true],
    ["n.indexOf('..') === -1", "path", false],
    ["n.indexOf('..') < 0", "path", false],
    ["n.indexOf('..') !== -1", "path", true],
    ["n.indexOf('..') > -1", "path", true],
    ["n === 'fixed'", "shell", false],
    ["n === 'ab'", "shell", false],
  ] as const)("covers its branch only with a suitable test: %s for the target %s", (test, target, isLeft) => {
    expect(isReached("ts", ENTERING.ts?.(test) as string, target)).toBe(isLeft);
  });
});

describe("an allow-list check", () => {
  const given = "const n = req.query.n;";

  it.each([
    ["function f() {\n  if (!ALLOWED.has(n)) throw 1;\n}\nuse(n);", true],
    ["function f() {\n  if (!ALLOWED.has(n)) throw 1;\n  use(n);\n}", false],
    ["if (ready) {\n  if (!ALLOWED.has(n)) throw 1;\n  use(n);\n}", false],
    ["if (ready) {\n  if (!ALLOWED.has(n)) throw 1;\n}\nuse(n);", true],
    ["if (!ALLOWED.has(n)) {\n  use(n);\n  throw 1;\n}", true],
    ["if (!ALLOWED.has(n)) throw 1;\nif (m) throw 2;\nuse(n);", false],
    ["if (!ALLOWED.has(n)) throw 1;\nif (!n) throw 2;\nuse(n);", false],
    ["if (!ALLOWED.has(n)) throw 1;\nif (n !== '') log(n);\nuse(n);", false],
    ["if (!ALLOWED.has(n)) log(n);\nelse throw 1;\nuse(n);", true],
    ["switch (n) {\n  case 'fixed':\n    return;\n}\nuse(n);", true],
    ["if (!ALLOWED.has(n)) throw 1;\nn += req.query.m;\nuse(n);", true],
  ])("covers only the code it guards: %s", (code, isLeft) =>
    expect(isReached("ts", `${given}\n${code}`, "shell")).toBe(isLeft),
  );

  it("also covers the value that the checked one is certainly made of", () => {
    const tested = (made: string) => `${given}\n${made}\nif (!ALLOWED.has(m)) throw 1;\nuse(n);`;
    expect(isReached("ts", tested("const m = normalize(n);"), "shell")).toBe(false);
    expect(isReached("ts", tested("const m = normalize(o.n);"), "shell")).toBe(true);
    expect(isReached("ts", tested("let m = n;\nif (ready) m = 'x';"), "shell")).toBe(true);
  });
});

describe("a Go map lookup", () => {
  const code = (look: string, test: string) =>
    `n := r.FormValue("n")\n${look}\nif ${test} {\n\treturn\n}\nuse(n)`;

  it.each([
    ["_, ok := allowed[n]", "!ok", false],
    ["_, ok := allowed[n]", "ok", true],
    ["_, ok := find(n)", "!ok", true],
    ["ok := allowed[n]", "!ok", false],
    ["ok := allowed[n]", "ok", true],
    ["ok := find(allowed[n])", "!ok", true],
    ["ok := allowed[n]\nok = ready", "!ok", true],
  ])("clears the value only with a matching test: %s, %s", (look, test, isLeft) =>
    expect(isReached("go", code(look, test), "shell")).toBe(isLeft),
  );
});

describe("the search for checks", () => {
  const given = "const n = req.query.n;";
  const reached = (code: string) => isReached("ts", `${given}\n${code}\nuse(n);`, "shell");
  const isLeft = (condition: string) => reached(`if (${condition}) throw 1;`);

  it("looks at the 20 nearest checks", () => {
    const after = (others: number) =>
      `if (!ALLOWED.has(n)) throw 1;\n${"if (n.includes('<')) throw 1;\n".repeat(others)}`;
    expect([19, 20].map((others) => reached(after(others)))).toEqual([false, true]);
  });

  it("skips conditions of more than 100 tokens", () => {
    const more = (times: number) => " || a".repeat(times);
    expect(isLeft(`!ALLOWED.has(n)${more(46)}`)).toBe(false);
    expect(isLeft(`!ALLOWED.has(n) || -a${more(45)}`)).toBe(false);
    expect(isLeft(`!ALLOWED.has(n)${more(47)}`)).toBe(true);
  });

  it("looks at the first 30 tokens that a value is made of", () => {
    const made = (value: string) => reached(`const m = ${value};\nif (!ALLOWED.has(m)) throw 1;`);
    expect(made(`[${"a, ".repeat(14)}n]`)).toBe(false);
    expect(made(`f(${"a, ".repeat(14)}n)`)).toBe(true);
  });
});
