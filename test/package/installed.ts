import { execFile } from "node:child_process";
import { existsSync, readdirSync, statSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { packageRoot } from "../../src/system/package.ts";

const run = promisify(execFile);

/** What whoever builds on the package installs beside it; the rest of this repository's packages is out of reach. */
const BESIDE = [
  "zod",
  "express",
  "fastify",
  "@fastify/middie",
  "vitest",
  "fast-check",
  "@types/node",
  "undici-types",
];

export interface Installed {
  /** Whatever lies below finds the package, and what is beside it. */
  root: string;
  /** Of the package. */
  directory: string;
  tarball: string;
  /** Of the package, as `npm pack` says. */
  files: string[];
}

let installed: Promise<Installed> | undefined;

/** The package as npm publishes it, in a `node_modules` of its own; made once for all tests of a process. */
export function installedPackage(): Promise<Installed> {
  installed ??= install();
  return installed;
}

async function install(): Promise<Installed> {
  await buildTypes();
  const root = await mkdtemp(join(tmpdir(), "toolplane-package-"));
  process.once("exit", () => rm(root, { recursive: true, force: true }));
  const { stdout } = await run(
    "npm",
    ["pack", "--json", "--ignore-scripts", "--silent", "--pack-destination", root],
    { cwd: packageRoot },
  );
  const [{ filename, files }] = JSON.parse(stdout);
  const modules = join(root, "node_modules");
  await mkdir(modules);
  await run("tar", ["-xzf", join(root, filename), "-C", modules]);
  const directory = join(modules, "toolplane");
  await run("mv", [join(modules, "package"), directory]);
  for (const name of BESIDE) {
    await mkdir(dirname(join(modules, name)), { recursive: true });
    await symlink(join(packageRoot, "node_modules", name), join(modules, name));
  }
  return {
    root,
    directory,
    tarball: join(root, filename),
    files: files.map(({ path }: { path: string }) => path),
  };
}

/** Tests are built without the declarations, which nothing else asks for. */
async function buildTypes(): Promise<void> {
  const declared = join(packageRoot, "dist/index.d.ts");
  const newest = Math.max(
    ...["src", "scripts"].flatMap((folder) =>
      readdirSync(join(packageRoot, folder), { recursive: true, encoding: "utf8" }).map(
        (file) => statSync(join(packageRoot, folder, file)).mtimeMs,
      ),
    ),
  );
  if (existsSync(declared) && statSync(declared).mtimeMs > newest) return;
  await run(process.execPath, [join(packageRoot, "scripts/build.js")]);
}

export interface Page {
  /** What it says to write into files, by their names. */
  files: Map<string, string>;
  /** What it says to type. */
  commands: string[];
  /** What it says that comes out. */
  outputs: string[];
}

/** What a page of `docs/` in the package tells its reader to do. */
export async function readPage(name: string): Promise<Page> {
  const { directory } = await installedPackage();
  const text = await readFile(join(directory, "docs", name), "utf8");
  const blocks = (language: string) =>
    [...text.matchAll(new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\`$`, "gm"))].map(([, code = ""]) => code);
  return {
    files: new Map(
      [...text.matchAll(/^`([\w.-]+)`:\n\n```\w+\n([\s\S]*?)^```$/gm)].map(([, file = "", code = ""]) => [
        file,
        code,
      ]),
    ),
    commands: blocks("sh").flatMap((block) => block.trim().split("\n")),
    outputs: blocks("text"),
  };
}
