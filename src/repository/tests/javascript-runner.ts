import { posix } from "node:path";
import { argumentWord, shellWord } from "../../system/processes/shell-word.ts";
import { membersOfJson } from "../languages/javascript/json-with-comments.ts";
import { membersOf } from "../languages/members.ts";
import type { Repository } from "../repository.ts";
import { above, type Runner } from "./runner.ts";

type Known = Pick<Repository, "files" | "text" | "leftOut">;

/** The command of each runner. Where a package has several, the first one here is taken. */
const RUNNERS: readonly [name: string, words: string][] = [
  ["vitest", "vitest run"],
  ["jest", "jest"],
  ["react-scripts", "react-scripts test --watchAll=false"],
  ["mocha", "mocha"],
  ["ava", "ava"],
  ["@playwright/test", "playwright test"],
  ["tap", "tap"],
  ["jasmine", "jasmine"],
  ["tape", "tape"],
  ["uvu", "uvu"],
];
/** Longer scripts are cut: the runner is named near the start. */
const MAX_SCRIPT = 2000;
/** Options of mocha that take a value as a separate word. */
const WITH_WORD = /^(?:-[rRtucg]|--(?:require|reporter|timeout|config|import|loader|ui|extension))$/;

/**
 * Creates a function that returns the runner by the nearest package.json from which one can be told. Each is read once
 * for all tests below it.
 */
export function javascriptRunners(repository: Known): (test: string) => Runner | undefined {
  const byPackage = new Map<string, Runner | undefined>();
  return (test) => {
    let at: string | undefined = above(repository, test, ["package.json"]);
    while (at !== undefined) {
      if (!byPackage.has(at)) byPackage.set(at, runnerIn(repository, at));
      const runner = byPackage.get(at);
      if (runner || at === ".") return runner;
      at = above(repository, at, ["package.json"]);
    }
    return undefined;
  };
}

function runnerIn(repository: Known, directory: string): Runner | undefined {
  const manifest = membersOfJson(repository.text(posix.join(directory, "package.json")));
  const script = membersOf(manifest.scripts).test;
  const line = typeof script === "string" ? script.slice(0, MAX_SCRIPT) : "";
  const asked = { ...membersOf(manifest.devDependencies), ...membersOf(manifest.dependencies) };
  const said = RUNNERS.find(([name]) => new RegExp(`(?:^|[\\s/&|])${name}(?:\\s|$)`).test(line));
  const [name, words] = said ?? RUNNERS.find(([each]) => Object.hasOwn(asked, each)) ?? [];
  const { start, test: whole } = managerOf(repository);
  const all = line === "" ? undefined : whole;
  if (name !== undefined && words !== undefined) {
    const options = name === "mocha" ? optionsOf(line) : [];
    return made(directory, [start, words, ...options].join(" "), all);
  }
  const node = /\bnode\s+(?:\S+\s+)*?--test\b/.exec(line)?.[0];
  if (node !== undefined) return made(directory, node, all);
  if (/\bbun test\b/.test(line)) return made(directory, "bun test", all);
  return line === "" || /no test specified/.test(line) ? undefined : { directory, command: () => whole };
}

/** Creates a runner. Without paths, it runs the test script of the package, if there is one. */
function made(directory: string, start: string, all = start): Runner {
  return {
    directory,
    command: (paths) => (paths.length > 0 ? [start, ...paths.map(argumentWord)].join(" ") : all),
  };
}

/** Returns the commands by which the repository's package manager runs a program and the tests of a package. */
function managerOf({ files, leftOut }: Known): { start: string; test: string } {
  const has = (name: string) =>
    files.has(name) || leftOut.generated.includes(name) || leftOut.binary.includes(name);
  if (has("pnpm-lock.yaml")) return { start: "pnpm exec", test: "pnpm test" };
  if (has("yarn.lock")) return { start: "yarn", test: "yarn test" };
  if (has("bun.lock") || has("bun.lockb")) return { start: "bunx", test: "bun run test" };
  return { start: "npx", test: "npm test" };
}

/** Returns the options of mocha in a script, without its files. */
function optionsOf(line: string): string[] {
  const words = (/\bmocha\s+([^&|;]*)/.exec(line)?.[1] ?? "").split(/\s+/);
  return words
    .filter((word, index) => /^-/.test(word) || WITH_WORD.test(words[index - 1] ?? ""))
    .map(shellWord);
}
