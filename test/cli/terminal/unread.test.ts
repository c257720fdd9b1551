import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { TOOL, user } from "../support/tool.ts";

const run = promisify(execFile);

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

describe("a reader that pauses, as a pager does", () => {
  /** Runs a shell script as a user with a file of many findings: more output than any pipe holds. */
  async function script(text: string) {
    const { home, env } = user({ GIT_CEILING_DIRECTORIES: "/" });
    writeFileSync(join(home, "many.ts"), "eval(x);\n".repeat(20_000));
    const tool = `'${process.execPath}' '${TOOL}' review --format sarif many.ts`;
    return run("bash", ["-c", text.replace("tool", tool)], {
      cwd: home,
      env,
      maxBuffer: Number.POSITIVE_INFINITY,
    });
  }

  it("gets all of the output", async () => {
    const { stdout } = await script('tool </dev/null | { read -r line; sleep 1.5; echo "$line"; cat; }');
    expect(JSON.parse(stdout).runs[0].results.length).toBeGreaterThan(0);
  });

  it("is not waited for after a signal", async () => {
    const { stdout } = await script(
      "mkfifo pipe; tool </dev/null >pipe & { read -r line; kill -TERM $!; wait $!; echo $?; } <pipe",
    );
    expect(stdout).toBe("143\n");
  });
});
