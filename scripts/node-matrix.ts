/**
 * `npm run matrix [-- <test file>…]`: runs the demo and some tests with every supported Node. Each is fetched from npm
 * (`node-<platform>-<arch>`, as the package `node` does) and cached below node_modules. `NODES=22,24` names others.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";

const ROOT = resolve(import.meta.dirname, "..");
const CACHE = join(ROOT, "node_modules/.cache/nodes");
const MAJORS = (process.env.NODES ?? "20,22,24,26").split(",");
/** Tests that depend on Node most: start-up, signals, files, sockets, compiled code, threads. */
const TESTS = [
  "test/cli/compiled",
  "test/cli/usage/track",
  "test/client",
  "test/store/json-file",
  "test/system",
];
const LINES_SHOWN = 40;

const given = process.argv.slice(2);
const rows = MAJORS.map((major) => {
  const node = nodeOf(major);
  const version = node && run(node, ["--version"]).output.trim();
  if (!node || !version) return { major, version: "cannot be fetched", demo: false, tests: false };
  const demo = tried(version, "the demo", run(node, ["bin/tool.js", "demo"]));
  const files = given.length > 0 ? given : TESTS;
  const tests = ["test", "long"].every((mode) => {
    const words = ["node_modules/vitest/vitest.mjs", "run", "--passWithNoTests", "--mode", mode, ...files];
    return tried(version, mode === "long" ? "the long tests" : "the tests", run(node, words));
  });
  return { major, version, demo, tests };
});
for (const { major, version, demo, tests } of rows) {
  console.log(`Node ${major.padEnd(3)} ${version.padEnd(18)} demo ${word(demo)}   tests ${word(tests)}`);
}
process.exitCode = rows.every(({ demo, tests }) => demo && tests) ? 0 : 1;

/** Returns the path of the newest Node of a major version, or undefined if npm has none for this machine. */
function nodeOf(major: string): string | undefined {
  const directory = join(CACHE, major);
  const name = `node-${process.platform === "win32" ? "win" : process.platform}-${process.arch}`;
  const file = join(
    directory,
    "node_modules",
    name,
    process.platform === "win32" ? "bin/node.exe" : "bin/node",
  );
  if (existsSync(file)) return file;
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, "package.json"), "{}");
  run("npm", ["install", "--prefix", directory, "--no-audit", "--no-fund", `${name}@${major}`]);
  return existsSync(file) ? file : undefined;
}

function run(program: string, words: string[]): { ok: boolean; output: string } {
  // Tests find `node` on the path, and the demo starts itself again.
  const PATH = `${resolve(program, "..")}${delimiter}${process.env.PATH}`;
  const env = program === "npm" ? process.env : { ...process.env, PATH };
  const shell = process.platform === "win32" && program === "npm";
  const { status, stdout, stderr } = spawnSync(program, words, { cwd: ROOT, encoding: "utf8", env, shell });
  return { ok: status === 0, output: `${stdout}${stderr}` };
}

function tried(version: string, what: string, { ok, output }: { ok: boolean; output: string }): boolean {
  console.error(`${version}: ${what} ${word(ok)}`);
  if (!ok) console.error(output.split("\n").slice(-LINES_SHOWN).join("\n"));
  return ok;
}

function word(ok: boolean): string {
  return ok ? "ok    " : "failed";
}
