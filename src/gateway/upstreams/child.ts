import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import type { Clock } from "../../system/clock.ts";
import { environment } from "../../system/config.ts";
import { inTime } from "../../system/in-time.ts";
import type { Log } from "../../system/log.ts";
import { groupOf, IN_GROUP, type ProcessGroup } from "../../system/processes/process-group.ts";
import { withPipes } from "../../system/processes/with-pipes.ts";
import { isReadable } from "../relay/readable.ts";
import { eachLine } from "./lines.ts";
import { type AnswerLine, answerIn, idOfAnswer, messageIn } from "./program-lines.ts";

/** A program that speaks MCP on stdin and stdout, one message per line. */
export interface Child {
  /**
   * Returns false if the program has exited or reads too slowly.
   *
   * @param onRead called when the program has read the message, or will not.
   */
  write(message: Record<string, unknown>, onRead?: () => void): boolean;
  /** Resolves with the reason when the program has ended. */
  readonly ended: Promise<string>;
  /** Ends the program and every process that it has started. */
  end(): Promise<void>;
}

export interface ChildOptions {
  name: string;
  command: readonly string[];
  /** Environment variables in addition to the inherited ones. */
  env: Readonly<Record<string, string>>;
  log: Log;
  clock: Clock;
  /** @param bytes the length of its line. */
  onMessage: (message: Record<string, unknown>, bytes: number) => void;
  /** An answer costs too much to parse. */
  onUnread: (answer: AnswerLine) => void;
  /** The answer to the request with this id was longer than a message may be. */
  onTooLong: (id: number) => void;
}

/** As in `getDefaultEnvironment` of the official SDK. Contains no secret of the operator. */
const INHERITED = [
  ...["HOME", "LOGNAME", "PATH", "SHELL", "TERM", "TMPDIR", "USER"],
  // Windows, where few programs start without them.
  ...[
    "APPDATA",
    "HOMEDRIVE",
    "HOMEPATH",
    "LOCALAPPDATA",
    "PATHEXT",
    "PROGRAMFILES",
    "SYSTEMDRIVE",
    "SYSTEMROOT",
  ],
  ...["TEMP", "USERNAME", "USERPROFILE"],
];
const MAX_LINE_BYTES = 16 * 1024 * 1024;
const MAX_LOGGED_BYTES = 4096;
const MAX_WAITING_BYTES = 16 * 1024 * 1024;
/** How long a program may take to end by itself, and again after SIGTERM: both fit in what a stop of the server has left. */
const GRACE_MS = 1_000;
const LOOK_MS = 50;

/** Starts a program. One that cannot be started has ended. */
export function startChild(options: ChildOptions): Child {
  const [program = "", ...words] = options.command;
  const how = { env: environmentOf(options.env), stdio: "pipe", windowsHide: true, ...IN_GROUP } as const;
  let child: ChildProcessWithoutNullStreams;
  try {
    // Tells of most failures in an event, but throws, for example, for a path that leads through a file.
    child = withPipes(spawn(program, words, how));
  } catch (error) {
    const ended = Promise.resolve((error as Error).message);
    return { write: () => false, ended, end: async () => {} };
  }
  return speakWith(child, options);
}

function speakWith(
  child: ChildProcessWithoutNullStreams,
  { name, log, clock, onMessage, onUnread, onTooLong }: ChildOptions,
): Child {
  const group = groupOf(child);
  const ended = new Promise<string>((resolve) => {
    child.once("error", ({ message }) => resolve(message));
    child.once("exit", (code, signal) => resolve(signal ? `killed by ${signal}` : `ended with ${code}`));
  });
  // Writes to an ended program are ignored; `ended` reports it.
  child.stdin.on("error", () => {});
  eachLine(child.stdout, MAX_LINE_BYTES, {
    onLine(line) {
      const unread = isReadable(line) ? undefined : answerIn(line);
      if (unread) return onUnread(unread);
      const message = messageIn(line);
      if (message) return onMessage(message, line.length);
      const said = textOf(line.subarray(0, MAX_LOGGED_BYTES));
      if (said) log.warn({ upstream: name, line: said }, "a program wrote what is no message");
    },
    onLong(beginning, end) {
      const about = { upstream: name, mostBytes: MAX_LINE_BYTES };
      log.error(about, "a program wrote a line longer than any message");
      const id = idOfAnswer(beginning, end)?.id;
      if (id !== undefined) onTooLong(id);
    },
  });
  eachLine(child.stderr, MAX_LOGGED_BYTES, {
    onLine(line) {
      const said = textOf(line);
      if (said) log.info({ upstream: name, line: said }, "a program wrote on stderr");
    },
  });

  return {
    write(message, onRead) {
      if (child.stdin.writableLength > MAX_WAITING_BYTES || !child.stdin.writable) return false;
      child.stdin.write(`${JSON.stringify(message)}\n`, onRead);
      return true;
    },
    ended,
    end: () => end({ child, group, ended, clock }),
  };
}

/** Closes stdin, as the specification requires, then sends SIGTERM, then SIGKILL. */
async function end({
  child,
  group,
  ended,
  clock,
}: {
  child: ChildProcess;
  group: ProcessGroup;
  ended: Promise<string>;
  clock: Clock;
}): Promise<void> {
  child.stdin?.end();
  for (const signal of ["SIGTERM", "SIGKILL"] as const) {
    const over = new AbortController();
    const gone = await inTime(allGone(over.signal), { clock, ms: GRACE_MS, late: () => false });
    over.abort();
    if (gone) return;
    group.signal(signal);
  }
  await ended;

  /** Resolves when the program, and what it has started, is gone. Nothing tells of the latter's end. */
  async function allGone(signal: AbortSignal): Promise<boolean> {
    await ended;
    while (group.isRunning()) await clock.sleep(LOOK_MS, signal);
    return true;
  }
}

function textOf(line: Buffer): string {
  return line.toString("utf8").trimEnd();
}

function environmentOf(own: Readonly<Record<string, string>>): Record<string, string> {
  const all = environment();
  const inherited = INHERITED.flatMap((name) =>
    all[name] === undefined ? [] : [[name, all[name]] as const],
  );
  return { ...Object.fromEntries(inherited), ...own };
}
