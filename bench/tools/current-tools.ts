import { spawnSync } from "node:child_process";
import { accessSync, constants, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { packageRoot } from "../../src/system/package.ts";
import { diagnose } from "../../src/tools/self-healing/diagnosing/diagnose.ts";
import type { Diagnosis } from "../../src/tools/self-healing/diagnosis.ts";
import { COMPILED } from "./self-healing/projects/compiled.ts";
import { JAVASCRIPT } from "./self-healing/projects/javascript.ts";
import { LANGUAGES } from "./self-healing/projects/languages.ts";
import { PLATFORMS } from "./self-healing/projects/platforms.ts";
import type { FailingProject } from "./self-healing/projects/project.ts";
import { PYTHON } from "./self-healing/projects/python.ts";

const MODULES = process.env.NODE_MODULES ?? join(packageRoot, "node_modules");
const PATH = [process.env.PATH, join(MODULES, ".bin")].join(delimiter);
const TIME_LIMIT_MS = 120_000;
/** Path that logs show in place of the temporary folder, as a user's project would have one. */
const HOME = "/home/dev/app";

/**
 * Creates failing projects, runs this machine's own tools on them, and judges the diagnoses of their logs. The
 * logs stay in a temporary folder. `NODE_MODULES` names a folder with more tools than this repository has;
 * `-- current-tools NAME` runs only projects whose name contains the word.
 */
export async function run(): Promise<void> {
  const logs = mkdtempSync(join(tmpdir(), "toolplane-logs-"));
  const counts = { line: 0, file: 0, category: 0, advice: 0 };
  let [ran, advised] = [0, 0];
  const only = process.argv[3] ?? "";
  for (const project of [...JAVASCRIPT, ...PYTHON, ...COMPILED, ...LANGUAGES, ...PLATFORMS]) {
    if (!project.name.includes(only)) continue;
    const missing = project.needs.find((tool) => !isOnPath(tool));
    if (missing) {
      console.log(`- ${project.name}: skipped, ${missing} is not on this machine`);
      continue;
    }
    const { log, exitCode } = logOf(project);
    writeFileSync(join(logs, `${project.name.replace(/\W+/g, "-")}.log`), log);
    if (exitCode === 0) {
      console.log(`! ${project.name}: went well, though it has a fault`);
      continue;
    }
    const diagnosis = diagnose({ log, command: project.run, exitCode });
    const right = judged(project, diagnosis);
    ran++;
    if (project.advice) advised++;
    for (const [name, isRight] of Object.entries(right)) if (isRight) counts[name as keyof typeof counts]++;
    const wrong = Object.entries(right).filter(([, isRight]) => isRight === false);
    console.log(
      `${wrong.length === 0 ? "✓" : "✗"} ${project.name}${wrong.map(([name]) => `, ${name}`).join("")}`,
    );
    if (wrong.length > 0) console.log(summaryOf(diagnosis));
  }
  console.log(
    `${ran} tools' failures: line ${counts.line}, file ${counts.file}, category ${counts.category} of ${ran}; ` +
      `advice ${counts.advice} of ${advised}. Logs: ${logs}`,
  );
}

function isOnPath(tool: string): boolean {
  return PATH.split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, tool), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

function logOf({ files, run }: FailingProject): { log: string; exitCode: number } {
  const folder = mkdtempSync(join(tmpdir(), "toolplane-project-"));
  try {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    symlinkSync(MODULES, join(folder, "node_modules"));
    const own = Object.entries(process.env).filter(([name]) => !name.startsWith("npm_"));
    const env = { ...Object.fromEntries(own), PATH, CI: "1", PYTHONDONTWRITEBYTECODE: "1" };
    const { status } = spawnSync("bash", ["-c", `( ${run} ) >.log 2>&1`], {
      cwd: folder,
      env,
      timeout: TIME_LIMIT_MS,
    });
    const { stdout } = spawnSync("cat", [".log"], { cwd: folder, maxBuffer: 1 << 28 });
    return { log: stdout.toString().replaceAll(folder, HOME), exitCode: status ?? 124 };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Reports which parts of a diagnosis are right. `advice` is absent if the project expects none. */
function judged({ cause, place, categories, advice }: FailingProject, diagnosis: Diagnosis) {
  const found = diagnosis.cause;
  return {
    line: cause.test(found?.message ?? ""),
    file: place
      ? found?.file?.replace(/^\.(?=\/)/, "").replace(/^(?:\/home\/dev\/app)?\//, "") === place.file &&
        (place.line === undefined || found.line === place.line)
      : found?.file === undefined || !found.file.startsWith("/"),
    category: categories.includes(diagnosis.category),
    ...(advice && {
      advice: diagnosis.suggestions.some(({ title, command, rationale }) =>
        advice.test(`${title}\n${command ?? ""}\n${rationale}`),
      ),
    }),
  };
}

function summaryOf({ category, ecosystem, cause, suggestions }: Diagnosis): string {
  const place = [cause?.file, cause?.line].filter((part) => part !== undefined).join(":");
  return [
    `    ${category} (${ecosystem}) ${place}: ${cause?.rule}: ${cause?.message.slice(0, 120)}`,
    ...suggestions.map(({ title, command }) => `    - ${title}${command ? ` | ${command}` : ""}`),
  ].join("\n");
}
