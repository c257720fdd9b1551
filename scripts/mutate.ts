import { execFileSync, spawnSync } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { parseArgs } from "node:util";
import type { LogLevel, MutantResult } from "@stryker-mutator/api/core";
import { Stryker } from "@stryker-mutator/core";
import type { AppliedMutant } from "./mutation/applied-mutant.ts";
import floors from "./mutation/floors.json" with { type: "json" };
import { drawSample } from "./mutation/sample.ts";

const ROOT = resolve(import.meta.dirname, "..");
const USAGE = "npm run mutate -- [folder or file of src…] [--sample 20] [--seed 1] [--since main]";
/** Fewest mutants that are enough to hold a folder to its floor. */
const MIN_MUTANTS = 10;
const DEAD = ["Killed", "Timeout"];
const ALIVE = ["Survived", "NoCoverage"];
const FLOORS: Record<string, number> = floors;

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    sample: { type: "string", default: "20" },
    seed: { type: "string", default: "1" },
    since: { type: "string", default: "main" },
  },
});
const size = Number(values.sample);
if (!(size > 0)) throw new Error(`--sample takes how many mutants of each folder to test: ${USAGE}`);

process.chdir(ROOT);
const sources = positionals.length > 0 ? positionals.flatMap(sourcesIn) : changedSince(values.since);
if (sources.length === 0) console.log(`No source has changed since ${values.since}; or name some: ${USAGE}`);

for (const folder of new Set(sources.map(folderOf))) {
  const results = await test(
    folder,
    sources.filter((source) => folderOf(source) === folder),
  );
  const alive = results.filter((mutant) => ALIVE.includes(mutant.status) && isAlive(mutant));
  const tested = results.filter(({ status }) => [...DEAD, ...ALIVE].includes(status)).length;
  const died = tested - alive.length;
  const score = tested === 0 ? 100 : (100 * died) / tested;
  const floor = tested < MIN_MUTANTS ? undefined : FLOORS[folder];
  for (const survivor of alive) console.log(describe(survivor));
  console.log(
    `${folder}: ${died} of ${tested} mutants died, ${score.toFixed()} %` +
      (floor === undefined ? "" : `, floor ${floor} %`),
  );
  if (floor !== undefined && score < floor) process.exitCode = 1;
}

/** Draws mutants of a folder's sources, and runs the tests of that folder against each. */
async function test(folder: string, sources: string[]): Promise<MutantResult[]> {
  const { identities, places } = await drawSample(sources, size, values.seed);
  if (places.length === 0) return [];
  process.env.MUTATION_TESTS = `test/${folder}`;
  return new Stryker({
    mutate: places,
    sample: identities,
    testRunner: "vitest",
    vitest: { configFile: "scripts/mutation/vitest.config.ts", related: false },
    plugins: ["@stryker-mutator/vitest-runner", resolve("scripts/mutation/checker.js")],
    checkers: ["sample"],
    coverageAnalysis: "perTest",
    concurrency: 1,
    // A busy machine must not kill a mutant.
    timeoutMS: 20_000,
    dryRunTimeoutMinutes: 20,
    tempDirName: join(tmpdir(), "toolplane-mutants"),
    ignorePatterns: ["/dist/types", "/reports"],
    reporters: ["html"],
    htmlReporter: { fileName: `reports/mutation/${folder}.html` },
    logLevel: "error" as LogLevel,
  }).runMutationTest();
}

/**
 * Whether the tests pass on a source with the mutant written into it. Stryker keeps modules loaded, and so reports
 * some dead mutants as alive: those in code that runs once at load, and those that keep a module from loading.
 */
function isAlive({ fileName, location, replacement }: MutantResult): boolean {
  const mutant: AppliedMutant = { fileName, location, replacement };
  const words = ["vitest", "run", "--bail", "1", "--config", "scripts/mutation/vitest.config.ts"];
  const env = { ...process.env, MUTANT: JSON.stringify(mutant) };
  return spawnSync("npx", words, { stdio: "ignore", env }).status === 0;
}

function describe({ fileName, location, mutatorName, replacement, status }: MutantResult): string {
  const { start, end } = location;
  const lines = readFileSync(fileName, "utf8")
    .split("\n")
    .slice(start.line - 1, end.line);
  const last = lines.length - 1;
  lines[last] = lines[last]?.slice(0, end.column - 1) ?? "";
  lines[0] = lines[0]?.slice(start.column - 1) ?? "";
  const [before, after] = [lines.join("\n"), replacement ?? ""].map((text) =>
    text.replace(/\s+/g, " ").slice(0, 160),
  );
  const where = `${relative(ROOT, fileName)}:${start.line}:${start.column}`;
  return `  ${where} ${mutatorName}, ${status}\n    - ${before}\n    + ${after}`;
}

/** Returns the sources at a path, which is relative to the root or to src. */
function sourcesIn(path: string): string[] {
  const source = path.startsWith("src/") ? path : join("src", path);
  if (statSync(source).isFile()) return [source];
  return readdirSync(source, { recursive: true, encoding: "utf8" })
    .map((file) => join(source, file))
    .filter(isSource);
}

function changedSince(commit: string): string[] {
  const git = (...args: string[]) => execFileSync("git", args, { encoding: "utf8" }).split("\n");
  const changed = git("diff", "--name-only", "--diff-filter=d", commit, "--", "src");
  const added = git("ls-files", "--others", "--exclude-standard", "--", "src");
  return [...changed, ...added].filter(isSource);
}

/** Whether a file is mutated. Contracts are not: they only declare, and docs/api.md, made from them, shows changes. */
function isSource(path: string): boolean {
  return /\.tsx?$/.test(path) && !/(^|[/-])contract\.ts$/.test(path);
}

/** Returns the folder with a floor of its own that holds a source, or else the folder right below src. */
function folderOf(source: string): string {
  const path = relative("src", source);
  const held = Object.keys(FLOORS).find((folder) => path.startsWith(`${folder}/`));
  return held ?? (path.split("/")[0] as string);
}
