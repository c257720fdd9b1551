import type { Diagnosis } from "./report.ts";

/**
 * A quarter of the largest request. The end of a log is enough, since builds fail there, and a log is in memory five
 * times over, as bytes, text and JSON.
 */
export const MAX_BYTES = 16 << 20;
const LINE_END = /\r\n|\r|\n/g;

export interface Fitted {
  log: string;
  /** The number of lines that were left out before it. */
  skipped: number;
}

/** Returns the log, or as much of its end as fits into a request as JSON. */
export function fitted(whole: string, mostBytes = MAX_BYTES): Fitted {
  let log = whole;
  for (let bytes = bytesOf(log); bytes > mostBytes; bytes = bytesOf(log)) {
    const rest = log.slice(log.length - Math.floor((0.98 * log.length * mostBytes) / bytes));
    const end = /\r\n|\r|\n/.exec(rest);
    log = end ? rest.slice(end.index + end[0].length) : rest;
  }
  const before = whole.slice(0, whole.length - log.length);
  return { log, skipped: before.match(LINE_END)?.length ?? 0 };
}

const LOOKED_AT = 10_000;
const MAX_UNREADABLE = 0.1;
/** Invalid UTF-8, and control characters that logs do not contain. NUL is not included: it may come from UTF-16. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they tell a program or an archive from a log
const UNREADABLE = /[\ufffd\u0001-\u0006\u000e-\u001a\u001c-\u001f]/g;

/** Whether the text is a program or an archive rather than a log. Parts of those could match any rule. */
export function isBinary(text: string): boolean {
  const beginning = text.slice(0, LOOKED_AT);
  return (beginning.match(UNREADABLE)?.length ?? 0) > MAX_UNREADABLE * beginning.length;
}

function bytesOf(log: string): number {
  return Buffer.byteLength(JSON.stringify(log));
}

/** Returns the diagnosis with line numbers of the whole log. */
export function numbered(diagnosis: Diagnosis, skipped: number): Diagnosis {
  const { cause, alsoSeen } = diagnosis;
  if (skipped === 0 || !cause) return diagnosis;
  const shift = <T extends { logLine: number }>(finding: T) => ({
    ...finding,
    logLine: finding.logLine + skipped,
  });
  const excerpt = cause.excerpt.map(({ number, text }) => ({ number: number + skipped, text }));
  return { ...diagnosis, cause: { ...shift(cause), excerpt }, alsoSeen: alsoSeen.map(shift) };
}
