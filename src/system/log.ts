import { destination, pino } from "pino";

/** A structured log, compatible with pino. The server's own redacts members with secret names, and secrets in texts. */
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

/** Depths at which errors of libraries nest the objects they concern. */
const DEPTHS = ["", "*.", "*.*.", "*.*.*."];

/** Toolplane's secrets, bearer credentials and passwords in URLs, recognised by their form anywhere in a line. */
const SECRET_FORMS: [form: RegExp, instead: string][] = [
  [/\bt[a-z]{2}_[0-9a-z]{57}\b/g, "[redacted]"],
  [/\b(Bearer +)[^\s"\\]+/gi, "$1[redacted]"],
  [/(:\/\/[^\s:/?#@"]*:)[^\s/?#@"]+@/g, "$1[redacted]@"],
];

/** What journald keeps in one entry by default is 48 KiB; other collectors take less. */
const MAX_LINE_LENGTH = 32_768;
const MAX_MEMBER_LENGTH = 16_384;
const MAX_TEXT_LENGTH = 4096;

/** @param to receives each line with its line feed; stderr by default */
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
    { write: (line: string) => to.write(maskCredentials(bounded(line))) },
  );
}

/** Returns a line of at most about 60,000 characters. What is cut says so; the line stays JSON. */
function bounded(line: string): string {
  if (line.length <= MAX_LINE_LENGTH) return line;
  const details: Record<string, unknown> = JSON.parse(line, (_name, value) =>
    typeof value === "string" ? cutText(value) : value,
  );
  for (const [name, value] of Object.entries(details)) {
    const json = JSON.stringify(value);
    if (json.length > MAX_MEMBER_LENGTH) details[name] = cutText(json);
  }
  return `${JSON.stringify(details)}\n`;
}

/** Masks more than it keeps, so that no credential is cut in half and then not recognised. */
function cutText(text: string): string {
  if (text.length <= MAX_TEXT_LENGTH) return text;
  const kept = maskCredentials(text.slice(0, 2 * MAX_TEXT_LENGTH)).slice(0, MAX_TEXT_LENGTH);
  return `${kept}… (cut, of ${text.length} characters)`;
}

/** Masks the secrets that are recognisable by their form. */
export function maskCredentials(line: string): string {
  return SECRET_FORMS.reduce((text, [form, instead]) => text.replace(form, instead), line);
}
