import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { join, resolve } from "node:path";
import { onTestFinished } from "vitest";
import { temporaryDirectory } from "../../support/store.ts";

export const TOOL = resolve(import.meta.dirname, "../../../bin/tool.js");

export interface Finished {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
  /** `stdout` parsed as one JSON document. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read documents without their types
  json: any;
}

export interface Running {
  child: ChildProcessWithoutNullStreams;
  finished: Promise<Finished>;
  /** Resolves with the match as soon as the output contains one. */
  until(stream: "stdout" | "stderr", pattern: RegExp): Promise<RegExpMatchArray>;
}

/** Creates a user of the real program, with a new home directory. */
export function user(environment: Record<string, string> = {}) {
  const home = temporaryDirectory();
  const env = {
    PATH: process.env.PATH ?? "",
    HOME: home,
    LANG: "C.UTF-8",
    // Without a desktop: no browser and no secret store.
    DBUS_SESSION_BUS_ADDRESS: "disabled:",
    ...environment,
  };

  function start(words: readonly string[], more: Record<string, string> = {}, cwd = home): Running {
    const child = spawn(process.execPath, [TOOL, ...words], { env: { ...env, ...more }, cwd });
    const written = { stdout: "", stderr: "" };
    const listeners = new Set<() => void>();
    for (const stream of ["stdout", "stderr"] as const) {
      child[stream].setEncoding("utf8").on("data", (piece: string) => {
        written[stream] += piece;
        for (const listener of listeners) listener();
      });
    }
    const finished = new Promise<Finished>((done) => {
      child.on("close", (code, signal) => {
        done({
          code,
          signal,
          ...written,
          get json() {
            return JSON.parse(written.stdout);
          },
        });
      });
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    return {
      child,
      finished,
      until: (stream, pattern) =>
        new Promise((found, failed) => {
          const look = () => {
            const match = written[stream].match(pattern);
            if (!match) return;
            listeners.delete(look);
            found(match);
          };
          listeners.add(look);
          child.on("close", () =>
            failed(new Error(`It ended without ${pattern}.\n${written.stdout}\n${written.stderr}`)),
          );
          look();
        }),
    };
  }

  /** Runs `tool` with an input on stdin. */
  async function piped(input: string | Buffer, ...words: string[]): Promise<Finished> {
    const { child, finished } = start(words);
    child.stdin.end(input);
    return finished;
  }

  const tool = (...words: string[]) => piped("", ...words);

  /** Runs `tool` in another directory than home. */
  const toolIn =
    (directory: string) =>
    async (...words: string[]): Promise<Finished> => {
      const { child, finished } = start(words, {}, directory);
      child.stdin.end();
      return finished;
    };

  return { home, toolIn, dataDirectory: join(home, ".local/share/toolplane"), start, tool, piped, env };
}
