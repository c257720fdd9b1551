import { describe, expect, it } from "vitest";
import { review } from "../../../../src/tools/code-review/review.ts";
import { added } from "../cases.ts";

type Files = Record<string, string>;
type Imports = Record<string, Record<string, string>>;

/** Returns the findings of a diff that adds some files, while others are only there to be looked up. */
function found(diff: Files, others: Files = {}, imports: Imports = {}): string[] {
  const texts = Object.entries({ ...diff, ...others });
  const { findings } = review({
    diff: Object.entries(diff)
      .map(([path, text]) => added(path, text))
      .join(""),
    files: texts.map(([path, content]) => ({ path, content })),
    imports,
  });
  return findings.map(({ severity, file, line, message }) => `${severity} ${file}:${line} ${message}`);
}

const SHELL = `import { exec } from "node:child_process";
export function run(command: string) {
  exec("ls " + command);
}`;
const ROUTE = (importing: string, call: string) => `${importing}
app.get("/", (req, res) => {
  ${call}
});`;
const PASSED =
  "error app.ts:3 exec() runs a command that holds what a client sends: this call passes it on to shell.ts:3.";
const GIVEN = "error shell.ts:3 exec() runs a command that holds what a client sends: app.ts:3 passes it on.";
const LEADS = { "app.ts": { "./shell": "shell.ts" } };

describe("a value that a call passes to a function of another file", () => {
  const app = ROUTE('import { run } from "./shell";', "run(req.query.folder);");

  it("is reported at the call if the function is not in the diff", () => {
    expect(found({ "app.ts": app }, { "shell.ts": SHELL }, LEADS)).toEqual([PASSED]);
  });

  it("is reported at the sink, once, if that is in the diff", () => {
    expect(found({ "shell.ts": SHELL }, { "app.ts": app }, LEADS)).toEqual([GIVEN]);
    expect(found({ "app.ts": app, "shell.ts": SHELL }, {}, LEADS)).toEqual([GIVEN]);
  });

  it("is reported alike in any order of the imports and the files", () => {
    const [others, imports] = [
      { "app.ts": app, "b.ts": app },
      { ...LEADS, "b.ts": { "./shell": "shell.ts" } },
    ];
    const turned = <T>(all: Record<string, T>) => Object.fromEntries(Object.entries(all).reverse());
    expect(found({ "shell.ts": SHELL }, others, imports)).toEqual([GIVEN]);
    expect(found({ "shell.ts": SHELL }, turned(others), turned(imports))).toEqual([GIVEN]);
  });

  it("is not followed where nothing says where the import leads", () => {
    expect(found({ "app.ts": app }, { "shell.ts": SHELL })).toEqual([]);
    expect(found({ "app.ts": app }, {}, LEADS)).toEqual([]);
  });

  it("is reported at each call on an added line", () => {
    const twice = app.replace("run(req", "run(req.params.id);\n  run(req");
    expect(found({ "app.ts": twice }, { "shell.ts": SHELL }, LEADS)).toHaveLength(2);
  });

  it("is not reported if the call or the sink says that it is fine", () => {
    const vetted = SHELL.replace("  exec", "  // tool-ignore command-injection: a folder's name\n  exec");
    expect(found({ "app.ts": app }, { "shell.ts": vetted }, LEADS)).toEqual([]);
    const ignored = app.replace("  run", "  // tool-ignore command-injection: a folder's name\n  run");
    expect(found({ "app.ts": ignored }, { "shell.ts": SHELL }, LEADS)).toEqual([]);
  });

  it("counts for other sinks, too: paths, pages, SQL, addresses", () => {
    const other = (body: string) =>
      found(
        { "app.ts": ROUTE('import { run } from "./shell";', "run(req.query.folder, res);") },
        { "shell.ts": `import fs from "node:fs";\nexport function run(value, response) {\n  ${body}\n}` },
        LEADS,
      ).map((each) => each.replace(/^(\w+) app\.ts:3 .*: this call passes it on to (.*)$/, "$1 $2"));
    expect(other("return fs.readFileSync(value);")).toEqual(["warning shell.ts:3."]);
    expect(other("document.body.innerHTML = value;")).toEqual(["error shell.ts:3."]);
    expect(other('return db.query("SELECT name FROM users WHERE id = " + value);')).toEqual([
      "error shell.ts:3.",
    ]);
    expect(other("return fetch(value);")).toEqual(["warning shell.ts:3."]);
    expect(other('return fetch("https://api.example.com/" + value);')).toEqual([]);
    expect(other("return eval(value);")).toEqual(["error shell.ts:3."]);
  });

  it("is followed through one more file", () => {
    const between =
      'import { run } from "./shell";\nexport function list(folder) {\n  return run(folder);\n}';
    const listing = ROUTE('import { list } from "./list";', "list(req.query.folder);");
    const imports = { "app.ts": { "./list": "list.ts" }, "list.ts": { "./shell": "shell.ts" } };
    expect(found({ "app.ts": listing }, { "list.ts": between, "shell.ts": SHELL }, imports)).toEqual([
      PASSED,
    ]);
  });
});

describe.each([
  ["renamed", 'import { run as list } from "./shell";', "list(req.query.folder);", SHELL],
  ["of a namespace", 'import * as shell from "./shell";', "shell.run(req.query.folder);", SHELL],
  ["by require", 'const { run } = require("./shell");', "run(req.query.folder);", SHELL],
  ["renamed by require", 'const { run: list } = require("./shell");', "list(req.query.folder);", SHELL],
  ["of a required module", 'const shell = require("./shell");', "shell.run(req.query.folder);", SHELL],
  [
    "by default",
    'import list from "./shell";',
    "list(req.query.folder);",
    SHELL.replace("export", "export default"),
  ],
  [
    "under another name",
    'import { list } from "./shell";',
    "list(req.query.folder);",
    `${SHELL.replace("export ", "")}\nexport { run as list };`,
  ],
  [
    "to module.exports",
    'const shell = require("./shell");',
    "shell.list(req.query.folder);",
    `${SHELL.replace("export ", "")}\nmodule.exports = { list: run };`,
  ],
  [
    "to exports",
    'const { run } = require("./shell");',
    "run(req.query.folder);",
    SHELL.replace("export function run(command: string)", "exports.run = function (command)"),
  ],
  [
    "as an arrow function",
    'import { run } from "./shell";',
    "run(req.query.folder);",
    SHELL.replace("function run(command: string)", "const run = (command: string) =>"),
  ],
  [
    "as a method of a class",
    'import { Shell } from "./shell";',
    "new Shell().run(req.query.folder);",
    'import { exec } from "node:child_process";\nexport class Shell { run(command: string) {\n  exec("ls " + command);\n} }',
  ],
  [
    "as a method of an object",
    'import { shell } from "./shell";',
    "shell.run(req.query.folder);",
    'import { exec } from "node:child_process";\nexport const shell = { run(command: string) {\n  exec("ls " + command);\n} };',
  ],
])("a function that is imported or exported %s", (_, importing, call, shell) => {
  it("is found", () => {
    expect(found({ "app.ts": ROUTE(importing, call) }, { "shell.ts": shell }, LEADS)).toEqual([PASSED]);
    expect(found({ "shell.ts": shell }, { "app.ts": ROUTE(importing, call) }, LEADS)).toEqual([GIVEN]);
  });
});

describe("an export of another file's function", () => {
  const imports = { "app.ts": { "./lib": "lib/index.ts" }, "lib/index.ts": { "../shell": "shell.ts" } };
  const app = ROUTE('import { run } from "./lib";', "run(req.query.folder);");

  it.each([
    ["by name", 'export { run } from "../shell";'],
    ["renamed", 'export { other as old, run as run } from "../shell";'],
    ["with all others", 'export * from "../shell";'],
    ["once imported", 'import { run } from "../shell";\nexport { run };'],
  ])("is looked through: %s", (_, index) => {
    expect(found({ "app.ts": app }, { "lib/index.ts": index, "shell.ts": SHELL }, imports)).toEqual([PASSED]);
    expect(found({ "shell.ts": SHELL }, { "lib/index.ts": index, "app.ts": app }, imports)).toEqual([GIVEN]);
  });
});

describe("what is not the imported function", () => {
  const none = (app: string, shell = SHELL) =>
    expect(found({ "app.ts": app }, { "shell.ts": shell }, LEADS)).toEqual([]);

  it("is a parameter or a variable of its name", () => {
    none(
      'import { run } from "./shell";\napp.get("/", (req, res) => {\n  const run = other();\n  run(req.query.folder);\n});',
    );
    none('import { run } from "./shell";\nfunction each(run, req) {\n  run(req.query.folder);\n}');
  });

  it("is one of the same name in a file that is not imported", () => {
    const [path, imports] = ["b.ts", { "app.ts": { "./b": "b.ts" } }];
    const app = ROUTE('import { run } from "./b";', "run(req.query.folder);");
    const harmless = "export function run(command: string) {\n  return command.length;\n}";
    expect(found({ "app.ts": app }, { [path]: harmless, "shell.ts": SHELL }, imports)).toEqual([]);
  });

  it("is one that is not exported, or only under another name", () => {
    none(ROUTE('import { run } from "./shell";', "run(req.query.folder);"), SHELL.replace("export ", ""));
    none(
      ROUTE('import { run } from "./shell";', "run(req.query.folder);"),
      `${SHELL.replace("export ", "")}\nexport { run as list };`,
    );
  });

  it("is a method of its name in a class of that file", () => {
    const shell =
      'import { exec } from "node:child_process";\nexport class Shell { run(command) { exec("ls " + command); } }';
    none(ROUTE('import { run } from "./shell";', "run(req.query.folder);"), shell);
  });
});

describe("what becomes of a value is not known", () => {
  const none = (body: string, call = "run(req.query.folder);") =>
    expect(
      found(
        { "app.ts": ROUTE('import { run } from "./shell";', call) },
        {
          "shell.ts": `import { exec } from "node:child_process";\nimport { cleaned } from "./cleaned";\n${body}`,
        },
        { "app.ts": { "./shell": "shell.ts" }, "shell.ts": { "./cleaned": "missing.ts" } },
      ),
    ).toEqual([]);

  it("behind an unknown function of the project", () => {
    none('export function run(value) {\n  exec("ls " + cleaned(value));\n}');
    none('export function run(value) {\n  const { name } = cleaned(value);\n  exec("ls " + name);\n}');
  });

  it("in an object that is passed as a whole", () => {
    none(
      'export function run(options) {\n  exec("ls " + options.folder);\n}',
      "run({ folder: 1, name: req.query.folder });",
    );
    none('export function run(options: Options) {\n  exec("ls " + options.folder);\n}', "run(req.body);");
  });

  it("but is known of a member that the function takes out of the object", () => {
    const shell = SHELL.replace("command: string", "{ command, name }");
    const app = (call: string) => ROUTE('import { run } from "./shell";', call);
    expect(
      found({ "app.ts": app("run({ command: req.query.folder });") }, { "shell.ts": shell }, LEADS),
    ).toEqual([PASSED]);
    expect(
      found({ "app.ts": app("run({ name: req.query.folder });") }, { "shell.ts": shell }, LEADS),
    ).toEqual([]);
  });
});

describe("the result of a function of another file", () => {
  const app = (expression: string) =>
    ROUTE(
      'import { exec } from "node:child_process"; import { nameOf } from "./of";',
      `exec("ls " + ${expression});`,
    );
  const levels = (expression: string, of: string) =>
    found({ "app.ts": app(expression) }, { "of.ts": of }, { "app.ts": { "./of": "of.ts" } }).map(
      (each) => each.split(" ")[0],
    );

  it("is harmless if the function checks or chooses it", () => {
    expect(levels("nameOf(req.query.x)", "")).toEqual(["error"]);
    const checks =
      'export function nameOf(name) {\n  if (!/^[a-z]+$/.test(name)) throw new Error("no");\n  return name;\n}';
    expect(levels("nameOf(req.query.x)", checks)).toEqual([]);
    const chooses = 'const NAMES = { a: "1", b: "2" };\nexport const nameOf = (name) => NAMES[name];';
    expect(levels("nameOf(req.query.x)", chooses)).toEqual([]);
    expect(levels("nameOf(req.query.x)", "export function nameOf(name) { return Number(name); }")).toEqual(
      [],
    );
  });

  it("is what a client sends if the function returns what it is given, or reads the request", () => {
    expect(levels("nameOf(req.query.x)", "export function nameOf(name) { return name.trim(); }")).toEqual([
      "error",
    ]);
    expect(levels("nameOf(request)", "export function nameOf(req) { return req.query.folder; }")).toEqual([
      "error",
    ]);
  });

  it("is an address that the function makes, whatever it is given", () => {
    const app = ROUTE('import { ordersPath } from "./of";', "res.redirect(ordersPath(req.query.id));");
    const of = "export const ordersPath = (id) => `/orders/${id}`;";
    expect(found({ "app.ts": app }, { "of.ts": of }, { "app.ts": { "./of": "of.ts" } })).toEqual([]);
  });

  it("is not that of an argument that the function does not return", () => {
    expect(
      levels('nameOf(req.query.x, "a")', "export function nameOf(name, folder) { return folder; }"),
    ).toEqual([]);
  });
});

describe("Python", () => {
  const shell = 'import os\n\ndef run(folder):\n    os.system("ls " + folder)\n';
  const app = (importing: string, call: string) =>
    `from flask import request\n${importing}\ndef show():\n    ${call}\n`;
  const passed =
    "error app.py:4 system() runs a command that holds what a client sends: this call passes it on to lib/shell.py:4.";

  it.each([
    ["from lib.shell import run", 'run(request.args["x"])', "lib.shell"],
    ["from lib.shell import run as each", 'each(request.args["x"])', "lib.shell"],
    ["from .lib.shell import run", 'run(request.args["x"])', ".lib.shell"],
    ["from lib import shell", 'shell.run(request.args["x"])', "lib.shell"],
    ["from . import shell", 'shell.run(request.args["x"])', ".shell"],
    ["import lib.shell", 'lib.shell.run(request.args["x"])', "lib.shell"],
    ["import lib.shell as sh", 'sh.run(request.args["x"])', "lib.shell"],
  ])("%s", (importing, call, as) => {
    const imports = { "app.py": { [as]: "lib/shell.py" } };
    expect(found({ "app.py": app(importing, call) }, { "lib/shell.py": shell }, imports)).toEqual([passed]);
  });

  it("looks through a package that imports the function", () => {
    const imports = { "app.py": { lib: "lib/__init__.py" }, "lib/__init__.py": { ".shell": "lib/shell.py" } };
    const others = { "lib/__init__.py": "from .shell import run\n", "lib/shell.py": shell };
    expect(
      found({ "app.py": app("from lib import run", 'run(request.args["x"])') }, others, imports),
    ).toEqual([passed]);
  });
});
