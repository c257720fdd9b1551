import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { hasTerminal, terminal } from "../../support/terminal.ts";
import { TOOL, user } from "../../support/tool.ts";

/** Counts what it is sent, and ends with 7 when it reads a line. */
const HANDLES_SIGNALS = `
  let heard = 0;
  for (const signal of ["SIGINT", "SIGTERM"])
    process.on(signal, () => console.log("heard " + signal + " " + ++heard));
  process.stdin.once("data", () => {
    console.log("ends after " + heard);
    process.exit(7);
  });
  console.log("ready");
`;
const DIES = 'console.log("ready"); setInterval(() => {}, 1000);';

function diagnosing(script: string) {
  const { home, env } = user();
  const file = join(home, "child.cjs");
  writeFileSync(file, script);
  return { command: [process.execPath, TOOL, "diagnose", "--", process.execPath, file], env };
}

describe("Ctrl-C in a terminal while tool diagnose runs a command", () => {
  beforeEach(({ skip }) => skip(!hasTerminal, "tmux is not installed"));

  function inTerminal(script: string) {
    const { command, env } = diagnosing(script);
    const { screen, press } = terminal(command, { columns: 100, rows: 30, env });
    const shows = (text: string) => expect.poll(() => screen().join("\n")).toContain(text);
    return { screen, press, shows };
  }

  it("reaches a command that handles it once, and leaves it to that command when to end and how", async () => {
    const { screen, press, shows } = inTerminal(HANDLES_SIGNALS);
    await shows("ready");
    press("C-c");
    await shows("heard SIGINT 1");
    press("C-c");
    await shows("heard SIGINT 2");
    press("Enter");
    await shows("exit code 7");
    expect(screen().join("\n")).toMatch(/^ends after 2$/m);
    expect(screen().join("\n")).toMatch(/ was interrupted, and ended with exit code 7 \(/);
    expect(screen().join("\n")).not.toContain("Try");
  });

  it("ends both with 130 where the command does not handle it", async () => {
    const { screen, press, shows } = inTerminal(DIES);
    await shows("ready");
    press("C-c");
    await shows("exit code 130");
    expect(screen().join("\n")).toContain("Interrupted.");
  });
});

describe("a signal to tool diagnose alone, outside a terminal", () => {
  function started(script: string) {
    const { command, env } = diagnosing(script);
    const [program, ...words] = command as [string, ...string[]];
    // In a session of its own: whoever runs the tests may do so in a terminal.
    const child = spawn(program, words, { env, detached: true });
    onTestFinished(() => void child.kill("SIGKILL"));
    let written = "";
    child.stdout.setEncoding("utf8").on("data", (piece: string) => {
      written += piece;
    });
    return { child, shows: (text: string) => expect.poll(() => written).toContain(text) };
  }

  it("is passed on as it is, each time", async () => {
    const { child, shows } = started(HANDLES_SIGNALS);
    await shows("ready");
    child.kill("SIGINT");
    await shows("heard SIGINT 1");
    child.kill("SIGTERM");
    await shows("heard SIGTERM 2");
    child.stdin.write("\n");
    expect(await once(child, "close")).toEqual([7, null]);
    await shows("ends after 2");
  });

  it.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const)("exits as one that %s ended", async (signal, code) => {
    const { child, shows } = started(DIES);
    await shows("ready");
    child.kill(signal);
    expect(await once(child, "close")).toEqual([code, null]);
  });
});
