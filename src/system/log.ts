import { destination, type Logger, pino } from "pino";

/** Structured log lines. Secrets are redacted by name wherever they stand. */
export type Log = Pick<Logger, "debug" | "info" | "warn" | "error" | "child">;

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
        paths: SECRET_MEMBERS.flatMap((name) =>
          name.startsWith("[") ? [name, `*${name}`] : [name, `*.${name}`],
        ),
        censor: "[redacted]",
      },
      timestamp: () => `,"at":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
    },
    to,
  );
}
