import { execFile } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { mkdtemp, writeFile } from "node:fs/promises";
import { dirname, join, relative, resolve, sep } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { describe, expect, it } from "vitest";
import { packageRoot } from "../../src/system/package.ts";
import { compile } from "./compile.ts";
import { installedPackage } from "./installed.ts";

const run = promisify(execFile);
const EXPORTS = ["toolplane", "toolplane/store", "toolplane/testing"];
const MEGABYTE = 1_000_000;
/** Allocation unit of file systems in bytes. */
const BLOCK = 4096;

/** Matches `[text](path)`, without external addresses. */
const LINK = /\]\((?!\w+:)([^)#]+)[^)]*\)/g;
/** Pages whose examples name files of their readers. */
const GENERATED = ["docs/api.md", "docs/cli.md", "docs/code-review-rules.md"];
/** Matches a path in a page. */
const PATH = /`((?:src|test|dist|docs|bin|scripts|bench)\/[\w./-]*)`/g;

describe("the published package", () => {
  it("depends only on zod, and takes less than 20 MB of disk together with zod", async () => {
    const { directory, files } = await installedPackage();
    const manifest = JSON.parse(readFileSync(join(directory, "package.json"), "utf8"));
    expect(Object.keys(manifest.dependencies)).toEqual(["zod"]);
    const zod = join(packageRoot, "node_modules/zod");
    const installed = [...files.map((file) => join(directory, file)), ...filesOf(zod)];
    const directories = new Set(installed.map((file) => dirname(file)));
    const blocks = installed.map((file) => Math.ceil(statSync(file).size / BLOCK));
    expect(blocks.reduce((sum, each) => sum + each, directories.size) * BLOCK).toBeLessThan(20 * MEGABYTE);
  });

  it("is the same when it is built again from the same sources", async () => {
    const { directory, files } = await installedPackage();
    const code = files.filter((file) => /^dist\/.*\.c?js$/.test(file)).sort();
    await run(process.execPath, [join(packageRoot, "scripts/build.js"), "--without-types"]);
    const again = filesOf(join(packageRoot, "dist")).filter((file) => /\.c?js$/.test(file));
    expect(again.map((file) => relative(packageRoot, file).split(sep).join("/")).sort()).toEqual(code);
    for (const file of code) {
      const [built, rebuilt] = [directory, packageRoot].map((root) => readFileSync(join(root, file)));
      expect([file, rebuilt?.equals(built as Buffer)]).toEqual([file, true]);
    }
  });

  it("imports only vitest and fast-check, for the test suite", async () => {
    const { directory, files } = await installedPackage();
    const imported = files
      .filter((file) => /\.c?js$/.test(file) && !file.startsWith("dist/docs/"))
      .flatMap((file) =>
        [
          ...readFileSync(join(directory, file), "utf8").matchAll(
            /(?:^|[;}])(?:import|export)\b[^;"'`]*?"([^".][^"]*)"/g,
          ),
        ].map(([, name = ""]) => name.split("/", 1)[0] as string),
      )
      .filter((name) => !isBuiltIn(name) && !name.includes(" "));
    expect(new Set(imported)).toEqual(new Set(["vitest", "fast-check"]));
  });

  it("contains every file that its pages link to", async () => {
    const { directory, files } = await installedPackage();
    const pages = files.filter((file) => file.endsWith(".md"));
    expect(pages).toEqual(
      expect.arrayContaining(["README.md", "CHANGELOG.md", "docs/extending.md", "docs/operations.md"]),
    );
    const dead = pages.flatMap((page) =>
      [...readFileSync(join(directory, page), "utf8").matchAll(LINK)]
        .map(([, path = ""]) => path)
        .filter((path) => !existsSync(resolve(directory, dirname(page), path)))
        .map((path) => `${page}: ${path}`),
    );
    expect(dead).toEqual([]);
  });

  it("names only paths of the package or the repository in its pages", async () => {
    const { directory, files } = await installedPackage();
    const pages = files.filter((file) => file.endsWith(".md") && !GENERATED.includes(file));
    const named = await pathsIn(pages);
    expect(named.length).toBeGreaterThan(20);
    const exists = (path: string) =>
      [directory, packageRoot].some((root) =>
        [path, `${path}.ts`, `test/${path}.test.ts`].some((each) => existsSync(join(root, each))),
      );
    expect(named.filter(({ path }) => !exists(path))).toEqual([]);
  });

  it("names only packaged files and tests in the pages for operators", async () => {
    const { directory, files } = await installedPackage();
    const tools = files.filter((file) => /^docs\/tools\b/.test(file));
    const pages = ["README.md", "docs/operations.md", "docs/extending.md", ...tools];
    const named = (await pathsIn(pages)).filter(({ path }) => !path.startsWith("test/"));
    expect(named.filter(({ path }) => !existsSync(join(directory, path)))).toEqual([]);
  });

  it("prints an error that nobody caught on one screen, although its modules are minified", async () => {
    const { root } = await installedPackage();
    const program =
      'import("toolplane").then(({ createServer }) => createServer({ catalogue: "nowhere.json" }));';
    const failed = await run(process.execPath, ["--eval", program], { cwd: root }).catch((error) => error);
    expect(failed.stderr).toContain("The plans file nowhere.json cannot be used");
    expect(failed.stderr.length).toBeLessThan(4000);
  });

  it("says how to leave it out of a bundle, which lacks the files beside it", async () => {
    const { root } = await installedPackage();
    const folder = await mkdtemp(join(root, "bundled-"));
    await writeFile(join(folder, "package.json"), '{"name":"shop","type":"module"}');
    const contents = 'import { createServer } from "toolplane"; await createServer();';
    const bundle = (external: string[]) =>
      build({
        stdin: { contents, resolveDir: folder },
        outfile: join(folder, "server.js"),
        bundle: true,
        platform: "node",
        format: "esm",
        external,
        logLevel: "silent",
      });
    const start = () =>
      run(process.execPath, ["--eval", 'import("./server.js").then(() => process.exit())'], { cwd: folder });
    await bundle([]);
    await expect(start()).rejects.toMatchObject({
      stderr: expect.stringContaining("toolplane was bundled into shop"),
    });
    await bundle(["toolplane"]);
    await start();
  });

  it("contains the licences of bundled packages", async () => {
    const { directory } = await installedPackage();
    const text = readFileSync(join(directory, "dist/LICENCES.txt"), "utf8");
    for (const name of ["express", "react", "commander", "gpt-tokenizer", "jose", "pg", "zod"]) {
      expect(text).toMatch(new RegExp(`^${name} \\d+[.]\\d+[.]\\d+ [(]`, "m"));
    }
    for (const name of ["express", "react", "commander"]) {
      const licence = readFileSync(join(packageRoot, "node_modules", name, "LICENSE"), "utf8");
      const copyright = licence.split("\n").filter((line) => /^\(?c/i.test(line));
      expect(copyright).not.toEqual([]);
      for (const line of copyright) expect(text).toContain(line.trim());
    }
  });

  it("passes publint", async () => {
    const { directory } = await installedPackage();
    const { messages, pkg } = await publint({ pkgDir: directory, pack: false, strict: true });
    expect(messages.map((message) => formatMessage(message, pkg, { color: false }))).toEqual([]);
  });

  it("passes attw", async () => {
    const { tarball } = await installedPackage();
    const attw = join(packageRoot, "node_modules/@arethetypeswrong/cli/dist/index.js");
    // Rejects with the output if there are findings.
    await run(process.execPath, [attw, tarball, "--profile", "esm-only", "--format", "ascii", "--no-emoji"]);
  });
});

describe("the declarations of the package", () => {
  it("compile under `strict`, libraries included, with the types of zod and Node only", async () => {
    const { root } = await installedPackage();
    const folder = await mkdtemp(join(root, "types-"));
    const names = EXPORTS.map((name, index) => `import * as export${index} from "${name}";`);
    const uses = EXPORTS.map((_, index) => `export const use${index}: object = export${index};`);
    await writeFile(join(folder, "index.ts"), [...names, ...uses].join("\n"));
    expect(await compile(folder, ["index.ts"])).toBe("");
  });

  it("take options that may be undefined, as TypeScript's own defaults distinguish them from absent ones", async () => {
    const { root } = await installedPackage();
    const folder = await mkdtemp(join(root, "types-"));
    await writeFile(
      join(folder, "index.ts"),
      `import { collection, createServer, GLOBAL, Problem, type Projections, Reply, type Store } from "toolplane";
      import { createTestServer } from "toolplane/testing";
      const { PLAN: plan, OWNER: apiKey, DATA: store, CURSOR: after, HOST: host, ISSUER: issuer } = process.env;
      const port = process.env["PORT"] === undefined ? undefined : Number(process.env["PORT"]);
      const [headers, signal, projectId]: [Record<string, string>?, AbortSignal?, string?] = [];
      export const notes = collection<{ text: string }>("notes");
      export const list = (from: Store) => from.transact((tx) => tx.list(notes, GLOBAL, { limit: 20, after }));
      export const server = createServer({ plan, store, owner: { email: "owner@localhost", apiKey } });
      export const provided = createServer({
        providers: [{ name: "work", issuer, clientId: "a", clientSecret: "b" }],
        trustProxy: 1,
      });
      export const listening = server.then((each) => each.listen({ host, port, allowRemote: undefined }));
      export const answers = [new Reply({}, { status: undefined, headers }), new Problem("conflict", "", { headers })];
      export const index = (from: Projections) =>
        from.ask({ name: "notes", collections: [notes] }, GLOBAL, "all", {}, { signal });
      export const key = createTestServer().then((each) => each.key(["read"], { projectId }));
      export const tested = createTestServer({ plan }).then(({ request }) => request("GET", "/", { key: apiKey }));`,
    );
    expect(await compile(folder, ["index.ts"])).toBe("");
  });

  it.each(["index", "store", "testing"])("are one self-contained file per export: %s", async (name) => {
    const { directory, files } = await installedPackage();
    expect(files.filter((file) => file.endsWith(".d.ts")).sort()).toEqual([
      "dist/index.d.ts",
      "dist/store.d.ts",
      "dist/testing.d.ts",
    ]);
    const text = readFileSync(join(directory, `dist/${name}.d.ts`), "utf8");
    const imported = [...text.matchAll(/\bfrom ['"]([^'"]+)['"]|\bimport\(['"]([^'"]+)['"]\)/g)];
    expect(
      imported.map(([, from, named]) => from ?? named).filter((from) => !/^(zod|node:\w+)$/.test(from ?? "")),
    ).toEqual([]);
    // Declarations of other modules would leak into every program that compiles with these.
    expect(text).not.toMatch(/declare (module|global)\b/);
  });
});

function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

async function pathsIn(pages: readonly string[]): Promise<{ page: string; path: string }[]> {
  const { directory } = await installedPackage();
  return pages.flatMap((page) =>
    [...readFileSync(join(directory, page), "utf8").matchAll(PATH)].map(([, path = ""]) => ({ page, path })),
  );
}

function isBuiltIn(name: string): boolean {
  return name.startsWith("node:") || process.getBuiltinModule?.(name) !== undefined;
}
