import { fstatSync } from "node:fs";
import type { Io } from "../terminal/io.ts";

/** What levels are as severities of syslog (RFC 5424 §6.2.1). */
const SEVERITIES: Readonly<Record<string, number>> = { error: 3, warn: 4, info: 6, debug: 7 };
const LEVEL = /^\{"level":"(\w+)"/;

/**
 * Returns where lines of the log go: stderr. Where that is journald's, each has its severity in front, which journald
 * takes off and keeps as the priority of the entry (sd-daemon(3)).
 */
export function logStream({ err, environment }: Pick<Io, "err" | "environment">): {
  write(line: string): void;
} {
  const stream = err.jsonStream;
  if (!isJournal(environment.JOURNAL_STREAM)) return stream;
  return {
    write(line) {
      const severity = SEVERITIES[LEVEL.exec(line)?.[1] ?? ""];
      stream.write(severity === undefined ? line : `<${severity}>${line}`);
    },
  };
}

/** Whether stderr is the stream that systemd names in `JOURNAL_STREAM`, and was not redirected since (systemd.exec(5)). */
function isJournal(named: string | undefined): boolean {
  if (named === undefined) return false;
  const { dev, ino } = fstatSync(2);
  return named === `${dev}:${ino}`;
}
