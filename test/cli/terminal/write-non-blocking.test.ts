import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { user } from "../support/tool.ts";

const TOOL = resolve(import.meta.dirname, "../../../bin/tool.js");

/** Runs a line of bash in which `tool` is the real program. */
function shell(line: string) {
  const { env, home } = user();
  const script = `tool() { '${process.execPath}' '${TOOL}' "$@"; }\n${line}`;
  return { home, ...spawnSync("bash", ["-c", script], { cwd: home, env, encoding: "utf8" }) };
}

describe.skipIf(process.platform === "win32")("output into pipes and files", () => {
  it.each(["completion bash", "--help", "review --help"])(
    "is the same in a pipe and in a file: %s",
    (words) => {
      const { home, stdout } = shell(`tool ${words} > file; tool ${words} | cat; tool ${words} >> file`);
      expect(stdout.length).toBeGreaterThan(1000);
      expect(readFileSync(join(home, "file"), "utf8")).toBe(stdout + stdout);
    },
  );

  it("is dropped without an error when the reader has ended", () => {
    const { stdout, stderr } = shell(`(sleep 0.2; tool config list) | true; echo "\${PIPESTATUS[0]}"`);
    expect([stdout, stderr]).toEqual(["0\n", ""]);
  });

  // A command that waited would hang: the reader ends only after the command.
  it("does not block a command that scripts run often when the reader stalls and the pipe is full", () => {
    const { stderr } = shell(
      `{ head -c 65536 /dev/zero; tool events record api.call; echo "code $?" >&2; touch over; } | until [ -e over ]; do sleep 0.1; done`,
    );
    expect(stderr).toBe("code 0\n");
  });

  // As a disk that fills up, the bound of a file's size cuts the last write off before it refuses the next.
  it("fails with a message when only its beginning fits into the file", () => {
    const { stderr, stdout } = shell("(ulimit -f 4; tool serve --help > file); echo $?");
    expect([stdout, stderr]).toEqual([
      "1\n",
      "✖ stdout cannot be written: the file may not get that long.\n",
    ]);
  });

  it("fails with a message when the disk is full", ({ skip }) => {
    skip(spawnSync("test", ["-c", "/dev/full"]).status !== 0, "there is no /dev/full");
    for (const words of ["config list --json", "track --help", "events record api.call"]) {
      const { stderr, stdout } = shell(`tool ${words} > /dev/full; echo $?`);
      expect([words, stdout, stderr]).toEqual([
        words,
        "1\n",
        "✖ stdout cannot be written: the disk is full.\n",
      ]);
    }
  });
});
