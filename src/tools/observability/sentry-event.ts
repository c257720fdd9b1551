import { isObject } from "../../system/is-object.ts";
import type { StackPlace } from "./documents.ts";
import type { Frame, ReportedError } from "./occurrence.ts";
import { KEPT_MS } from "./record.ts";
import { debugIdOf } from "./source-maps/debug-id.ts";

type Json = Record<string, unknown>;

/** Frames that are kept of a stack. */
const MAX_FRAMES = 50;
/** Elements that are read of each list that a client sends. */
const MAX_READ = 1000;
/** Characters of a function's or file's name. */
const MAX_NAME = 2000;

/**
 * Converts an event of Sentry's SDKs (https://develop.sentry.dev/sdk/data-model/event-payloads/). Fields that
 * are missing or of another type are ignored, since a faulty report is better than none.
 */
export function toldBy(event: unknown, now: number): ReportedError {
  const { exception, logentry, message, transaction, request, contexts, fingerprint, timestamp, threads } =
    object(event);
  const { event_id, release, environment, tags, user } = object(event);
  const alone = object(exception);
  // First-generation SDKs send a single exception in this form.
  const single = [alone.type, alone.value].some((each) => text(each) !== undefined) ? [alone] : [];
  const exceptions = list(exception) ?? list(alone.values) ?? single;
  // Causes come first: the last one is what was thrown.
  const thrown = object(exceptions.at(-1));
  const entry = object(logentry ?? message);
  const said = text(entry.formatted) ?? text(entry.message) ?? text(message) ?? "";
  const type = text(thrown.type) ?? (text(thrown.value) === undefined ? "Message" : "Error");
  const words = text(thrown.value) ?? said;
  const isSaid = text(thrown.type) === undefined && text(thrown.value) === undefined;
  const thread = object((list(threads) ?? list(object(threads).values) ?? [])[0]);
  const frames = framesOf(thrown.stacktrace ?? thread.stacktrace);
  return {
    source: "client",
    type,
    message: words,
    template: isSaid ? templateOf(entry) : undefined,
    frames,
    at: timeOf(timestamp, now),
    calls: frames.map(lineOf),
    places: placesOf(frames, debugIdsOf(object(event).debug_meta)),
    route: text(transaction) ?? routeOf(object(request)),
    traceId: text(object(object(contexts).trace).trace_id),
    eventId: text(event_id),
    release: text(release),
    environment: text(environment),
    tags: tagsOf(tags),
    user: userOf(object(user)),
    grouping: list(fingerprint)?.filter((part) => typeof part === "string"),
  };
}

/**
 * Returns what a logger was told before the values were put in. Values of several words and names of errors are kept, since they
 * say what failed (`unexpected: %s`), while a single word, such as a user's or a host's name, says to whom. Returns undefined for
 * a template without a word of its own.
 */
function templateOf({ message, params }: Json): string | undefined {
  const template = text(message);
  const values = list(params) ?? Object.values(object(params));
  if (template === undefined || values.length === 0) return undefined;
  if (!/\p{L}{2}/u.test(template.replace(PLACEHOLDER, ""))) return undefined;
  const telling = values.filter((value) => typeof value === "string" && TELLING.test(value.trim()));
  return [template, ...telling].join("\n");
}

/** As of printf, Python, .NET, Java, Rust and JavaScript's templates. */
const PLACEHOLDER = /%(?:\([^()\s]{1,100}\))?[-+ #0-9.*]{0,10}[a-zA-Z]|\$?\{[^{}]{0,100}\}/g;
const TELLING = /\s|Error|Exception|\bE[A-Z]{3,}\b/;

interface SourceFrame extends Frame {
  line?: number | undefined;
  column?: number | undefined;
  /** Path or URL that the code was loaded from. */
  path?: string | undefined;
}

/**
 * Returns the debug id of each file of the program, which identifies its build:
 * https://develop.sentry.dev/sdk/data-model/event-payloads/debugmeta/
 */
function debugIdsOf(debugMeta: unknown): ReadonlyMap<string, string> {
  const images = (list(object(debugMeta).images) ?? []).map(object);
  const pairs = images.flatMap(({ type, code_file, debug_id }) => {
    const [file, id] = [text(code_file), debugIdOf(debug_id)];
    return type === "sourcemap" && file !== undefined && id !== undefined ? [[file, id] as const] : [];
  });
  return new Map(pairs);
}

function placesOf(frames: readonly SourceFrame[], debugIds: ReadonlyMap<string, string>): StackPlace[] {
  return frames.flatMap(({ path, file, line = 0, column = 0 }, call) => {
    const debugId = debugIds.get(path ?? "") ?? debugIds.get(file ?? "");
    const isPlace = isPosition(line) && isPosition(column);
    return debugId !== undefined && isPlace ? [{ call, debugId, line, column }] : [];
  });
}

function isPosition(value: number): boolean {
  return Number.isInteger(value) && value > 0 && value < 2 ** 31;
}

/** Returns the frames with the innermost call first; Sentry has it last. */
function framesOf(stacktrace: unknown): SourceFrame[] {
  const frames = list(object(stacktrace).frames) ?? [];
  return frames
    .slice(-MAX_FRAMES)
    .reverse()
    .map((frame) => {
      const { function: name, filename, module, abs_path, lineno, colno, in_app } = object(frame);
      return {
        // Sentry's placeholder for a function without a name.
        function: name === "?" ? undefined : text(name)?.slice(0, MAX_NAME),
        file: (text(filename) ?? text(module) ?? text(abs_path))?.slice(0, MAX_NAME),
        inApp: in_app === true,
        path: text(abs_path),
        line: number(lineno),
        column: number(colno),
      };
    });
}

function lineOf({ function: name, file, line, column }: SourceFrame): string {
  const place = [file ?? "<unknown>", line, line === undefined ? undefined : column]
    .filter((part) => part !== undefined)
    .join(":");
  return name === undefined ? `    at ${place}` : `    at ${name} (${place})`;
}

/** Reads tags: pairs in a list, or members of an object. */
function tagsOf(tags: unknown): [string, string][] {
  const pairs: unknown[] = list(tags) ?? Object.entries(object(tags));
  return pairs.flatMap((pair) => {
    const [name, value] = Array.isArray(pair) ? pair : [];
    const said = typeof value === "number" || typeof value === "boolean" ? String(value) : text(value);
    return text(name) !== undefined && said !== undefined ? [[name as string, said] as [string, string]] : [];
  });
}

/** Returns the identifier that Sentry counts users by, in its order of preference. */
function userOf({ id, username, email, ip_address }: Json): string | undefined {
  return text(id) ?? number(id)?.toString() ?? text(username) ?? text(email) ?? addressOf(ip_address);
}

/**
 * Returns the address, except `{{auto}}`: it stands for the sender's address, which programs behind one proxy
 * share and which thus identifies nobody.
 */
function addressOf(address: unknown): string | undefined {
  return address === "{{auto}}" ? undefined : text(address);
}

/** Returns method and path. The query is left out, since it may hold secrets. */
function routeOf({ url, method }: Json): string | undefined {
  const path = text(url)
    ?.replace(/^[a-z]+:\/\/[^/?#]*/i, "")
    .split(/[?#]/, 1)[0];
  if (path === undefined) return undefined;
  return [text(method), path || "/"].filter(Boolean).join(" ");
}

/**
 * Parses seconds since the epoch, or ISO 8601. Times that are in the future or too old count as now, since
 * the clock is wrong.
 */
function timeOf(timestamp: unknown, now: number): number {
  const at = typeof timestamp === "number" ? Math.round(timestamp * 1000) : Date.parse(text(timestamp) ?? "");
  return at > now - KEPT_MS && at < now ? at : now;
}

function object(value: unknown): Json {
  return isObject(value) ? (value as Json) : {};
}

function list(value: unknown): unknown[] | undefined {
  return Array.isArray(value) ? value.slice(-MAX_READ) : undefined;
}

function text(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

function number(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}
