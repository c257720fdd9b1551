import { HOUR_MS } from "../../../system/durations.ts";
import type { StackPlace } from "../documents.ts";
import { KEPT_MS } from "../record.ts";
import type { ReportedError } from "../reported-error.ts";
import { debugIdOf } from "../source-maps/debug-id.ts";
import { chained, MAX_CAUSES } from "./chain.ts";
import { type Json, list, number, object, scalar, text } from "./fields.ts";
import { framesOf, imagesOf, type SourceFrame } from "./frames.ts";

/** Characters that are read of a template and of each value that is put in, twice as many as are kept of a message. */
const MAX_SAID = 4000;

/**
 * Converts an event of Sentry's SDKs (https://develop.sentry.dev/sdk/data-model/event-payloads/). Fields that
 * are missing or of another type are ignored, since a faulty report is better than none.
 *
 * @param sentAt when the event was sent by the clock of its sender.
 */
export function toldBy(event: unknown, now: number, sentAt = now): ReportedError {
  const { exception, logentry, message, transaction, request, contexts, fingerprint, timestamp } =
    object(event);
  const { event_id, release, environment, tags, user, platform } = object(event);
  const images = list(object(object(event).debug_meta).images) ?? [];
  const program = { platform, images: imagesOf(images) };
  const alone = object(exception);
  // First-generation SDKs send a single exception in this form.
  const single = [alone.type, alone.value].some((each) => text(each) !== undefined) ? [alone] : [];
  const exceptions = list(exception) ?? list(alone.values) ?? single;
  // Causes come first: the last one is what was thrown.
  const [thrown = {}, ...causes] = exceptions
    .slice(-1 - MAX_CAUSES)
    .map(object)
    .reverse();
  const entry = object(logentry ?? message);
  const said = text(entry.formatted) ?? filledIn(entry) ?? text(message) ?? "";
  // SDKs send a message as an exception without a type to attach a stack to it.
  const isSaid = text(thrown.type) === undefined && (text(thrown.value) ?? said) === said;
  const type = text(thrown.type) ?? (isSaid ? "Message" : "Error");
  const words = text(thrown.value) ?? said;
  const { frames, calls, ...chain } = chained(
    {
      type,
      message: words,
      frames: framesOf(thrown.stacktrace ?? stacktraceBeside(object(event)), program),
    },
    causes.map(({ type, value, stacktrace }) => ({
      type: text(type) ?? "Error",
      message: text(value) ?? "",
      frames: framesOf(stacktrace, program),
    })),
  );
  return {
    source: "client",
    type,
    message: words,
    template: isSaid ? templateOf(entry) : undefined,
    frames,
    ...(chain.causes.length > 0 && { causes: chain.causes }),
    at: timeOf(timestamp, now, sentAt),
    calls,
    places: placesOf([{ frames, from: 0 }, ...chain.causes], debugIdsOf(images)),
    route: text(transaction) ?? routeOf(object(request)),
    traceId: text(object(object(contexts).trace).trace_id),
    eventId: text(event_id),
    release: text(release),
    environment: text(environment),
    tags: tagsOf(tags),
    user: userOf(object(user)),
    grouping: list(fingerprint)?.flatMap((part) => scalar(part) ?? []),
  };
}

/** Returns the stack of a message or of a crash, which is the event's or that of the thread that reports it. */
function stacktraceBeside({ stacktrace, threads }: Json): unknown {
  const all = (list(threads) ?? list(object(threads).values) ?? []).map(object);
  const thread = all.find(({ crashed }) => crashed === true) ?? all.find(({ current }) => current === true);
  return stacktrace ?? (thread ?? all[0])?.stacktrace;
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

/**
 * Returns what a logger was told with the values put in, which old SDKs leave to the server. Both are cut first, since a template of a
 * megabyte can name a value of a megabyte as often as it likes.
 */
function filledIn({ message, params }: Json): string | undefined {
  const values = list(params) ?? [];
  const named = object(params);
  let next = 0;
  return text(message)
    ?.slice(0, MAX_SAID)
    .replace(PLACEHOLDER, (placeholder) => {
      const name = /[({]([^(){}:]+)[:)}]/.exec(placeholder)?.[1];
      const value = name !== undefined && Object.hasOwn(named, name) ? named[name] : values[next++];
      return scalar(value)?.slice(0, MAX_SAID) ?? placeholder;
    });
}

/** As of printf, Python, .NET, Java, Rust and JavaScript's templates. */
const PLACEHOLDER = /%(?:\([^()\s]{1,100}\))?[-+ #0-9.*]{0,10}[a-zA-Z]|\$?\{[^{}]{0,100}\}/g;
const TELLING = /\s|Error|Exception|\bE[A-Z]{3,}\b/;

/**
 * Returns the debug id of each file of the program, which identifies its build:
 * https://develop.sentry.dev/sdk/data-model/event-payloads/debugmeta/
 */
function debugIdsOf(images: readonly unknown[]): ReadonlyMap<string, string> {
  const pairs = images.map(object).flatMap(({ type, code_file, debug_id }) => {
    const [file, id] = [text(code_file), debugIdOf(debug_id)];
    return type === "sourcemap" && file !== undefined && id !== undefined ? [[file, id] as const] : [];
  });
  return new Map(pairs);
}

function placesOf(
  stacks: readonly { frames: readonly SourceFrame[]; from: number }[],
  debugIds: ReadonlyMap<string, string>,
): StackPlace[] {
  return stacks.flatMap(({ frames, from }) =>
    frames.flatMap(({ path, file, line = 0, column = 0 }, index) => {
      const debugId = debugIds.get(path ?? "") ?? debugIds.get(file ?? "");
      const isPlace = isPosition(line) && isPosition(column);
      return debugId !== undefined && isPlace ? [{ call: from + index, debugId, line, column }] : [];
    }),
  );
}

function isPosition(value: number): boolean {
  return Number.isInteger(value) && value > 0 && value < 2 ** 31;
}

/** Reads tags: pairs in a list, or members of an object. */
function tagsOf(tags: unknown): [string, string][] {
  const pairs: unknown[] = list(tags) ?? Object.entries(object(tags));
  return pairs.flatMap((pair) => {
    const [name, value] = Array.isArray(pair) ? pair : [];
    const said = scalar(value);
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
 * Parses seconds since the epoch, or ISO 8601, which means UTC where no zone is named. Times are put right by as much as the sender's
 * clock is wrong, if that is an hour or more; those that are in the future or too old even so count as now.
 */
function timeOf(timestamp: unknown, now: number, sentAt: number): number {
  const told = text(timestamp)?.replace(/^[\d-]+T[\d:.]+$/, "$&Z") ?? "";
  const read = typeof timestamp === "number" ? Math.round(timestamp * 1000) : Date.parse(told);
  const wrong = now - sentAt;
  const at = Math.abs(wrong) < HOUR_MS || read > sentAt ? read : read + wrong;
  return at > now - KEPT_MS && at < now ? at : now;
}
