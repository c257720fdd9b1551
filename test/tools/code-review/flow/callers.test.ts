import { describe, expect, it } from "vitest";
import { review } from "../../../../src/tools/code-review/review.ts";

type Files = Record<string, string>;

const REPOSITORY = 'export function find(id) {\n  return db.query("SELECT a FROM b WHERE id = " + id);\n}';
const SERVICE = 'import { find } from "./repository";\nexport function load(id) {\n  return find(id);\n}';
const ROUTE = 'import { load } from "./service";\napp.get("/", (req, res) => {\n  load(req.query.id);\n});';

/** Returns the diff that changes some lines of a file. */
function changed(path: string, text: string, added: readonly number[]): string {
  const lines = text
    .split("\n")
    .map((line, index) => (added.includes(index + 1) ? `-\n+${line}` : ` ${line}`));
  const count = text.split("\n").length;
  return `--- a/${path}\n+++ b/${path}\n@@ -1,${count} +1,${count} @@\n${lines.join("\n")}\n`;
}

/** Returns what is found when lines of some files change. Every import of `./x` leads to `x.ts`. */
function found(files: Files, lines: Record<string, readonly number[]>): string[] {
  const imports = Object.entries(files).map(([path, text]) => {
    const modules = [...text.matchAll(/from "(\.\/(\w+))"/g)];
    return [path, Object.fromEntries(modules.map(([, as, name]) => [as, `${name}.ts`]))];
  });
  const { findings } = review({
    diff: Object.entries(lines)
      .map(([path, added]) => changed(path, files[path] as string, added))
      .join(""),
    files: Object.entries(files).map(([path, content]) => ({ path, content })),
    imports: Object.fromEntries(imports),
  });
  return findings.map(({ severity, file, line, message }) => {
    const more = /client sends: (.*)$/.exec(message)?.[1] ?? "";
    return `${severity} ${file}:${line} ${more}`.trim();
  });
}

describe("a flow through three files", () => {
  const files = { "repository.ts": REPOSITORY, "service.ts": SERVICE, "route.ts": ROUTE };
  const between =
    "error service.ts:3 route.ts:3 gives it to this call, which passes it on to repository.ts:2.";

  it("is reported at the line of it that is added, the first of several", () => {
    expect(found(files, { "route.ts": [3] })).toEqual([
      "error route.ts:3 this call passes it on to repository.ts:2.",
    ]);
    expect(found(files, { "service.ts": [3] })).toEqual([between]);
    expect(found(files, { "service.ts": [3], "route.ts": [3] })).toEqual([
      "error route.ts:3 this call passes it on to repository.ts:2.",
    ]);
  });

  it("is reported at the flaw if that is added, and says where what a client sends comes in", () => {
    expect(found(files, { "repository.ts": [2] })).toEqual([
      "error repository.ts:2 route.ts:3 passes it on.",
    ]);
    expect(found(files, { "repository.ts": [2], "service.ts": [3] })).toEqual([
      "error repository.ts:2 route.ts:3 passes it on.",
    ]);
  });

  it("is not reported at a line that has no part in it", () => {
    expect(found(files, { "service.ts": [2] })).toEqual([]);
    expect(found(files, { "route.ts": [2] })).toEqual([]);
  });

  it("is not reported where a call on it converts the value, or a reason is given", () => {
    const converted = { ...files, "route.ts": ROUTE.replace("req.query.id", "Number(req.query.id)") };
    expect(found(converted, { "service.ts": [3] })).toEqual([]);
    const reason = "  // tool-ignore sql-injection: a number\n  return";
    const ignored = { ...files, "service.ts": SERVICE.replace("  return", reason) };
    expect(found(ignored, { "service.ts": [4] })).toEqual([]);
  });
});

describe("callers by way of a file that hands a function on", () => {
  const caller = (module: string) => ROUTE.replaceAll("load", "find").replace("./service", module);
  const given = (others: Files) =>
    found({ "repository.ts": REPOSITORY, ...others }, { "repository.ts": [2] });
  const error = ["error repository.ts:2 route.ts:3 passes it on."];

  it.each([
    'export * from "./repository";',
    'export { find } from "./repository";',
    'export { other, find } from "./repository"; export { a } from "./a";',
  ])("are found: %s", (api) => {
    expect(given({ "api.ts": api, "route.ts": caller("./api") })).toEqual(error);
    const all = 'export * from "./api";';
    expect(given({ "api.ts": api, "all.ts": all, "route.ts": caller("./all") })).toEqual(error);
  });

  it("are not found where it hands on those of another file", () => {
    const api = 'import "./repository";\nexport { find } from "./other";';
    const other = "export function find(id) {}";
    expect(given({ "api.ts": api, "other.ts": other, "route.ts": caller("./api") })).toEqual([
      "warning repository.ts:2",
    ]);
  });
});

it("finds the caller among more importers than are looked at", () => {
  const importers = Array.from({ length: 300 }, (_, at) => [
    `a${at}.ts`,
    'import { b } from "./repository";',
  ]);
  const route = ROUTE.replaceAll("load", "find").replace("./service", "./repository");
  const files = { ...Object.fromEntries(importers), "repository.ts": REPOSITORY, "route.ts": route };
  expect(found(files, { "repository.ts": [2] })).toEqual(["error repository.ts:2 route.ts:3 passes it on."]);
});
