import { spawn } from "node:child_process";
import { constants } from "node:os";
import type { Context } from "../../context.ts";

/** What a command wrote, on both streams in the order of arrival, and how it ended. */
export interface Finished {
  log: string;
  exitCode: number;
  durationMs: number;
}

/** Of a longer log the end is kept: that is where builds fail. */
const MAX_KEPT = 16 << 20;
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

/** A word as cmd.exe and the C runtime behind it read it back; `%` stays cmd's own. */
export function quotedForCmd(word: string): string {
  if (/^[\w@%+=:,./\\-]+$/.test(word)) return word;
  return `"${word.replace(/(\\*)("|$)/g, (_, slashes: string, quote: string) => slashes + slashes + (quote && '\\"'))}"`;
}

/** Pieces of text, of which the oldest are let go once there are too many. */
function keepEnd() {
  let pieces: string[] = [];
  let length = 0;
  const add = (piece: string) => {
    pieces.push(piece);
    length += piece.length;
    if (length > 2 * MAX_KEPT) {
      pieces = [pieces.join("").slice(-MAX_KEPT)];
      length = MAX_KEPT;
    }
  };
  return {
    add,
    addLine(line: string) {
      const begun = pieces.findLast((piece) => piece !== "")?.endsWith("\n") === false;
      add(`${begun ? "\n" : ""}${line}\n`);
    },
    text: () => lastPart(pieces.join("")),
  };
}

/** The end of a log that is too long, from the beginning of a line. */
function lastPart(log: string): string {
  if (log.length <= MAX_KEPT) return log;
  const end = log.slice(-MAX_KEPT);
  return end.slice(end.indexOf("\n") + 1);
}
