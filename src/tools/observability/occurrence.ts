import { hash } from "node:crypto";
import { isPrintable } from "../../contract/endpoint.ts";
import type { StackPlace } from "./documents.ts";
import type { Source } from "./groups/contract.ts";
import { masked } from "./masked.ts";

/** An error as it is recorded: with secrets masked, and cut to the bounds. */
export interface Occurrence {
  fingerprint: string;
  source: Source;
  type: string;
  message: string;
  /** Milliseconds since the epoch. */
  firstAt: number;
  lastAt: number;
  count: number;
  route?: string;
  stack?: string;
  /** The calls of the stack that source maps may restore. */
  places?: StackPlace[];
  traceId?: string;
  eventId?: string;
  release?: string;
  environment?: string;
  tags?: Record<string, string>;
  /** A hash of the affected user. */
  user?: string;
}

/** One call of a stack, as far as it is known. */
export interface Frame {
  function?: string | undefined;
  file?: string | undefined;
  /** Whether it is the program's own code rather than a dependency's. */
  inApp: boolean;
}

/** An error as it was reported. */
export interface ReportedError {
  source: Source;
  type: string;
  message: string;
  /** What to group by in place of the message, such as `order %s failed` without its values. */
  template?: string | undefined;
  /** The innermost call first. */
  frames: readonly Frame[];
  at: number;
  stack?: string | undefined;
  /** Instead of `stack`: a line for each call. */
  calls?: readonly string[] | undefined;
  places?: readonly StackPlace[] | undefined;
  route?: string | undefined;
  traceId?: string | undefined;
  eventId?: string | undefined;
  release?: string | undefined;
  environment?: string | undefined;
  tags?: readonly (readonly [name: string, value: string])[] | undefined;
  /** Identifies the affected user. */
  user?: string | undefined;
  /** The grouping that the reporter asks for. `{{ default }}` stands for the default one. */
  grouping?: readonly string[] | undefined;
}

const MAX = {
  type: 200,
  message: 2000,
  stack: 8000,
  call: 1000,
  route: 300,
  release: 100,
  environment: 60,
  tag: 100,
  tags: 10,
};
/** Calls that are part of the fingerprint: those nearest to the failure. */
const TELLING_FRAMES = 5;
const DEFAULT_GROUPING = /^\{\{\s*default\s*\}\}$/;
const EVENT_ID = /^[0-9a-f-]{32,36}$/i;
const TRACE_ID = /^(?!0{32})[0-9a-f]{32}$/;

export function occurrenceOf(told: ReportedError): Occurrence {
  const { source, at } = told;
  const type = masked(told.type, MAX.type) || "Error";
  const message = masked(told.message, MAX.message);
  const template = told.template && masked(told.template, MAX.message);
  const stack = stackOf(told, type, message);
  const route = told.route && masked(told.route, MAX.route);
  const traceId = told.traceId?.replaceAll("-", "").toLowerCase();
  const release = lineOf(told.release, MAX.release);
  const environment = lineOf(told.environment, MAX.environment);
  const tags = tagsOf(told.tags ?? []);
  return {
    fingerprint: fingerprintOf({ ...told, type, message, template }),
    source,
    type,
    message,
    firstAt: at,
    lastAt: at,
    count: 1,
    ...(route && { route }),
    ...(stack && { stack }),
    ...(told.places && told.places.length > 0 && { places: [...told.places] }),
    ...(traceId && TRACE_ID.test(traceId) && { traceId }),
    ...(told.eventId && EVENT_ID.test(told.eventId) && { eventId: told.eventId }),
    ...(release && { release }),
    ...(environment && { environment }),
    ...(tags && { tags }),
    ...(told.user !== undefined && { user: hash("sha256", told.user, "base64url") }),
  };
}

/** Returns the stack. If there are `calls`, these take a line each, after the lines of the message. */
function stackOf({ stack, calls = [] }: ReportedError, type: string, message: string): string | undefined {
  if (calls.length === 0) return stack && masked(stack, MAX.stack);
  const lines = calls.map((call) => masked(call, MAX.call).replaceAll("\n", " "));
  return [`${type}: ${message}`, ...lines].join("\n").slice(0, MAX.stack).toWellFormed();
}

/** Returns one masked, printable line to filter and group by, or undefined. */
function lineOf(text: string | undefined, most: number): string | undefined {
  const line = text && masked(text, most).trim();
  return line && isPrintable(line) ? line : undefined;
}

function tagsOf(told: NonNullable<ReportedError["tags"]>): Record<string, string> | undefined {
  const tags = told.slice(0, MAX.tags).flatMap(([name, value]) => {
    // Masked together, since the name that a secret is assigned to may give it away.
    const assigned = lineOf(`${name}=${value}`, 2 * MAX.tag);
    const [, key, kept] = /^([^=]{1,100})=(.*)$/.exec(assigned ?? "") ?? [];
    return key && kept ? [[key, kept] as const] : [];
  });
  return tags.length > 0 ? Object.fromEntries(tags) : undefined;
}

/**
 * Functions without a name, which compilers number in the order of a file: Java's and Kotlin's `lambda$run$2`, Go's `Run.func1.2`,
 * C#'s `<>c__DisplayClass5_0.<Run>b__1`.
 */
const NUMBERED = /([$.]|__|DisplayClass|\bfunc|gowrap)\d+(?:_\d+)*(?![\p{L}\p{N}])/gu;

/**
 * Returns a fingerprint that is the same for every occurrence of an error, whatever ids, numbers and
 * addresses its message has.
 */
function fingerprintOf({ source, type, message, template, frames, grouping }: ReportedError): string {
  const own = frames.filter(({ inApp }) => inApp);
  const telling = (own.length > 0 ? own : frames).slice(0, TELLING_FRAMES);
  // Without line numbers, which move with every change to a file.
  const calls = telling.map(({ function: name, file }) =>
    name ? [name.replace(NUMBERED, "$1#"), ""] : ["", file ?? ""],
  );
  // The calls tell errors apart better than a path, which names the user, file or resource that it happened to.
  const said = template ?? message;
  const told = calls.length > 0 ? withoutPaths(said) : said;
  const usual = JSON.stringify([type, alike(told), calls]);
  const parts = grouping?.length
    ? grouping.map((part) => (DEFAULT_GROUPING.test(part) ? usual : part))
    : [usual];
  return `err_${hash("sha256", JSON.stringify([source, ...parts]), "hex").slice(0, 24)}`;
}

/** Replaces what follows the host of a URL, and absolute paths of two names or more. */
function withoutPaths(message: string): string {
  return message
    .replace(
      /\b([a-z][a-z0-9+.-]{1,15}:\/\/[^\s/"'`<>()?#]{1,253})(?:\[masked [^\]\s]{1,30}\]|[^\s"'`<>()])*/gi,
      "$1",
    )
    .replace(
      /(?<![\p{L}\p{N}_/\\.:~-])(?:~|[a-z]:)?(?:[/\\](?:\[masked [^\]\s]{1,30}\]|[^\s/\\"'`<>()|:*?])+){2,}[/\\]?/giu,
      "#",
    );
}

/** Replaces the parts of a message that differ between occurrences. */
function alike(message: string): string {
  return (
    message
      .replace(/"[^"\n]{0,300}"|`[^`\n]{0,300}`|[“„][^“”\n]{0,300}[“”]|«[^«»\n]{0,300}»/g, '""')
      // An apostrophe, as in "can't" and "o'neil", neither begins nor ends a quotation; b'…' is Python's.
      .replace(/(?<![\p{L}\p{N}])[bfru]?'(?:[^'\n]|(?<=\p{L})'(?=\p{L})){0,300}'(?![\p{L}\p{N}])/gu, '""')
      // The values of a query.
      .replace(/\?[\w.~%[\]-]{1,100}=[^\s"'`<>()]*/g, "?")
      .replace(/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, "#")
      .replace(/\b0x[0-9a-f]+\b/gi, "#")
      .replace(
        /\b[a-z]{2,8}_(?:[0-9a-z]{20,}|(?=[0-9A-Za-z]*\d)(?=[0-9A-Za-z]*[A-Z])[0-9A-Za-z]{10,})\b/g,
        "#",
      )
      // A pod of a Kubernetes deployment: the hash of its template, and five letters.
      .replace(
        /-(?:[0-9a-f]{6,10}|[2456789bcdfghj-np-tv-xz]{6,10})-[2456789bcdfghj-np-tv-xz]{5}(?![0-9A-Za-z])/g,
        "-#",
      )
      .replace(/\b(?=[0-9a-f]*\d)[0-9a-f]{6,}\b/gi, "#")
      // Of an HTTP status, the class: 4 for the client's fault, 5 for the server's.
      .replace(
        /\b(status(?: ?code)?|HTTP(?:\/\d(?:\.\d)?)?)([\s:=(]{1,3})([1-5])\d\d\b/gi,
        (_, name: string, between: string, digit: string) => `${name}${between}class ${"abcde"[+digit - 1]}`,
      )
      // A sign, a fraction, thousands.
      .replace(/(?<![\w)])-(?=\d)/g, "")
      .replace(/\d+(?:[.,]\d+)*/g, "#")
      // Durations and sizes, whatever their unit: 590.7ms, 1m35s, 12 seconds, 424 KB, 1.5 MiB.
      .replace(
        /(?:# ?(?:[mnuµμ]?s|[hmd]|sec(?:ond)?s?|min(?:ute)?s?|hours?|days?|[kKMGTP]?i?B|bytes?)(?![\p{L}\p{N}]) ?)+/gu,
        "# ",
      )
      // Lists of any length.
      .replace(/#(?:, ?#)+/g, "#")
      .replace(/""(?:, ?"")+/g, '""')
  );
}
