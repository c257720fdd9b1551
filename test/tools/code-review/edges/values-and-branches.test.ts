import { describe, expect, it } from "vitest";
import { LEVEL } from "../../../../src/tools/code-review/flow/level.ts";
import { provenanceOf } from "../../../../src/tools/code-review/flow/provenance.ts";
import { looksGenerated } from "../../../../src/tools/code-review/secrets/randomness.ts";
import { sensitivityOf } from "../../../../src/tools/code-review/secrets/sensitivity.ts";
import { fragmentOf } from "../cases.ts";
import { edges } from "../edges.ts";

/** Returns the taint level of the argument of `use(…)`. */
function levelOf(path: string, code: string): string | undefined {
  const fragment = fragmentOf(path, code);
  const [value] = fragment.callsNamed("use")[0]?.args ?? [];
  const level = value && provenanceOf(fragment, "shell").of(value);
  return Object.entries(LEVEL).find(([, own]) => own === level)?.[0];
}

describe("the taint level of a collection member", () => {
  it.each([
    ["const a = [];\na.push('x');\na.push(req.query.b);\nuse(a[0]);", "literal"],
    ["const a = [];\na.push('x');\na.push(req.query.b);\nuse(a[1]);", "request"],
    ["const a = [];\na.push('x');\na.push(req.query.b);\na.shift();\nuse(a[0]);", "request"],
    ["const a = [];\na.push(req.query.b);\na.push('x');\na.shift();\nuse(a[0]);", "literal"],
    ["const a = [];\na.push(req.query.b);\na.push('x');\na.pop();\nuse(a[0]);", "request"],
    ["const a = ['x', req.query.b];\nuse(a[0]);", "literal"],
    ["const a = ['x', req.query.b];\nuse(a[1]);", "request"],
    ["const a = ['x', req.query.b];\nuse(a[i]);", "request"],
    ["const a = ['x', ...req.query.b];\nuse(a[0]);", "request"],
    ["const a = { x: 'y', z: req.query.b };\nuse(a.x);", "literal"],
    ["const a = { x: 'y', z: req.query.b };\nuse(a.z);", "request"],
    ["const a = { x: 'y', z: req.query.b };\nuse(a['x']);", "literal"],
    ["const a = { x: 'y', ...req.query };\nuse(a.x);", "request"],
    ["const a = new Map();\na.set('x', 'y');\na.set('z', req.query.b);\nuse(a.get('x'));", "literal"],
    ["const a = new Map();\na.set('x', 'y');\na.set('z', req.query.b);\nuse(a.get('z'));", "request"],
    ["const a = {};\na['x'] = req.query.b;\na['x'] = 'y';\nuse(a['x']);", "literal"],
    ["const a = {};\na['x'] = req.query.b;\nif (c) a['x'] = 'y';\nuse(a['x']);", "request"],
  ])("%j is %s", (code, level) => expect(levelOf("a.ts", code)).toBe(level));
});

describe("the taint level of a value after branches, loops and calls", () => {
  it.each([
    ["let a = req.query.b;\na = 'x';\nuse(a);", "literal"],
    ["let a = req.query.b;\nif (c) a = 'x';\nuse(a);", "request"],
    ["let a = req.query.b;\nif (c) a = 'x'; else a = 'y';\nuse(a);", "literal"],
    ["let a = req.query.b;\nif (c) { a = 'x'; } else { throw d; }\nuse(a);", "literal"],
    ["let a = 'x';\nif (c) { a = req.query.b; return; }\nuse(a);", "literal"],
    ["let a = 'x';\nif (c) { a = req.query.b; } else { use(a); }", "literal"],
    ["let a = 'x';\nif (false) { a = req.query.b; }\nuse(a);", "literal"],
    ["let a = 'x';\nif (true) { a = req.query.b; }\nuse(a);", "request"],
    ["let a = req.query.b;\nif (true) { a = 'x'; }\nuse(a);", "literal"],
    ["let a = 'x';\nwhile (c) { use(a); a = req.query.b; }", "literal"],
    ["let a = 'x';\nwhile (c) { a = req.query.b; }\nuse(a);", "request"],
    ["let a = 'x';\nswitch (1) { case 1: a = 'y'; break; case 2: a = req.query.b; }\nuse(a);", "literal"],
    ["let a = 'x';\nswitch (2) { case 1: a = 'y'; break; case 2: a = req.query.b; }\nuse(a);", "request"],
    ["let a = 'x';\na += req.query.b;\nuse(a);", "request"],
    ["let a = 'x';\nuse(a);\na = req.query.b;", "literal"],
    ["function f() {\n  use(A);\n}\nconst A = 'x';", "literal"],
    ["const a = c ? 'x' : req.query.b;\nuse(a);", "request"],
    ["const a = true ? 'x' : req.query.b;\nuse(a);", "literal"],
    ["const a = 'x' || req.query.b;\nuse(a);", "request"],
    ["const a = req.query.b ? 'x' : 'y';\nuse(a);", "literal"],
    ["const a = `x ${req.query.b}`;\nuse(a);", "request"],
    ["const a = req.query.b.length;\nuse(a);", "literal"],
    ["const { b } = req.query;\nuse(b);", "request"],
    ["const f = (x) => x;\nuse(f(req.query.b));", "request"],
    ["function f(x) { return 'y'; }\nuse(f(req.query.b));", "literal"],
    ["function f(x) { return x; }\nuse(f('y'));", "literal"],
  ])("%j is %s", (code, level) => expect(levelOf("a.ts", code)).toBe(level));
});

describe("names and generated values", () => {
  it.each([
    ["someKey", "key"],
    ["monkeyHouse", undefined],
    ["someMonkey", undefined],
    ["someKeyring", undefined],
    ["myKeys", "key"],
    ["myCredential", "secret"],
    ["somesignature", undefined],
    ["someSignature", "key"],
    ["auth", undefined],
  ])("sensitivityOf(%s) is %s", (name, expected) => expect(sensitivityOf(name)).toBe(expected));

  it("looksGenerated() needs two digits among hexadecimal letters", () => {
    expect(looksGenerated("abcdef1fedcba2bd", 12)).toBe(true);
    expect(looksGenerated("abcdef1fedcbaebd", 12)).toBe(false);
  });
});

edges("command-injection", "a.ts", [
  ["function f(a) { spawn('bash', ['-c', a]); }", "1"],
  ["function f(a) { spawn('ls', ['-c', a]); }"],
  ["function f(a) { spawn('ls', [a], { shell: true }); }", "1"],
  ["function f(a) { spawn('ls', [a], { shell: false }); }"],
  ["function f(a) { spawn('ls', [a], { shell }); }"],
  ["function f(a) { spawn('git', ['clone', a]); }", "1"],
  ["function f(a) { spawn('git', ['clone', '--', a]); }"],
  ["function f(a) { spawn('git', ['log', a]); }"],
  ["function f(a) { spawn('git', ['fetch', a]); }", "1"],
  ["spawn('ls', ['-l'], { shell: true });", "1"],
]);
edges("command-injection", "a.py", [
  ["def f(a):\n    subprocess.run(['sh', '-c', a])", "2"],
  ["def f(a):\n    subprocess.run(['ls', a])"],
  ["def f(a):\n    subprocess.run('ls ' + a, shell=True)", "2"],
  ["def f(a):\n    subprocess.run('ls', shell=True)"],
  ["def f(a):\n    os.spawnl(os.P_WAIT, a)", "2"],
  ["def f(a):\n    os.spawnl(os.P_WAIT, '/bin/ls', a)"],
]);
edges("command-injection", "a.rb", [
  ['def f(a)\n  system("ls #{a}")\nend', "2"],
  ["def f(a)\n  system('ls', a)\nend"],
  ["def f(a)\n  system('ls')\nend"],
  ["def f(a)\n  `ls #{a}`\nend", "2"],
  ["def f(a)\n  `ls`\nend"],
]);
edges("command-injection", "A.cs", [
  ['void F(string a) { Process.Start("cmd", "/c " + a); }', "1"],
  ['void F(string a) { Process.Start("ls", a); }'],
  ['void F(string a) { info.Arguments = "/c " + a; }', "1"],
  ["void F(string a) { info.Arguments = a; }"],
  ["void F(string a) { file.FileName = a; }"],
]);
