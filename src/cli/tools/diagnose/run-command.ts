import { spawn } from "node:child_process";
import { constants } from "node:os";
import type { Context } from "../../context.ts";
import { keepEnd } from "./log-end.ts";
import { quotedForCmd } from "./quoted-for-cmd.ts";

/** What a command wrote, on both streams in the order of arrival, and how it ended. */
export interface Finished {
  log: string;
  exitCode: number;
  durationMs: number;
}

/** As shells answer for a command that is not there, that cannot be run, or that a signal ended. */
const [NOT_FOUND, NOT_EXECUTABLE, BY_SIGNAL] = [127, 126, 128];
/** What shells say of a program that a signal ended, which says nothing itself. */
const SAID_OF_SIGNAL: Partial<Record<NodeJS.Signals, string>> = {
  SIGABRT: "Aborted",
  SIGBUS: "Bus error",
  SIGFPE: "Floating point exception",
  SIGILL: "Illegal instruction",
  SIGKILL: "Killed",
  SIGSEGV: "Segmentation fault",
  SIGTERM: "Terminated",
};

/** Runs it in sight of the user: what it writes is passed on at once, with `--json` all of it to stderr. */
export function runCommand(
  { io, clock, options }: Context,
  [program = "", ...words]: string[],
): Promise<Finished> {
  const begin = clock.monotonic();
  // Whoever stops reading does not end it: how it ends is still to be told.
  for (const output of [io.out, io.err]) output.outliveReader();
  const kept = keepEnd();
  // Windows starts npm and its like through cmd.exe alone, which gets one line.
  const viaShell = io.platform === "win32";
  const [file, args] = viaShell ? [[program, ...words].map(quotedForCmd).join(" "), []] : [program, words];
  const child = spawn(file, args, {
    cwd: io.workingDirectory,
    env: { ...(io.out.style.coloured && { FORCE_COLOR: "1" }), ...io.environment },
    stdio: ["inherit", "pipe", "pipe"],
    shell: viaShell,
  });
  const streams = [
    [child.stdout, options.json ? io.err : io.out],
    [child.stderr, io.err],
  ] as const;
  for (const [from, to] of streams) {
    from.setEncoding("utf8").on("data", (piece: string) => {
      kept.add(piece);
      to.relay(piece);
    });
  }
  const stop = () => void child.kill("SIGINT");
  io.interrupted.addEventListener("abort", stop);
  return new Promise((resolve) => {
    const finish = (exitCode: number) => {
      io.interrupted.removeEventListener("abort", stop);
      resolve({ log: kept.text(), exitCode, durationMs: clock.monotonic() - begin });
    };
    child.on("error", ({ message }) => {
      const missing = /ENOENT/.test(message);
      const reason = missing ? "command not found" : /EACCES/.test(message) ? "Permission denied" : message;
      kept.add(`${program}: ${reason}\n`);
      finish(missing ? NOT_FOUND : NOT_EXECUTABLE);
    });
    child.on("close", (code, signal) => {
      if (signal) kept.addLine(SAID_OF_SIGNAL[signal] ?? signal);
      finish(code ?? BY_SIGNAL + constants.signals[signal as NodeJS.Signals]);
    });
  });
}
