import { describe, expect, it } from "vitest";
import { LEVEL } from "../../../../src/tools/code-review/flow/level.ts";
import { provenanceOf } from "../../../../src/tools/code-review/flow/provenance.ts";
import type { Target } from "../../../../src/tools/code-review/flow/target.ts";
import { fragmentOf } from "../cases.ts";

/** Whether client data that is harmful for `target` reaches `use(n)`. */
function reaches(path: string, code: string, target: Target): boolean {
  const fragment = fragmentOf(path, code);
  const [argument] = fragment.callsNamed("use")[0]?.args ?? [];
  if (!argument) throw new Error("nothing is used");
  return provenanceOf(fragment, target).of(argument) >= LEVEL.request;
}

const leaving = {
  py: (test: string) => `n = request.args["n"]\nif ${test}:\n    exit()\nuse(n)`,
  ts: (test: string) => `const n = req.query.n;\nif (${test}) throw 1;\nuse(n);`,
};
const entering = {
  py: (test: string) => `n = request.args["n"]\nif ${test}:\n    use(n)`,
  ts: (test: string) => `const n = req.query.n;\nif (${test}) { use(n); }`,
};

describe("a checked value", () => {
  it.each([
    ["py", "n not in ALLOWED"],
    ["py", "not n.isdigit()"],
    ["py", "not n.isalnum()"],
    ["py", "not n.isidentifier()"],
    ["py", "not re.fullmatch(PATTERN, n)"],
    ["py", 'n != "fixed"'],
    ["py", "not url_has_allowed_host_and_scheme(n)"],
    ["ts", "!ALLOWED.includes(n)"],
    ["ts", "!ALLOWED.has(n)"],
    ["ts", "!/^a+$/.test(n)"],
    ["ts", "!n.match(PATTERN)"],
    ["ts", 'n !== "fixed"'],
    ["ts", "ALLOWED.includes(n) === false"],
  ] as const)("is harmless after a check that exits, in %s: %s", (language, test) => {
    expect(reaches(`a.${language}`, leaving[language](test), "shell")).toBe(false);
  });

  it.each([
    ["py", "n in ALLOWED"],
    ["py", "n.isdigit()"],
    ["py", 'n == "fixed"'],
    ["ts", "ALLOWED.includes(n)"],
    ["ts", 'n === "fixed"'],
  ] as const)("is harmless within the branch of a check, in %s: %s", (language, test) => {
    expect(reaches(`a.${language}`, entering[language](test), "shell")).toBe(false);
  });

  it.each([
    ["py", "not n"],
    ["py", "n in SEEN"],
    ["py", 'n != ""'],
    ["py", "len(n) > 5"],
    ["py", "m not in ALLOWED"],
    ["py", "n.isdigit()"],
    ["ts", "!n"],
    ["ts", "SEEN.includes(n)"],
    ["ts", 'n !== ""'],
    ["ts", "n.length > 5"],
    ["ts", "!ALLOWED.includes(m)"],
  ] as const)("stays tainted after an insufficient check, in %s: %s", (language, test) => {
    expect(reaches(`a.${language}`, leaving[language](test), "shell")).toBe(true);
  });

  it.each([
    ["py", '".." in n', "path", false],
    ["py", '"/" in n', "path", false],
    ["py", '".." in n', "shell", true],
    ["py", '";" in n', "shell", false],
    ["py", "not n.startswith(ROOT)", "path", false],
    ["py", "not n.startswith(ROOT)", "shell", true],
    ["ts", 'n.includes("..")', "path", false],
    ["ts", 'n.includes("<")', "markup", false],
    ["ts", 'n.includes("<")', "path", true],
    ["ts", 'n.indexOf("..") !== -1', "path", false],
    ["ts", "!n.startsWith(ROOT)", "path", false],
    ["ts", "!n.startsWith(ROOT)", "address", false],
    ["ts", "!n.startsWith(ROOT)", "markup", true],
    ["ts", "n.startsWith(ROOT)", "path", true],
  ] as const)("is harmless only for some targets, in %s: %s, %s, %s", (language, test, target, expected) => {
    expect(reaches(`a.${language}`, leaving[language](test), target)).toBe(expected);
  });

  it("is tainted after reassignment and outside the scope of the check", () => {
    const tested = leaving.py("n not in ALLOWED");
    expect(reaches("a.py", tested.replace("use(n)", 'n = request.args["m"]\nuse(n)'), "shell")).toBe(true);
    expect(reaches("a.py", 'n = request.args["n"]\nuse(n)\nif n not in ALLOWED:\n    exit()', "shell")).toBe(
      true,
    );
    expect(reaches("a.py", 'n = request.args["n"]\nif n not in ALLOWED:\n    log(n)\nuse(n)', "shell")).toBe(
      true,
    );
    expect(
      reaches(
        "a.py",
        'n = request.args["n"]\nif ready:\n    if n not in ALLOWED:\n        exit()\nuse(n)',
        "shell",
      ),
    ).toBe(true);
    expect(
      reaches(
        "a.py",
        'n = request.args["n"]\nif ready:\n    if n not in ALLOWED:\n        exit()\n    use(n)',
        "shell",
      ),
    ).toBe(false);
  });

  it("also clears the value it was made of", () => {
    const code = 'n = request.args["n"]\nm = join(ROOT, n)\nif m not in ALLOWED:\n    exit()\nuse(n)';
    expect(reaches("a.py", code, "shell")).toBe(false);
  });
});

describe("operations on a tainted value", () => {
  it.each([
    ["a.py", 'n = int(request.args["n"])\nuse(n)', "shell", false],
    ["a.py", 'n = len(request.args["n"])\nuse(n)', "shell", false],
    ["a.py", 'n = request.args["n"].strip()\nuse(n)', "shell", true],
    ["a.py", 'n = shlex.quote(request.args["n"])\nuse(n)', "shell", false],
    ["a.py", 'n = html.escape(request.args["n"])\nuse(n)', "markup", false],
    ["a.py", 'n = request.args["n"].replace("..", "")\nuse(n)', "markup", true],
    ["a.py", 'n = request.args["n"].replace("<", "")\nuse(n)', "markup", false],
    ["a.py", 'n = "a" if ready else request.args["n"]\nuse(n)', "shell", true],
    ["a.py", 'n = "a" if 1 > 0 else request.args["n"]\nuse(n)', "shell", false],
    ["a.py", 'n = request.args["n"] == "a"\nuse(n)', "shell", false],
    ["a.py", 'n = f"a {request.args[0]}"\nuse(n)', "shell", true],
    ["a.ts", "const n = Number(req.query.n);\nuse(n);", "shell", false],
    ["a.ts", "const n = req.query.n.length;\nuse(n);", "shell", false],
    ["a.ts", "const n = (req.query.n + 'a').length;\nuse(n);", "shell", false],
    ["a.ts", "const n = encodeURIComponent(req.query.n);\nuse(n);", "markup", false],
    ["a.ts", 'const n = req.query.n.replace("<", "");\nuse(n);', "markup", true],
    ["a.ts", 'const n = req.query.n.replaceAll("<", "");\nuse(n);', "markup", false],
    ["a.ts", "const n = `a ${req.query.n}`;\nuse(n);", "shell", true],
    ["a.ts", "const n = ready ? req.query.n : 'a';\nuse(n);", "shell", true],
    ["a.ts", "const n = 2 > 1 ? 'a' : req.query.n;\nuse(n);", "shell", false],
    ["a.ts", "const n = req.query.n || 'a';\nuse(n);", "shell", true],
    ["a.ts", "const n = req.query.n === 'a';\nuse(n);", "shell", false],
    ["a.ts", "let n = 'a';\nn += req.query.n;\nuse(n);", "shell", true],
    ["a.ts", "const n = [];\nn.push(req.query.n);\nuse(n);", "shell", true],
    ["a.go", 'n := filepath.Clean("/" + r.FormValue("n"))\nuse(n)', "path", false],
  ] as const)("keep or remove the taint, in %s: %j for %s: %s", (path, code, target, expected) => {
    expect(reaches(path, code, target)).toBe(expected);
  });
});
