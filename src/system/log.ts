import { destination, pino } from "pino";

/** Structured log lines, as pino and others take them. Ours are redacted of secrets by name wherever they stand. */
export interface Log {
  debug: LogLine;
  info: LogLine;
  warn: LogLine;
  error: LogLine;
}

type LogLine = (details: object, message?: string) => void;

export type LogLevel = "debug" | "info" | "warn" | "error" | "silent";

const SECRET_MEMBERS = [
  "authorization",
  "cookie",
  "password",
  "secret",
  "access_token",
  "refresh_token",
  "device_code",
  "token",
  '["x-api-key"]',
  '["set-cookie"]',
];

/** As deep as errors of libraries hold what they were about. */
const DEPTHS = ["", "*.", "*.*.", "*.*.*."];

/** Our own secrets, bearer credentials and passwords in URLs, by their form wherever they stand. */
const SECRET_FORMS: [form: RegExp, instead: string][] = [
  [/\bt[a-z]{2}_[0-9a-z]{57}\b/g, "[redacted]"],
  [/\b(Bearer +)[^\s"\\]+/gi, "$1[redacted]"],
  [/(:\/\/[^\s:/?#@"]*:)[^\s/?#@"]+@/g, "$1[redacted]@"],
];

/** @param to Takes each line with its line feed; stderr unless given. */
export function createLog(
  level: LogLevel,
  to: { write(line: string): void } = destination({ dest: 2, sync: true }),
): Log {
  return pino(
    {
      level,
      base: null,
      redact: {
        paths: DEPTHS.flatMap((depth) =>
          SECRET_MEMBERS.map((name) => (name.startsWith("[") ? depth.slice(0, -1) : depth) + name),
        ),
        censor: "[redacted]",
      },
      timestamp: () => `,"at":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
    },
    { write: (line: string) => to.write(maskCredentials(line)) },
  );
}

/** A text without the secrets that show by their form. */
export function maskCredentials(line: string): string {
  return SECRET_FORMS.reduce((text, [form, instead]) => text.replace(form, instead), line);
}
