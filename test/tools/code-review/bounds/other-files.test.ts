import { describe, expect, it, onTestFinished, vi } from "vitest";
import { review } from "../../../../src/tools/code-review/review.ts";
import { added } from "../cases.ts";

const FILES = 1000;
const CALLED = [1, 2, 3, 4, 5];

/** Files whose functions call each other in circles, and where each import leads. */
function circles() {
  const imports: Record<string, Record<string, string>> = {};
  const texts = Array.from({ length: FILES }, (_, index) => {
    const called = CALLED.map((each) => (index * 7 + each * 13) % FILES);
    imports[`f${index}.ts`] = Object.fromEntries(called.map((other) => [`./f${other}`, `f${other}.ts`]));
    const importing = called.map((other, each) => `import { run as r${each} } from "./f${other}";`);
    const calls = called.map((_, each) => `  r${each}(r${each}(b, a), req.query.x);`);
    const returned = called.map((_, each) => `r${each}(a, b)`).join(" + ");
    return [
      ...['import { exec } from "node:child_process";', ...importing],
      ...[
        "export function run(a, b) {",
        '  exec("ls " + a + r0(a, b));',
        ...calls,
        `  return ${returned};`,
        "}",
      ],
    ].join("\n");
  });
  return { texts, imports };
}

describe("files that call each other in circles", () => {
  const { texts, imports } = circles();

  it("are reviewed, each with its own finding", () => {
    const diff = texts.map((text, index) => added(`f${index}.ts`, text)).join("");
    const { summary } = review({ diff, imports });
    expect(summary.bySeverity.error + summary.bySeverity.warning).toBe(FILES);
    expect(summary.bySeverity.error).toBeGreaterThan(0);
  }, 60_000);

  it("are looked up behind one that is reviewed", () => {
    const files = texts.map((content, index) => ({ path: `f${index}.ts`, content }));
    const { findings } = review({ diff: added("f0.ts", texts[0] as string), files, imports });
    expect(findings.map(({ line }) => line)).toContain(8);
  }, 60_000);

  it("may lead to themselves, to nothing, and by names that objects have", () => {
    const text = 'import { run } from "./a";\nexport function run(x) {\n  return run(x, req.query.y);\n}';
    const odd = JSON.parse(
      '{ "a.ts": { "./a": "a.ts", "__proto__": "b.ts", "constructor": "c.ts", "": "" } }',
    );
    expect(review({ diff: added("a.ts", text), imports: odd }).summary.files).toBe(1);
  });
});

describe("long files that all import each other", () => {
  it("are reviewed, each read once for what it hands on", () => {
    const names = Array.from({ length: 200 }, (_, index) => `f${index}`);
    const long = "// what this line says of export and from is no code\n".repeat(300);
    const text = `export function find(id) {\n  db.query("SELECT * FROM t WHERE id = " + id);\n}\n${long}`;
    const imports = Object.fromEntries(
      names.map((name) => {
        const others = names.filter((other) => other !== name);
        return [`${name}.ts`, Object.fromEntries(others.map((other) => [`./${other}`, `${other}.ts`]))];
      }),
    );
    const diff = names.map((name) => added(`${name}.ts`, text)).join("");
    const searching = vi.spyOn(String.prototype, "matchAll");
    onTestFinished(() => searching.mockRestore());
    expect(review({ diff, imports }).findings.map(({ line }) => line)).toEqual(names.map(() => 2));
    const ofWhole = searching.mock.contexts.filter((searched) => String(searched).endsWith(long));
    expect(ofWhole.length).toBeLessThanOrEqual(2 * names.length);
  }, 60_000);
});
