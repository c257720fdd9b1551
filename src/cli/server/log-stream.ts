import type { Io } from "../terminal/io.ts";
import { prioritizing, SEVERITIES } from "../terminal/journald.ts";

const LEVEL = /^\{"level":"(\w+)"/;

/** Returns where lines of the log go: stderr, each with the priority of its level where journald reads it. */
export function logStream(io: Pick<Io, "err" | "environment">): { write(line: string): void } {
  const stream = io.err.jsonStream;
  const prioritized = prioritizing(io);
  return {
    write(line) {
      const level = LEVEL.exec(line)?.[1] as keyof typeof SEVERITIES | undefined;
      stream.write(prioritized(line, level && SEVERITIES[level]));
    },
  };
}
