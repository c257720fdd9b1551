import { fstatSync } from "node:fs";
import type { Io } from "./io.ts";

/** Severities of syslog (RFC 5424 §6.2.1), by level of the log. */
export const SEVERITIES = { error: 3, warn: 4, info: 6, debug: 7 } as const;

/**
 * Returns what puts a severity before each line of a text for stderr where that is journald's, which takes it off and
 * keeps it as the priority of the entry (sd-daemon(3)). Elsewhere, and without a severity, a text stays as it is.
 */
export function prioritizing({ environment }: Pick<Io, "environment">) {
  if (!isJournal(environment.JOURNAL_STREAM)) return (text: string) => text;
  return (text: string, severity: number | undefined) =>
    severity === undefined ? text : text.replace(/^(?=[\s\S])/gm, `<${severity}>`);
}

/** Whether stderr is the stream that systemd names in `JOURNAL_STREAM`, and was not redirected since (systemd.exec(5)). */
function isJournal(named: string | undefined): boolean {
  if (named === undefined) return false;
  const { dev, ino } = fstatSync(2);
  return named === `${dev}:${ino}`;
}
