import { describe, expect, it, onTestFinished, vi } from "vitest";
import { Project } from "../../../../src/tools/code-review/project.ts";
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

/** Returns how often a review asks where an import leads. */
function looks(input: Parameters<typeof review>[0]): number {
  const looking = vi.spyOn(Project.prototype, "importedAs");
  onTestFinished(() => looking.mockRestore());
  review(input);
  return looking.mock.calls.length;
}

const numbered = (count: number, each: (index: number) => string) =>
  Array.from({ length: count }, (_, at) => each(at));
const joining = (name: string) => `${name}(id) { db.query("SELECT * FROM t WHERE id = " + id); }`;

describe("functions that a file with much code imports", () => {
  const called = (text: string, importer: string) => ({
    diff: added("a.ts", text),
    files: [{ path: "b.ts", content: importer }],
    imports: { "b.ts": { "./a": "a.ts" } },
  });

  it("are looked for among its imports once, however many they are", () => {
    const functions = numbered(200, (index) => `export function ${joining(`f${index}`)}`);
    const named = numbered(200, (index) => `f${index}`);
    const others = numbered(1000, (index) => `import i${index} from "z${index}";`);
    const importer = [`import { ${named} } from "./a";`, ...others].join("\n");
    expect(looks(called(functions.join("\n"), importer))).toBeLessThan(10_000);
  });

  it("are looked for among its calls once, however many have their name", () => {
    const classes = numbered(100, (index) => `export class C${index} { ${joining("run")} }`);
    const calls = numbered(500, () => "x.run(y);");
    const importer = ['import { C0 } from "./a";', ...calls].join("\n");
    expect(looks(called(classes.join("\n"), importer))).toBeLessThan(5_000);
  });

  it("are followed to where they are once, however often it calls them", () => {
    const paths = numbered(100, (index) => `f${index}.ts`);
    const files = paths.map((path, at) => ({ path, content: `export * from "./f${at + 1}";` }));
    const imports: Record<string, Record<string, string>> = { "b.ts": { "./a": "a.ts", "./f0": "f0.ts" } };
    for (const [at, path] of paths.entries()) imports[path] = { [`./f${at + 1}`]: `f${at + 1}.ts` };
    const importer = `import { run } from "./f0";\n${"run(req.query.x);\n".repeat(500)}`;
    const input = called(`export function ${joining("run")}`, importer);
    expect(looks({ ...input, files: [...input.files, ...files], imports })).toBeLessThan(5_000);
  });
});

describe("files that hand on what many others export", () => {
  it("are searched once for what each hands on", () => {
    const names = numbered(100, (index) => `p${index}`);
    const leads = Object.fromEntries(names.map((name) => [`./${name}`, `${name}.ts`]));
    const content = numbered(300, (index) => `export * from "./q${index}";`).join("\n");
    const diff = names.map((name) => added(`${name}.ts`, `export function ${joining("find")}`)).join("");
    const asking = vi.spyOn(Map.prototype, "get");
    onTestFinished(() => asking.mockRestore());
    review({ diff, files: [{ path: "b.ts", content }], imports: { "b.ts": leads } });
    const asked = asking.mock.calls.filter(([key]) => /^\.\/q\d+$/.test(String(key)));
    expect(asked.length).toBeLessThan(2_000);
  });
});
