import { spawn } from "node:child_process";
import { constants } from "node:os";
import { onAbort } from "../../../system/abort.ts";
import type { Context } from "../../context.ts";
import { keepEnd } from "./log-end.ts";
import { quotedForCmd } from "./quoted-for-cmd.ts";

/** The output of a command, from both streams in order of arrival, and how it ended. */
export interface Finished {
  log: string;
  exitCode: number;
  durationMs: number;
}

/** The exit codes of shells for a missing command, one that cannot be run, and one that a signal ended. */
const [NOT_FOUND, NOT_EXECUTABLE, BY_SIGNAL] = [127, 126, 128];
/** The messages of shells for a program that a signal ended, which prints nothing itself. */
const SAID_OF_SIGNAL: Partial<Record<NodeJS.Signals, string>> = {
  SIGABRT: "Aborted",
  SIGBUS: "Bus error",
  SIGFPE: "Floating point exception",
  SIGILL: "Illegal instruction",
  SIGKILL: "Killed",
  SIGSEGV: "Segmentation fault",
  SIGTERM: "Terminated",
};

/** Runs a command and passes its output on at once; with `--json`, both streams go to stderr. */
export function runCommand(
  { io, clock, options }: Context,
  [program = "", ...words]: string[],
): Promise<Finished> {
  const begin = clock.monotonic();
  // If the reader closes the pipe, the command still runs to its end and keeps its exit code.
  for (const output of [io.out, io.err]) output.outliveReader();
  const kept = keepEnd();
  // On Windows, npm and similar scripts only start through cmd.exe, which takes one line.
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
      const read = to.whenRead();
      if (!read || io.interrupted.aborted) return;
      // A slow reader slows the command down, as without this program between them.
      from.pause();
      void read.then(() => from.resume());
    });
    onAbort(io.interrupted, () => void from.resume());
  }
  const takeBack = io.leaveSignals((signal) => void child.kill(signal));
  // Not at "close": what it started may hold its output open for longer.
  for (const end of ["exit", "error"]) child.on(end, takeBack);
  return new Promise((resolve) => {
    const finish = (exitCode: number) => {
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
