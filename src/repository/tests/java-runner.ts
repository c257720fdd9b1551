import { posix } from "node:path";
import { argumentWord } from "../../system/processes/shell-word.ts";
import type { Repository } from "../repository.ts";
import { above, type Runner } from "./runner.ts";

type Known = Pick<Repository, "files" | "text">;

/** Creates a function that returns the runner by the nearest pom.xml, else by the nearest build.gradle. */
export function javaRunners(repository: Known): (test: string) => Runner | undefined {
  const byModule = new Map<string, Runner>();
  return (test) => {
    const module = above(repository, test, ["pom.xml"]);
    if (module === undefined) return gradleRunner(repository, test);
    const runner = byModule.get(module) ?? mavenRunner(repository, module);
    byModule.set(module, runner);
    return runner;
  };
}

/**
 * Runs the tests of a module from the project that lists the modules: within a module, Maven takes the others as they
 * were last installed, if ever.
 */
function mavenRunner(repository: Known, module: string): Runner {
  const whole = aggregatorOf(repository, module);
  const directory = whole ?? module;
  const program = repository.files.has(posix.join(directory, "mvnw")) ? "./mvnw" : "mvn";
  const command = (paths: readonly string[]) => {
    if (paths.length === 0) return `${program} test`;
    const tests = `-Dtest=${namesOf(paths).join(",")}`;
    if (whole === undefined) return `${program} test ${tests}`;
    const modules = paths.map((path) => {
      const own = above(repository, posix.join(directory, path), ["pom.xml"]) ?? directory;
      return argumentWord(posix.relative(directory, own) || ".");
    });
    const only = [...new Set(modules)].join(",");
    return `${program} test -pl ${only} -am ${tests} -Dsurefire.failIfNoSpecifiedTests=false`;
  };
  return { directory, command };
}

/** Returns the outermost directory above a module, or its own, whose pom.xml lists modules. */
function aggregatorOf(repository: Known, module: string): string | undefined {
  let found: string | undefined;
  for (let directory = module; ; directory = posix.dirname(directory)) {
    if (repository.text(posix.join(directory, "pom.xml"))?.includes("<module>")) found = directory;
    if (directory === ".") return found;
  }
}

function gradleRunner(repository: Known, test: string): Runner | undefined {
  const gradle = above(repository, test, ["build.gradle", "build.gradle.kts"]);
  const program = repository.files.has("gradlew") ? "./gradlew" : "gradle";
  const project = gradle === undefined || gradle === "." ? "" : `:${gradle.replaceAll("/", ":")}:`;
  return gradle === undefined
    ? undefined
    : {
        directory: ".",
        command: (paths) =>
          [`${program} ${project}test`, ...namesOf(paths).map((name) => `--tests ${name}`)].join(" "),
      };
}

function namesOf(paths: readonly string[]): string[] {
  return paths.map((path) => argumentWord(posix.basename(path, posix.extname(path))));
}
