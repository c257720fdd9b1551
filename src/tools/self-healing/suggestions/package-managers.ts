import type { Ecosystem } from "../categories.ts";

/** The commands of each package manager, by the names in suggestions. */
const MANAGERS: Record<string, Record<string, string>> = {
  npm: { add: "npm install", install: "npm install", ci: "npm ci", run: "npm run", exec: "npx" },
  yarn: {
    add: "yarn add",
    install: "yarn install",
    ci: "yarn install --immutable",
    run: "yarn",
    exec: "yarn",
  },
  pnpm: {
    add: "pnpm add",
    install: "pnpm install",
    ci: "pnpm install --frozen-lockfile",
    run: "pnpm",
    exec: "pnpm exec",
  },
  bun: {
    add: "bun add",
    install: "bun install",
    ci: "bun install --frozen-lockfile",
    run: "bun run",
    exec: "bunx",
  },
  pip: {
    add: "pip install",
    install: "pip install -r requirements.txt",
    lock: "pip-compile requirements.in",
  },
  poetry: { add: "poetry add", install: "poetry install", lock: "poetry lock" },
  uv: { add: "uv add", install: "uv sync", lock: "uv lock" },
};
/** Text that only one of them writes: its codes, its lock file. */
export const MANAGER_SIGNS: ReadonlyMap<string, RegExp> = new Map([
  ["pnpm", /\bERR_PNPM_|\bpnpm-lock\.yaml\b/],
  ["yarn", /\bYN0\d{3}\b|\byarn\.lock\b|\byarnpkg\b/],
  ["bun", /^Bun v\d|\bbun\.lockb?\b/m],
  ["npm", /^npm (?:ERR!|error) /m],
  ["poetry", /\bpoetry\.lock\b/],
  ["uv", /\buv\.lock\b|^\s*╰─▶ Because /m],
]);

const WORDS = new Set(Object.values(MANAGERS).flatMap((words) => Object.values(words)));

/**
 * Returns the commands of the project's tools. `sample` is the command and some of the log, to see which
 * package manager and test runner are in use.
 */
export function toolsIn(sample: string, ecosystem: Ecosystem): Record<string, string> {
  const first = (names: readonly string[]) =>
    names.find((name) => MANAGER_SIGNS.get(name)?.test(sample)) ??
    names.find((name) => new RegExp(`(?:^|[\\s/"'$])${name}(?:[\\s@"':]|$)`, "m").test(sample));
  if (ecosystem === "python") return MANAGERS[first(["poetry", "uv"]) ?? "pip"] ?? {};
  if (ecosystem !== "node") return {};
  const runner = first(["vitest", "jest", "mocha"]);
  return { ...MANAGERS[first(["pnpm", "yarn", "bun", "npm"]) ?? "npm"], ...(runner && { runner }) };
}

/** Whether a value is one of the commands in this file, which may contain spaces. */
export function isToolWord(value: string): boolean {
  return WORDS.has(value);
}
