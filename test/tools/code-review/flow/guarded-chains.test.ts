import { describe, expect, it } from "vitest";
import { LEVEL } from "../../../../src/tools/code-review/flow/level.ts";
import { provenanceOf } from "../../../../src/tools/code-review/flow/provenance.ts";
import type { Target } from "../../../../src/tools/code-review/flow/target.ts";
import { fragmentOf } from "../cases.ts";

/** Whether client data reaches `use(…)`. */
function reaches(path: string, code: string, target: Target): boolean {
  const fragment = fragmentOf(path, code);
  const [argument] = fragment.callsNamed(path.endsWith("php") ? "show" : "use")[0]?.args ?? [];
  if (!argument) throw new Error("nothing is used");
  return provenanceOf(fragment, target).of(argument) >= LEVEL.request;
}

describe("a checked request parameter without a variable", () => {
  it.each([
    ["a.ts", "if (!['a', 'b'].includes(req.query.o)) return;\nuse(req.query.o);"],
    ["a.ts", "if (!ALLOWED[req.query.o]) return;\nuse(req.query.o);"],
    ["a.ts", "if (req.query.o !== 'name' && req.query.o !== 'age') return;\nuse(req.query.o);"],
    ["a.ts", "if (!/^[a-z]+$/.test(req.query.o)) return;\nuse(req.query.o);"],
    ["a.ts", "if (!req.query.o.match(/^[a-z]+$/)) return;\nuse(req.query.o.toLowerCase());"],
    ["a.ts", "if (ALLOWED.has(req.query.o)) { use(req.query.o); }"],
    ["a.py", 'if request.args["o"] not in ["a", "b"]:\n    exit()\nuse(request.args["o"])'],
    ["a.py", "if request.args['o'] not in ALLOWED:\n    exit()\nuse(request.args[\"o\"])"],
    ["a.py", 'if request.args.get("o") not in ALLOWED:\n    exit()\nuse(request.args.get("o"))'],
    ["a.py", 'if not request.args["o"].isdigit():\n    exit()\nuse(request.args["o"])'],
    ["a.py", 'if request.args["o"] in ("a", "b"):\n    use(request.args["o"])'],
    ["a.php", "<?php\nif (!in_array($_GET['z'], ['a', 'b'], true)) { exit; }\nshow($_GET['z']);"],
    ["a.rb", "return unless %w[a b].include?(params[:o])\nuse(params[:o])"],
    ["a.rb", "return unless params[:o].match?(/\\A[a-z]+\\z/)\nuse(params[:o])"],
    ["a.go", 'if !slices.Contains(allowed, r.FormValue("o")) {\n\treturn\n}\nuse(r.FormValue("o"))'],
    [
      "A.java",
      'if (!ALLOWED.contains(request.getParameter("o"))) { return; }\nuse(request.getParameter("o"));',
    ],
    ["a.cs", 'if (!Allowed.Contains(Request.Query["o"])) { return; }\nuse(Request.Query["o"]);'],
  ])("is harmless in %s: %s", (path, code) => {
    expect(reaches(path, code, "query")).toBe(false);
  });

  it.each([
    ["another member", "a.ts", "if (!['a', 'b'].includes(req.query.p)) return;\nuse(req.query.o);"],
    ["the other way round", "a.ts", "if (['a', 'b'].includes(req.query.o)) return;\nuse(req.query.o);"],
    ["that it is there", "a.ts", "if (!('o' in req.query)) return;\nuse(req.query.o);"],
    ["another key", "a.py", 'if request.args["p"] not in ALLOWED:\n    exit()\nuse(request.args["o"])'],
    [
      "on the way out",
      "a.py",
      'if request.args["o"] in ALLOWED:\n    pass\nelse:\n    use(request.args["o"])',
    ],
    ["that it is not empty", "a.rb", "return unless params[:o].present?\nuse(params[:o])"],
    ["that it is set", "a.php", "<?php\nif (!isset($_GET['z'])) { exit; }\nshow($_GET['z']);"],
    ["that it says something", "a.php", "<?php\nif ($_GET['z']) { show($_GET['z']); }"],
    ["that it says something", "a.rb", "if params[:o]\n  use(params[:o])\nend"],
    ["that it is no nothing", "a.py", 'if not request.args["o"]:\n    exit()\nuse(request.args["o"])'],
    [
      "another parameter",
      "A.java",
      'if (!ALLOWED.contains(request.getParameter("p"))) { return; }\nuse(request.getParameter("o"));',
    ],
    [
      "in another function",
      "a.py",
      'def a():\n    if request.args["o"] not in A:\n        exit()\ndef b():\n    use(request.args["o"])',
    ],
  ])("stays tainted after an insufficient check: %s", (_, path, code) => {
    expect(reaches(path, code, "query")).toBe(true);
  });
});

describe("an allow list in a Python tuple", () => {
  it.each([
    ['if n not in ("a", "b"):\n    exit()\nuse(n)'],
    ['if n not in ("a",):\n    exit()\nuse(n)'],
    ['if n in ("a", "b"):\n    use(n)'],
  ])("is not taken for a call: %s", (code) => {
    expect(reaches("a.py", `n = request.args["n"]\n${code}`, "query")).toBe(false);
  });

  it("is not confused with a substring test", () => {
    expect(reaches("a.py", 'n = request.args["n"]\nif "x" not in n:\n    exit()\nuse(n)', "query")).toBe(
      true,
    );
  });
});

describe("a path checked for a folder prefix", () => {
  const js = "const p = path.resolve('/data', req.query.f);\n";
  it.each([
    ["a.ts", `${js}if (!p.startsWith('/data/')) return;\nuse(p);`],
    ["a.ts", `${js}if (p.startsWith('/data/')) { use(p); }`],
    ["a.ts", `${js}if (!p.startsWith('/data' + path.sep)) return;\nuse(p);`],
    ["a.ts", `${js}if (p.indexOf('/data/') !== 0) return;\nuse(p);`],
    [
      "a.py",
      'p = os.path.realpath(os.path.join("/data", request.args["f"]))\nif not p.startswith("/data/"):\n    exit()\nuse(p)',
    ],
    [
      "a.cs",
      'var p = Path.GetFullPath(Path.Combine("/data", Request.Query["f"]));\nif (!p.StartsWith("/data/")) { return; }\nuse(p);',
    ],
    [
      "a.php",
      "<?php\n$p = realpath('/data/' . $_GET['f']);\nif (strpos($p, '/data/') !== 0) { exit; }\nshow($p);",
    ],
    ["a.rb", 'p = File.realpath(params[:f], "/data")\nreturn unless p.start_with?("/data/")\nuse(p)'],
    [
      "a.go",
      'p := filepath.Join("/data", r.FormValue("f"))\nif !strings.HasPrefix(p, "/data/") {\n\treturn\n}\nuse(p)',
    ],
  ])("is harmless once resolved in %s: %s", (path, code) => {
    expect(reaches(path, code, "path")).toBe(false);
  });

  it.each([
    ["was not resolved", "const p = '/data/' + req.query.f;\nif (!p.startsWith('/data/')) return;\nuse(p);"],
    ["may be a folder beside it", `${js}if (!p.startsWith('/data')) return;\nuse(p);`],
    ["must not begin so", `${js}if (p.startsWith('/data/')) return;\nuse(p);`],
  ])("stays tainted if it %s", (_, code) => {
    expect(reaches("a.ts", code, "path")).toBe(true);
  });
});

describe("a URL checked for a prefix", () => {
  it("is harmless only if the prefix includes the host", () => {
    const code = "if (req.query.u.startsWith('https://api.example.com/')) { use(req.query.u); }";
    expect(reaches("a.ts", code, "address")).toBe(false);
    expect(reaches("a.ts", code.replace("api.example.com/", ""), "address")).toBe(true);
  });
});
