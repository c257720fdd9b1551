import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { describe, expect, it } from "vitest";

const SOURCE = resolve(import.meta.dirname, "../src");
const files = readdirSync(SOURCE, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
  .map((entry) => relative(SOURCE, join(entry.parentPath, entry.name)));

interface Rule {
  /** A folder, a file, or `tools/*` for each folder in it. */
  of: string;
  named: string[];
  /** Whether the rule allows everything except `named`. */
  isExclusive: boolean;
}

/** Rules of the table in docs/architecture.md. */
const RULES: Rule[] = readFileSync(resolve(SOURCE, "../docs/architecture.md"), "utf8")
  .split("\n")
  .map((line) => line.split("|").map((cell) => cell.trim()))
  .filter((cells) => cells.length === 5 && /^`[^`]+`$/.test(cells[1] as string))
  .map(([, of = "", , imports = ""]) => ({
    of: of.slice(1, -1),
    named: [...imports.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name),
    isExclusive: imports.startsWith("all but"),
  }));

/** Imports that must be of types alone. */
const TYPES_ONLY: [from: string, to: (path: string) => boolean][] = [
  ["client", (to) => to === "api.ts"],
  ["cli", (to) => to === "api.ts" || /\/contract\.ts$/.test(to)],
];

/** Files that may call the outside world, which no other file may. */
const OUTSIDE_WORLD = /^(system\/|cli\/terminal\/io\.ts$)/;
const OUTSIDE_CALLS =
  /\bDate\.now\(|\bnew Date\(\)|\bMath\.random\(|\brandomUUID\(|\bprocess\.env\b|\bconsole\.\w+\(/;

describe("architecture", () => {
  it("has a rule for every folder, and a file for every rule", () => {
    const folders = new Set(files.map((file) => file.split("/")[0]));
    expect([...folders].filter((folder) => !RULES.some(({ of }) => of === folder))).toEqual([]);
    expect(RULES.map(({ of }) => of).filter((of) => !files.some((file) => matches(of, file)))).toEqual([]);
  });

  it.each(files)("%s imports only files that its folder may import", (file) => {
    const folder = file.split("/")[0] as string;
    const rule = ruleOf(file);
    for (const { to, at } of importsOf(file)) {
      if (to === "../package.json") continue;
      expect(mayImport(rule, file, to), `${file} imports ${to}`).toBe(true);
      for (const [from, matches] of TYPES_ONLY) {
        if (folder === from && matches(to)) expect(at, `${file} imports ${to} at run time`).toBe("compile");
      }
    }
  });

  it("imports the store's adapters only in store/open.ts and store/memory.ts", () => {
    const adapterOf = (path: string) => /^store\/(json-file|postgres)\//.exec(path)?.[0];
    const naming = files.filter((file) =>
      importsOf(file).some(({ to }) => adapterOf(to) !== undefined && adapterOf(to) !== adapterOf(file)),
    );
    expect(naming).toEqual(["store/memory.ts", "store/open.ts"]);
  });

  it.each(files.filter((file) => !OUTSIDE_WORLD.test(file)))(
    "%s reaches time, chance, environment and console only through system/",
    (file) => {
      const found = readFileSync(join(SOURCE, file), "utf8")
        .split("\n")
        .filter((line) => OUTSIDE_CALLS.test(line));
      expect(found).toEqual([]);
    },
  );

  it.each(files)("%s has at most 300 lines", (file) => {
    expect(readFileSync(join(SOURCE, file), "utf8").split("\n").length).toBeLessThanOrEqual(301);
  });

  it.each(["src", "test", "bench", "scripts"])("%s has at most 20 files in a folder", (top) => {
    const sizes = new Map<string, number>();
    for (const entry of readdirSync(resolve(SOURCE, "..", top), { recursive: true, withFileTypes: true })) {
      if (entry.isFile()) sizes.set(entry.parentPath, (sizes.get(entry.parentPath) ?? 0) + 1);
    }
    expect([...sizes].filter(([, size]) => size > 20)).toEqual([]);
  });

  it("imports zod as a namespace, so that the bundle leaves out what is not used", () => {
    const named = /^import (?!(?:type )?\* as z ).*"zod"/m;
    expect(files.filter((file) => named.test(readFileSync(join(SOURCE, file), "utf8")))).toEqual([]);
  });

  it("has no circular imports, not even of types", () => {
    const needs = new Map(
      files.map((file) => [file, importsOf(file).flatMap(({ to, at }) => (at === "demand" ? [] : [to]))]),
    );
    // A file that needs none of the rest, or that none of the rest needs, is in no cycle. Removing it may free others.
    for (let before = Number.POSITIVE_INFINITY; needs.size < before; ) {
      before = needs.size;
      const needed = new Set([...needs.values()].flat());
      for (const [file, all] of needs) {
        if (!needed.has(file) || !all.some((to) => needs.has(to))) needs.delete(file);
      }
    }
    expect([...needs.keys()]).toEqual([]);
  });

  it("has no folders or files named util, helper, common, shared or misc", () => {
    expect(files.filter((file) => /(^|\/)(utils?|helpers?|common|shared|misc)(\/|\.)/.test(file))).toEqual(
      [],
    );
  });
});

/** Returns the most specific rule for a file. */
function ruleOf(file: string): Rule {
  const [found] = RULES.filter(({ of }) => matches(of, file)).sort(
    (left, right) => right.of.length - left.of.length,
  );
  if (!found) throw new Error(`docs/architecture.md has no rule for ${file}`);
  return found;
}

function mayImport({ of, named, isExclusive }: Rule, file: string, to: string): boolean {
  // Each folder of `tools/*` counts on its own.
  const own = of.endsWith("/*") ? file.split("/").slice(0, 2).join("/") : of;
  if (matches(own, to)) return true;
  return named.some((name) => matches(name, to)) !== isExclusive;
}

function matches(name: string, path: string): boolean {
  if (name.endsWith("/*")) {
    const [folder, inner] = path.slice(name.length - 1).split("/");
    return path.startsWith(name.slice(0, -1)) && inner !== undefined && folder !== undefined;
  }
  return path === name || path.startsWith(`${name}/`);
}

/** Returns a file's imports. `at` is when each is needed: to compile only, on load, or by `import()` on demand. */
function importsOf(file: string): { to: string; at: "compile" | "load" | "demand" }[] {
  const text = readFileSync(join(SOURCE, file), "utf8");
  const pattern =
    /\b(import|export)\s+(type\s+)?(?:[^'";]*?\bfrom\s+)?["'](\.[^"']+)["']|\bimport\(\s*["'](\.[^"']+)["']/g;
  return [...text.matchAll(pattern)].map((match) => ({
    to: relative(SOURCE, resolve(SOURCE, dirname(file), (match[3] ?? match[4]) as string)),
    at: match[4] !== undefined ? "demand" : match[2] !== undefined ? "compile" : "load",
  }));
}
