import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { user } from "../support/tool.ts";

it.each([
  [["review", "--fail-on", "warning"], 3],
  [["review", "--fail-on", "warning", "--json"], 3],
  [["diagnose", "--", "sh", "-c", "echo begun; exit 7"], 7],
  [["usage"], 4],
  [["nonsense"], 2],
  [["--version"], 0],
] as const)("tool %j with closed outputs exits with its usual code (%d)", async (words, code) => {
  const { home, start } = user({ GIT_CEILING_DIRECTORIES: "/" });
  writeFileSync(join(home, "a.ts"), "export const run = (request) => eval(request.query.code);\n");
  const { child, finished } = start(words);
  child.stdout.destroy();
  child.stderr.destroy();
  child.stdin.end();
  expect((await finished).code).toBe(code);
});
