import { describe, expect, it } from "vitest";
import { review } from "../../../../src/tools/code-review/review.ts";
import { added } from "../cases.ts";

const LENGTH = 32 * 1024;
const MiB = 1 << 20;

function repeated(piece: string, length = LENGTH): string {
  return piece.repeat(length / piece.length);
}

/** Returns brackets that are nested through the whole text. */
function nested(open: string, close: string): string {
  const depth = LENGTH / (open.length + close.length);
  return open.repeat(depth) + close.repeat(depth);
}

describe("a very long or deeply nested file", () => {
  // Texts that take quadratic time or more in a naive implementation: minutes to hours at this length.
  it.each([
    ["a.ts", repeated("a(")],
    ["a.ts", repeated("a.b().")],
    [
      "a.ts",
      `const B=z.object({${repeated("a:z.string(),")}});${repeated("eval(B.parse(b).a);", 4 * LENGTH)}`,
    ],
    ["a.ts", `const B=z.union([${repeated("z.number(),")}]);${repeated("eval(B.parse(b));", 4 * LENGTH)}`],
    ["a.ts", `${repeated("b=z.object(c).parse(b);")}${repeated("eval(b.a);")}`],
    ["a.ts", `${repeated("const B=z.object({a:B}).extend({b:B});")}eval(B.parse(b).a.b.a.b)`],
    ["a.ts", `z.object(${nested("z.array(", ")")}).parse(a)`],
    [
      "a.py",
      `class B(BaseModel):\n${repeated("  a: str\n")}def f(b: B):\n${repeated("  eval(b.a)\n", 4 * LENGTH)}`,
    ],
    ["a.py", `${repeated("class B(BaseModel):\n  a: str\n")}def f(b: B):\n${repeated("  eval(b.a)\n")}`],
    ["a.ts", repeated("a.innerHTML=b+")],
    ["a.ts", repeated("el.innerHTML=`<a href=${")],
    ["a.ts", repeated("function f(a){eval(a);")],
    ["a.ts", repeated("it.skip('a',()=>{")],
    ["a.ts", repeated("/**/")],
    ["a.ts", `${repeated("switch(a){b;", MiB)}eval(c);`],
    ["a.ts", repeated("/\\", MiB)],
    ["a.ts", repeated("checkServerIdentity:()=>{},")],
    ["a.ts", nested("for(", ")")],
    ["a.ts", nested("eval(", ")")],
    ["a.ts", `eval(${repeated("a.b().")}c)`],
    ["a.tsx", `function f(a){${repeated('createElement("a",{href:a});')}}`],
    ["a.ts", `${repeated("function w(a){}")}${repeated("eval(a);")}`],
    ["a.py", repeated("def f(a): ")],
    ["a.py", repeated("h = hashlib.md5(a);")],
    ["a.rb", repeated("system x do |y| ")],
    ["a.rb", repeated("a b c d ")],
    ["a.php", `<?php ${repeated("echo ")}`],
    ["a.rs", repeated("fn f(a: B) { x!( ")],
    ["a.sh", repeated("cat <<A\n")],
    ["a.ts", repeated("if(a){x=b;eval(x)}")],
    ["a.ts", `switch(a){${repeated("case 'b':x=c;break;")}}eval(x)`],
    ["a.ts", `switch(a){${repeated("case 1:x=c;break;", 2 * MiB)}}eval(x)`],
    ["a.ts", `switch(a){${repeated("case 'b':x=c;break;", MiB)}${repeated("default:return;", MiB)}}eval(x)`],
    ["a.ts", `eval(${repeated("a?b:")}c)`],
    ["a.ts", `eval(${repeated("a&&")}c)`],
    ["a.py", `${repeated("a=b+b\nb=a+a\n")}if a>3: eval(a)`],
    ["a.py", `l=[]\n${repeated("l.append(x)\n")}${repeated("eval(l[0])\n")}`],
    ["a.py", `${repeated("if x not in A: exit()\n")}${repeated("eval(x)\n")}`],
    ["a.py", `def f(${repeated("a,")}b):\n eval(b)\nf(${repeated("c,")}d)`],
    ["a.py", `def f(x): return f(x)\n${repeated("eval(f(a))\n")}`],
    ["a.go", repeated("if x := f(); x { y = z } else if z { y = a }; exec.Command(y); ")],
    ["a.rb", repeated("x = y if z; system(x)\n")],
    ["a.py", `class A:\n${repeated(" a = b\n", MiB / 4)} def f(self):\n  eval(a)`],
    [
      "a.java",
      `ZipEntry e = z.next(); String n = e.getName();${repeated("n=n+f(n);new File(d,n);", MiB / 8)}`,
    ],
    ["a.py", repeated("class A:\n def f(self):\n  self.path = x\n  open(self.path)\n", MiB)],
    [
      "a.js",
      `const hmac = [${repeated("a + b,\n", MiB / 8)}];\n${repeated("if (hmac == y) f();\n", MiB / 2)}`,
    ],
    [
      "a.js",
      `function hmac(a) {\n${repeated("if (a) return b;\n", MiB / 8)}}\n${repeated("if (hmac(y) == y) f();\n", MiB / 2)}`,
    ],
    ["a.js", `function f() {\n${repeated('createDecipheriv("aes-256-gcm", k, i);\n', MiB / 2)}}`],
    ["a.js", `function f() {\n${repeated('createDecipheriv("aes-256-gcm", k, i);\n', MiB / 2)}d.final();}`],
    [
      "a.py",
      `import jwt\no = {${repeated('"a": 1,\n', MiB / 4)}}\n${repeated("jwt.decode(t, options=o)\n", MiB / 2)}`,
    ],
    [
      "a.js",
      `const iv = f(${repeated("a + b,\n", MiB / 4)});\n${repeated("createCipheriv(a, b, iv);\n", MiB / 2)}`,
    ],
    ["a.js", repeated("token += Math.random() < 0.5;", MiB)],
    ["a.test.js", repeated("it.skip('a', () => {});", MiB)],
    ["a.ts", repeated("try { a(); } catch (e) {}\n// ab\n", MiB)],
    ["a.ts", `${repeated("for ", MiB / 4)}eval(a)`],
    ["a.ts", `${repeated("[", MiB)}f(a) { eval(a); }`],
    ["a.ts", `execFile("sh", [${repeated("a,", MiB / 2)}]);`],
    ["a.py", `subprocess.run(${repeated("a,", MiB / 2)} shell=True)`],
    ["a.py", repeated("except ", MiB / 4)],
    ["a.ts", repeated("ssl ", MiB)],
    ["a.ts", repeated("sign();", 2 * MiB)],
    ["a.ts", `for (${repeated("a ", MiB / 2)}of b) eval(a)`],
    ["a.ts", repeated('f();g("md5");\n', MiB)],
    ["a.py", `${repeated(") def f(a): b\n", MiB)}eval(a)`],
    [
      "a.rs",
      `${repeated("#[cfg(test)]\n", MiB / 4)}${repeated('let secret = "Zq8R1tY4uI7oP0aS";\n', MiB / 4)}`,
    ],
    ["a.rs", `${repeated("#[cfg(test\n")}${repeated('let secret = "Zq8R1tY4uI7oP0aS";\n')}`],
    ["a.go", `${repeated("range zip\n", MiB / 4)}${repeated("filepath.Join(d, g.Name)\n", MiB / 4)}`],
    [
      "a.py",
      `def f():\n${repeated(" z.extract(n)\n", MiB / 4)}${repeated(" for n in z.namelist(): os.path.join(d, n)\n", MiB / 4)}`,
    ],
    ["a.php", `<?php ${repeated("<<<A ", 2 * MiB)}`],
    ["a.php", repeated("<?php //?>", 3 * MiB)],
    [
      "a.txt",
      Array.from(
        { length: 20_000 },
        (_, index) => `ghp_16C7e42F292c6912E7710c838347Ae1${10_000 + index}`,
      ).join(" "),
    ],
  ])(
    "is reviewed to its end: %s %.40s",
    (path, text) => {
      const { summary, findings } = review({
        diff: added(path, `${text}\n\nghp_${"16C7e42F292c6912E7710c838347Ae178B4a"}`),
      });
      expect(summary.skipped).toEqual([]);
      expect(findings.map(({ rule }) => rule)).toContain("hardcoded-secret");
    },
    30_000,
  );

  it("is skipped with a reason if a hunk exceeds 4 MiB, while other files are reviewed", () => {
    const large = added("large.ts", repeated("a=(", 4 * MiB + 3));
    const { findings, summary } = review({ diff: large + added("small.ts", "eval(input);") });
    expect(summary.skipped).toEqual([{ file: "large.ts", reason: "a hunk of more than 4 MiB" }]);
    expect(findings.map(({ file, rule }) => [file, rule])).toEqual([["small.ts", "code-evaluation"]]);
  });
});

describe("a tainted value in long or nested code", () => {
  const found = (text: string, path = "a.ts") =>
    review({ diff: added(path, text) }).findings.map(({ rule, line }) => [rule, line]);

  it("is followed through 100 nested brackets", () => {
    const text = `function f(req) {\n  const name = ${"(".repeat(100)}req.query.name${")".repeat(100)};\n  exec("ls " + name);\n}`;
    expect(found(text)).toEqual([["command-injection", 3]]);
  });

  it("is followed through a concatenation of 100 strings", () => {
    const text = `function f(req) {\n  exec("ls " + ${repeated('"a" + ', 600)}req.query.name);\n}`;
    expect(found(text)).toEqual([["command-injection", 2]]);
  });

  it("is followed through 20 nested functions", () => {
    const inner = "eval(req.query.code);";
    const text = Array.from({ length: 20 }).reduce<string>(
      (body, _, depth) => `function f${depth}() { ${body} }`,
      inner,
    );
    expect(found(`function outer(req) {\n${text}\n}`)).toEqual([["code-evaluation", 2]]);
  });

  it("is followed along a chain of 30 calls", () => {
    const chain = Array.from({ length: 30 }, (_, index) => `\n  .where(${index})`).join("");
    expect(found(`knex("t")${chain}\n  .whereRaw("a = " + req.query.a);`)).toEqual([["sql-injection", 1]]);
  });
});
