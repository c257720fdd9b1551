import { posix } from "node:path";
import { argumentWord } from "../../system/processes/shell-word.ts";
import type { Repository } from "../repository.ts";
import { cargoRunners } from "./cargo-runner.ts";
import { dartRunner } from "./dart-runner.ts";
import { javaRunners } from "./java-runner.ts";
import { javascriptRunners } from "./javascript-runner.ts";
import { rubyRunner } from "./ruby-runner.ts";
import { above, type Runner } from "./runner.ts";

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
  const groups = new Map<string, { runner: Runner; names: Set<string> }>();
  for (const test of tests) {
    const runner = runnerOf(test);
    if (!runner) continue;
    const key = `${runner.directory}\0${runner.command([])}`;
    const group = groups.get(key) ?? { runner, names: new Set() };
    groups.set(key, group);
    const path = posix.relative(runner.directory, test);
    group.names.add(runner.nameOf?.(path) ?? path);
  }
  return [...groups.values()].map(({ runner, names }) => ({
    directory: runner.directory,
    command: runner.command(names.size > MAX_NAMED ? [] : [...names]),
  }));
}

function runnersOf(repository: Known): (test: string) => Runner | undefined {
  const cargoRunner = cargoRunners(repository);
  const javaRunner = javaRunners(repository);
  const javascriptRunner = javascriptRunners(repository);
  const pythonRunner = pythonRunners(repository);
  return (test) => {
    switch (repository.files.get(test)?.language) {
      case "javascript":
        return javascriptRunner(test);
      case "python":
        return pythonRunner(test);
      case "go":
        return goRunner(repository, test);
      case "rust":
        return cargoRunner(test);
      case "java":
      case "kotlin":
        return javaRunner(test) ?? sbtRunner(repository, test);
      case "scala":
        return sbtRunner(repository, test);
      case "swift":
        return swiftRunner(repository, test);
      case "dart":
        return dartRunner(repository, test);
      case "csharp":
        return dotnetRunner(test);
      case "php":
        return phpRunner(repository, test);
      case "ruby":
        return rubyRunner(repository, test);
      default:
        return undefined;
    }
  };
}

function pythonRunners(repository: Known): (test: string) => Runner {
  let runner: string | undefined;
  return (test) => {
    runner ??= `python -m ${usesPytest(repository) ? "pytest" : "unittest"}`;
    const directory = above(repository, test, ["pyproject.toml", "setup.py", "pytest.ini"]) ?? ".";
    return { directory, command: (paths) => [runner, ...paths.map(argumentWord)].join(" ") };
  };
}

function usesPytest({ packages, text }: Known): boolean {
  return (
    packages.some(({ id }) => id === "python:pytest") ||
    ["pyproject.toml", "setup.cfg", "tox.ini", "pytest.ini"].some((path) => text(path)?.includes("pytest"))
  );
}

function goRunner(repository: Known, test: string): Runner | undefined {
  const directory = above(repository, test, ["go.mod"]);
  return directory === undefined
    ? undefined
    : {
        directory,
        nameOf: (path) => `./${posix.dirname(path)}`.replace(/\/\.$/, ""),
        command: (packages) =>
          `go test ${packages.length > 0 ? packages.map(argumentWord).join(" ") : "./..."}`,
      };
}

/** Runs the tests of files by their names, in all projects of the build: from where it is set up. */
function sbtRunner(repository: Known, test: string): Runner | undefined {
  const directory =
    above(repository, test, ["project/build.properties"]) ?? above(repository, test, ["build.sbt"]);
  if (directory === undefined) return undefined;
  return {
    directory,
    nameOf: (path) => `*${posix.basename(path, posix.extname(path))}`,
    command: (names) =>
      names.length > 0 ? `sbt ${argumentWord(["testOnly", ...names].join(" "))}` : "sbt test",
  };
}

/** Runs the tests of files by their names, from the package. What Xcode alone builds is run by its schemes. */
function swiftRunner(repository: Known, test: string): Runner | undefined {
  const directory = above(repository, test, ["Package.swift"]);
  if (directory === undefined) return undefined;
  return {
    directory,
    nameOf: (path) => posix.basename(path, ".swift").replace(/\W/g, "."),
    command: (names) => ["swift test", ...names.map((name) => `--filter ${argumentWord(name)}`)].join(" "),
  };
}

/** Runs the tests of a file by its name, which is that of its class by custom. */
function dotnetRunner(test: string): Runner {
  return {
    directory: ".",
    nameOf: () => posix.basename(test, ".cs"),
    command: (names) => {
      const filter = names.map((name) => `FullyQualifiedName~${name}`).join("|");
      return names.length > 0 ? `dotnet test --filter ${argumentWord(filter)}` : "dotnet test";
    },
  };
}

/** Runs tests with Pest where the nearest package asks for it, else with PHPUnit. */
function phpRunner(repository: Known, test: string): Runner | undefined {
  const directory = above(repository, test, ["composer.json"]);
  if (directory === undefined) return undefined;
  const usesPest = repository.text(posix.join(directory, "composer.json"))?.includes('"pestphp/pest"');
  return {
    directory,
    command: (paths) => [`vendor/bin/${usesPest ? "pest" : "phpunit"}`, ...paths.map(argumentWord)].join(" "),
  };
}
