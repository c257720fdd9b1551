import { closeSync, constants, fstatSync, openSync, statSync } from "node:fs";
import { once } from "../../system/caching.ts";
import { UsageError } from "../exit-codes.ts";
import { interruptedExit } from "./interruption.ts";
import { createOutput, type Output } from "./output.ts";
import { fileStream, leadsToFile, type WriteNonBlocking, writeNonBlocking } from "./write-non-blocking.ts";

export type { Output };

export interface Io {
  /** Results. */
  readonly out: Output;
  /** Everything else: progress, questions, errors. */
  readonly err: Output;
  input: {
    readonly terminal: boolean;
    readonly stream: NodeJS.ReadStream;
    /** Streams stdin to its end. */
    pieces(): AsyncIterable<Buffer>;
  };
  environment: Readonly<Record<string, string | undefined>>;
  platform: NodeJS.Platform;
  workingDirectory: string;
  /** The command line that starts this program, to be followed by a command's words. */
  program: readonly string[];
  processId: number;
  isRunning(processId: number): boolean;
  /** Aborts at Ctrl-C, SIGTERM, SIGBREAK, and SIGHUP on a terminal, with the signal's name as its reason. */
  interrupted: AbortSignal;
  /**
   * Leaves it to a program that this one waits for what signals mean: a second one does not exit at once. `to` is
   * called with each that reached this process alone. Ends at the call of the returned function.
   */
  leaveSignals(to: (signal: NodeJS.Signals) => void): () => void;
  /** The exit code if the reader of the output closes the pipe; 0 until the command has an outcome. */
  exitCodeUnread: number;
  /** Whether the process does not end before its output is read, however long that takes. */
  awaitsReader: boolean;
  /** Writes what is still buffered and ends the process. */
  exit(code: number): Promise<never>;
}

const EXIT_GRACE_MS = 1000;
const NAMES = { 1: "stdout", 2: "stderr" };

/** Returns the real terminal and process. No other code accesses them. */
export function processIo(): Io {
  const environment = process.env;
  const unicode = hasUnicode(environment, process.platform);
  const streams = new Map<1 | 2, NodeJS.WriteStream>();
  let broken = false;
  const workingDirectory = once(currentDirectory);
  const { interrupted, leaveSignals } = interruption();
  // Created on first use, since opening a stream takes four milliseconds.
  const out = once(() => output(1, () => process.stdout));
  const err = once(() => output(2, () => process.stderr));
  const io: Io = {
    get out() {
      return out();
    },
    get err() {
      return err();
    },
    input: {
      get terminal() {
        return process.stdin.isTTY === true;
      },
      get stream() {
        return process.stdin;
      },
      pieces: () => process.stdin,
    },
    environment,
    platform: process.platform,
    get workingDirectory() {
      return workingDirectory();
    },
    program: [process.execPath, process.argv[1] as string],
    processId: process.pid,
    isRunning,
    interrupted,
    leaveSignals,
    exitCodeUnread: 0,
    awaitsReader: true,
    exit: async (code) => {
      // A reader may pause for as long as it likes, as pagers do.
      if (io.interrupted.aborted || !io.awaitsReader)
        setTimeout(() => process.exit(code), EXIT_GRACE_MS).unref();
      else io.interrupted.onabort = () => process.exit(interruptedExit(io.interrupted.reason));
      await Promise.all([...streams.values()].map(flushed));
      // After a failed write, the handler of that error ends the process.
      if (code === 0 && broken) await new Promise(() => {});
      process.exit(code);
    },
  };
  return io;

  function output(descriptor: 1 | 2, open: () => NodeJS.WriteStream): Output {
    const atOnce = writeNonBlocking(descriptor);
    let needsReader = true;
    const terminal = !atOnce && stream().isTTY === true;
    return createOutput({
      stream,
      write: (text) => {
        const rest = atOnce && !streams.has(descriptor) && needsReader ? attempt(atOnce, text) : text;
        if (rest.length > 0) stream().write(rest);
      },
      terminal,
      live: terminal && environment.TERM !== "dumb" && !isCi(environment),
      colour: hasColour(environment, terminal),
      unicode,
      // A terminal without a size reports 0.
      columns: () => (terminal ? stream().columns || 80 : Number.POSITIVE_INFINITY),
      rows: () => (terminal ? stream().rows || 24 : Number.POSITIVE_INFINITY),
      outliveReader: () => {
        needsReader = false;
      },
    });

    function stream(): NodeJS.WriteStream {
      const last = streams.get(descriptor);
      // A stream into a file ends at its first error, but a server's file can grow again once the disk has room.
      if (last && !(last.destroyed && leadsToFile(descriptor))) return last;
      const next = (fileStream(descriptor) ?? open()).on("error", unlessUnread);
      streams.set(descriptor, next);
      return next;
    }

    function attempt(write: WriteNonBlocking, text: string): string | Buffer {
      try {
        return write(text);
      } catch (error) {
        unlessUnread(error as NodeJS.ErrnoException);
        return "";
      }
    }

    /** Handles a write error. A closed pipe (`tool usage | head -1`) is no failure. A server ignores all errors. */
    function unlessUnread(error: NodeJS.ErrnoException): void {
      if (!needsReader) return;
      if (error.code === "EPIPE") process.exit(io.exitCodeUnread);
      broken = true;
      throw Object.assign(error, { path: NAMES[descriptor] });
    }
  }
}

function currentDirectory(): string {
  try {
    return process.cwd();
  } catch (error) {
    const next = "Change to another, such as `cd ~`.";
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    throw new UsageError("The directory that this was started in is gone.", next);
  }
}

/**
 * Sets FORCE_COLOR for Ink, which uses chalk: chalk decides by itself and does not know NO_COLOR. Allows at most
 * the 16 colours of the terminal's theme. Must be called before Ink is loaded.
 */
export function tellLibrariesAboutColour(output: Output): void {
  process.env.FORCE_COLOR = output.style.coloured ? "1" : "0";
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Whether to use colour. FORCE_COLOR (force-color.org), then NO_COLOR (no-color.org) take precedence if not empty. */
export function hasColour(environment: Environment, terminal: boolean): boolean {
  const forced = environment.FORCE_COLOR;
  if (forced) return forced !== "0" && forced !== "false";
  if (environment.NO_COLOR) return false;
  return terminal && environment.TERM !== "dumb" && !isCi(environment);
}

/** Whether the terminal shows Unicode. Assumes so without a locale, but not for C, POSIX and other charsets. */
export function hasUnicode(environment: Environment, platform: NodeJS.Platform): boolean {
  if (environment.TERM === "linux") return false;
  if (platform === "win32") return true;
  const locale = environment.LC_ALL || environment.LC_CTYPE || environment.LANG || "";
  if (/utf-?8/i.test(locale)) return true;
  return locale !== "C" && locale !== "POSIX" && !locale.includes(".");
}

export function isCi(environment: Environment): boolean {
  return Boolean(environment.CI) && environment.CI !== "false";
}

function interruption(): Pick<Io, "interrupted" | "leaveSignals"> {
  const controller = new AbortController();
  let leftTo: ((signal: NodeJS.Signals) => void) | undefined;
  // SIGBREAK is Ctrl-Break on Windows, and what service managers send there; it does not occur elsewhere.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK"] as const) {
    process.on(signal, () => {
      if (signal === "SIGHUP") {
        if (!usesTerminal()) return;
        process.once("exit", endByHangUp);
      }
      if (leftTo && !reachesGroup(signal)) leftTo(signal);
      // A second Ctrl-C exits at once.
      if (!leftTo && controller.signal.aborted) process.exit(130);
      controller.abort(signal);
    });
  }
  return {
    interrupted: controller.signal,
    leaveSignals(to) {
      leftTo = to;
      return () => {
        leftTo = undefined;
      };
    },
  };
}

/**
 * Ends the process by the signal itself, which a shell shows as 129, too. Node aborts at its end, and dumps core, where it
 * cannot put back the settings of a terminal that is gone.
 */
function endByHangUp(): void {
  if (process.platform === "win32") return;
  process.removeAllListeners("SIGHUP");
  process.kill(process.pid, "SIGHUP");
}

/**
 * Whether a signal comes from the terminal, which sends it to all processes in its foreground. Who sent it is not known:
 * a SIGINT to this process alone looks the same where there is a terminal, and is taken for Ctrl-C, as shells do.
 */
function reachesGroup(signal: NodeJS.Signals): boolean {
  if (process.platform === "win32" || signal === "SIGHUP") return true;
  return signal === "SIGINT" && hasTerminal();
}

/** Whether this process belongs to a terminal, even if none of its standard streams does. */
function hasTerminal(): boolean {
  try {
    closeSync(openSync("/dev/tty", constants.O_RDONLY | constants.O_NOCTTY));
    return true;
  } catch {
    return false;
  }
}

/**
 * Whether a standard stream is a terminal, even one that was just closed. Under `nohup` none is, and only that tells:
 * Node resets the signals that it was started to ignore.
 */
function usesTerminal(): boolean {
  if (process.platform === "win32") return true;
  const nothing = statSync("/dev/null").rdev;
  return [0, 1, 2].some((descriptor) => {
    const stats = fstatSync(descriptor);
    return stats.isCharacterDevice() && stats.rdev !== nothing;
  });
}

function isRunning(processId: number): boolean {
  try {
    return process.kill(processId, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

function flushed(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    stream.write("", () => resolve());
  });
}
