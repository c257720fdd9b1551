import { posix } from "node:path";
import type { Repository } from "../repository.ts";
import { cargoRunners } from "./cargo-runner.ts";
import { javascriptRunner } from "./javascript-runner.ts";
import { above, quoted, type Runner } from "./runner.ts";

export interface TestCommand {
  /** The directory to run it in, from the top of the repository; `.` is the top. */
  directory: string;
  command: string;
}

type Known = Pick<Repository, "files" | "edges" | "packages" | "text" | "leftOut">;

/** A command with more files is unreadable, so all tests of its kind are run instead. */
const MAX_NAMED = 30;

/** Returns the commands that run these test files, one for each runner and directory. */
export function testCommands(repository: Known, tests: readonly string[]): TestCommand[] {
  const runnerOf = runnersOf(repository);
  const groups = new Map<string, { runner: Runner; paths: string[] }>();
  for (const test of tests) {
    const runner = runnerOf(test);
    if (!runner) continue;
    const key = `${runner.directory}\0${runner.command([])}`;
    const group = groups.get(key) ?? { runner, paths: [] };
    groups.set(key, group);
    group.paths.push(posix.relative(runner.directory, test));
  }
  return [...groups.values()].map(({ runner, paths }) => ({
    directory: runner.directory,
    command: runner.command(paths.length > MAX_NAMED ? [] : paths),
  }));
}

function runnersOf(repository: Known): (test: string) => Runner | undefined {
  const cargoRunner = cargoRunners(repository);
  return (test) => {
    switch (repository.files.get(test)?.language) {
      case "javascript":
        return javascriptRunner(repository, test);
      case "python":
        return pythonRunner(repository, test);
      case "go":
        return at(above(repository, test, ["go.mod"]), (paths) => {
          const packages = new Set(paths.map((path) => `./${posix.dirname(path)}`.replace(/\/\.$/, "")));
          return ["go test", ...(paths.length > 0 ? [...packages].map(quoted) : ["./..."])].join(" ");
        });
      case "rust":
        return cargoRunner(test);
      case "java":
        return javaRunner(repository, test);
      default:
        return undefined;
    }
  };
}

function pythonRunner(repository: Known, test: string): Runner {
  const isPytest =
    repository.packages.some(({ id }) => id === "python:pytest") ||
    ["pyproject.toml", "setup.cfg", "tox.ini", "pytest.ini"].some((path) =>
      repository.text(path)?.includes("pytest"),
    );
  const directory = above(repository, test, ["pyproject.toml", "setup.py", "pytest.ini"]) ?? ".";
  const runner = isPytest ? "python -m pytest" : "python -m unittest";
  return { directory, command: (paths) => [runner, ...paths.map(quoted)].join(" ") };
}

function javaRunner(repository: Known, test: string): Runner | undefined {
  const names = (paths: readonly string[]) => paths.map((path) => quoted(posix.basename(path, ".java")));
  const maven = above(repository, test, ["pom.xml"]);
  if (maven !== undefined) {
    return at(maven, (paths) =>
      paths.length > 0 ? `mvn test -Dtest=${names(paths).join(",")}` : "mvn test",
    );
  }
  const gradle = above(repository, test, ["build.gradle", "build.gradle.kts"]);
  const program = repository.files.has("gradlew") ? "./gradlew" : "gradle";
  const project = gradle === undefined || gradle === "." ? "" : `:${gradle.replaceAll("/", ":")}:`;
  return gradle === undefined
    ? undefined
    : {
        directory: ".",
        command: (paths) =>
          [`${program} ${project}test`, ...names(paths).map((name) => `--tests ${name}`)].join(" "),
      };
}

function at(directory: string | undefined, command: Runner["command"]): Runner | undefined {
  return directory === undefined ? undefined : { directory, command };
}
