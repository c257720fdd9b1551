import { execFile } from "node:child_process";
import { existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { mkdir, mkdtemp, readFile, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { packageRoot } from "../../src/system/package.ts";

const run = promisify(execFile);

/** Packages that users of the package install beside it. This repository's others are not available. */
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
  /** Folder below which programs find the package and those in `BESIDE`. */
  root: string;
  /** Folder of the package. */
  directory: string;
  tarball: string;
  /** Files of the package as listed by `npm pack`. */
  files: string[];
}

let installed: Promise<Installed> | undefined;

/** Installs the package as npm publishes it in a new `node_modules`, once for all tests of a process. */
export function installedPackage(): Promise<Installed> {
  installed ??= install();
  return installed;
}

async function install(): Promise<Installed> {
  await buildTypes();
  const root = await mkdtemp(join(tmpdir(), "toolplane-package-"));
  process.once("exit", () => rmSync(root, { recursive: true, force: true }));
  // Vitest ends its workers by a signal, which is no exit by itself.
  process.once("SIGTERM", () => process.exit());
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

/** Builds the declarations if they are outdated: the build before tests leaves them out. */
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
  /** Contents of the files that the page tells its reader to write, by name. */
  files: Map<string, string>;
  /** Commands of the page. */
  commands: string[];
  /** Expected outputs of the page. */
  outputs: string[];
}

/** Reads the instructions of a page of `docs/` in the package. */
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
