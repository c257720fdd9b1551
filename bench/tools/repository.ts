import { execFileSync } from "node:child_process";
import { appendFileSync, copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { openRepository } from "../../src/repository/open-repository.ts";
import type { Repository } from "../../src/repository/repository.ts";
import { systemClock } from "../../src/system/clock.ts";

const PROGRAMS = join(import.meta.dirname, "../repository");
/** Packages that are installed in a temporary folder, since they are no dependencies of this package. */
const CRUISER = ["dependency-cruiser@17", "typescript@5"];

/**
 * `REPOSITORIES="a b" npm run bench -- repository`: compares the edges between files of clones on this machine
 * with those of dependency-cruiser (JavaScript and TypeScript) and of Python's own parser and finder. Measures
 * how long it takes to read a clone, to read it again, and to read it after one edit. The edit is reverted.
 */
export async function run(): Promise<void> {
  const repositories = (process.env.REPOSITORIES ?? "").split(/\s+/).filter((each) => each !== "");
  if (repositories.length === 0) return console.log("REPOSITORIES names no clones: nothing is measured");
  const work = mkdtempSync(join(tmpdir(), "bench-repository-"));
  try {
    installCruiser(work);
    for (const directory of repositories) {
      const repository = await speed(directory, join(work, "cache"));
      compare(repository, work, {
        what: "dependency-cruiser",
        files: /\.(?:[cm]?[jt]s|[jt]sx)$/,
        program: ["node", "cruise.cjs"],
      });
      compare(repository, work, {
        what: "Python",
        files: /\.py$/,
        program: ["python3", "python_imports.py"],
      });
    }
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function installCruiser(work: string): void {
  for (const name of ["cruise.cjs", "python_imports.py"])
    copyFileSync(join(PROGRAMS, name), join(work, name));
  writeFileSync(join(work, "package.json"), "{}");
  execFileSync("npm", ["install", "--silent", "--no-audit", "--no-fund", ...CRUISER], { cwd: work });
}

async function speed(directory: string, cacheDirectory: string): Promise<Repository> {
  const timed = async () => {
    const begin = systemClock.monotonic();
    const repository = await openRepository(directory, { cacheDirectory });
    return { repository, ms: systemClock.monotonic() - begin };
  };
  const first = await timed();
  // Files that changed within the last two seconds are read again: see src/repository/scan-cache.ts.
  await systemClock.sleep(2500);
  await timed();
  const second = await timed();
  const { repository } = first;
  const third = await edited(repository, timed);
  const definitions = [...repository.files.values()].reduce((sum, file) => sum + file.definitions.length, 0);
  console.log(
    `${basename(directory)}: ${repository.files.size} files, ${repository.edges.length} edges, ${definitions} definitions; ` +
      `first ${first.ms.toFixed(0)} ms, again ${second.ms.toFixed(0)} ms, after an edit ${third.ms.toFixed(0)} ms; ` +
      `${(process.memoryUsage().rss / 1e6).toFixed(0)} MB`,
  );
  return repository;
}

/** Does something while a file of the clone has an empty line more. */
async function edited<T>({ files, top }: Repository, work: () => Promise<T>): Promise<T> {
  const file = [...files.values()].find(({ language }) => language !== undefined);
  if (!file) return work();
  const path = join(top, file.path);
  const before = readFileSync(path);
  appendFileSync(path, "\n");
  try {
    return await work();
  } finally {
    writeFileSync(path, before);
  }
}

interface Oracle {
  what: string;
  files: RegExp;
  program: [command: string, file: string];
}

/** Tests reach the fixtures of conftest.py without an import, which is all that the others see. */
const FIXTURES = /(?:^|\/)conftest\.py$/;

function compare(repository: Repository, work: string, { what, files, program }: Oracle): void {
  const output = join(work, "edges");
  const [command, file] = program;
  execFileSync(command, [join(work, file), repository.top, output], { stdio: "inherit" });
  const lines = readFileSync(output, "utf8").split("\n");
  const theirs = new Set(lines.filter((line) => files.test(line.split("\t", 1)[0] ?? "")));
  const ours = new Set(
    repository.edges
      .filter(({ from }) => files.test(from))
      .filter(({ from, to }) => !FIXTURES.test(to) || theirs.has(`${from}\t${to}`))
      .map(({ from, to }) => `${from}\t${to}`),
  );
  if (ours.size + theirs.size === 0) return;
  const both = [...ours].filter((edge) => theirs.has(edge)).length;
  const share = (part: number, whole: number) => (whole === 0 ? "–" : (part / whole).toFixed(3));
  console.log(
    `  ${what}: ${both} edges the same, precision ${share(both, ours.size)}, recall ${share(both, theirs.size)}`,
  );
  const shown = Number(process.env.SHOWN ?? 3);
  const show = (mark: string, edges: string[]) => {
    for (const edge of edges.slice(0, shown)) console.log(`    ${mark} ${edge.replace("\t", " → ")}`);
  };
  show(
    "ours alone:",
    [...ours].filter((edge) => !theirs.has(edge)),
  );
  show(
    "theirs alone:",
    [...theirs].filter((edge) => !ours.has(edge)),
  );
}
