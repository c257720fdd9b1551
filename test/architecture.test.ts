import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { describe, expect, it } from "vitest";

const SOURCE = resolve(import.meta.dirname, "../src");
const files = readdirSync(SOURCE, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
  .map((entry) => relative(SOURCE, join(entry.parentPath, entry.name)));

/** What each folder may import beside itself and libraries: docs/architecture.md has the reasons. */
const MAY_IMPORT: Record<string, (to: string, file: string) => boolean> = {
  system: () => false,
  contract: () => false,
  text: () => false,
  store: (to) => within(to, "system"),
  accounts: (to) => within(to, "contract", "system") || isPort(to),
  oauth: (to) => within(to, "contract", "system", "accounts") || isPort(to),
  metering: (to) => within(to, "contract", "system", "accounts") || isPort(to),
  tools: (to, file) =>
    within(to, "contract", "system", "text") ||
    isPort(to) ||
    within(to, toolOf(file)) ||
    to === "tools/define-tool.ts" ||
    gathers(file),
  "api.ts": (to) => /\/contract\.ts$/.test(to) || within(to, "contract") || to === "tools/index.ts",
  client: (to) => within(to, "contract", "system") || to === "api.ts",
  mcp: (to) => within(to, "contract", "client", "system") || to === "api.ts",
  cli: (to, file) =>
    within(to, "contract", "client", "mcp", "system") ||
    to === "api.ts" ||
    (within(to, "server", "store") && /^cli\/server\//.test(file)),
  server: (to) => !within(to, "client", "cli"),
  web: (to) => !within(to, "client", "cli"),
  "index.ts": (to) => within(to, "contract", "server") || to === "api.ts",
};

/** Folders whose imports of a module are for its types alone. */
const TYPES_ONLY: [from: string, to: (path: string) => boolean][] = [
  ["client", (to) => to === "api.ts"],
  ["cli", (to) => to === "api.ts" || /\/contract\.ts$/.test(to)],
];

/** Files whose purpose is to touch what nobody else may. */
const OUTSIDE_WORLD = /^(system\/|cli\/terminal\/io\.ts$)/;
const OUTSIDE_CALLS =
  /\bDate\.now\(|\bnew Date\(\)|\bMath\.random\(|\brandomUUID\(|\bprocess\.env\b|\bconsole\.\w+\(/;

describe("architecture", () => {
  it.each(files)("%s imports only what its folder may", (file) => {
    const folder = file.split("/")[0] as string;
    const rule = MAY_IMPORT[folder];
    expect(rule, `no rule for ${folder}`).toBeDefined();
    for (const { to, typeOnly } of importsOf(file)) {
      if (to.split("/")[0] === folder && folder !== "tools") continue;
      if (to === "../package.json") continue;
      expect(rule?.(to, file), `${file} imports ${to}`).toBe(true);
      for (const [from, matches] of TYPES_ONLY) {
        if (folder === from && matches(to)) expect(typeOnly, `${file} imports ${to} at run time`).toBe(true);
      }
    }
  });

  it("names the store's adapters in open.ts alone", () => {
    const naming = files.filter((file) =>
      importsOf(file).some(
        ({ to }) => /^store\/(json-file|postgres)\//.test(to) && dirname(to) !== dirname(file),
      ),
    );
    expect(naming).toEqual(["store/open.ts"]);
  });

  it.each(files.filter((file) => !OUTSIDE_WORLD.test(file)))(
    "%s leaves the outside world to system/",
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

  it("has no folder for odds and ends", () => {
    expect(files.filter((file) => /(^|\/)(utils?|helpers?|common|shared|misc)(\/|\.)/.test(file))).toEqual(
      [],
    );
  });
});

function within(path: string, ...folders: string[]): boolean {
  return folders.some((folder) => path === folder || path.startsWith(`${folder}/`));
}

/** The port and what is built on it, not the adapters. */
function isPort(path: string): boolean {
  return ["store/store.ts", "store/projection.ts", "store/sorted-strings.ts"].includes(path);
}

/** What lies beside the tools names all of them. */
function gathers(file: string): boolean {
  return /^tools\/[^/]+\.ts$/.test(file);
}

function toolOf(file: string): string {
  return file.split("/").slice(0, 2).join("/");
}

function importsOf(file: string): { to: string; typeOnly: boolean }[] {
  const text = readFileSync(join(SOURCE, file), "utf8");
  const pattern =
    /\b(import|export)\s+(type\s+)?(?:[^'";]*?\bfrom\s+)?["'](\.[^"']+)["']|\bimport\(\s*["'](\.[^"']+)["']/g;
  return [...text.matchAll(pattern)].map((match) => ({
    to: relative(SOURCE, resolve(SOURCE, dirname(file), (match[3] ?? match[4]) as string)),
    typeOnly: match[2] !== undefined,
  }));
}
