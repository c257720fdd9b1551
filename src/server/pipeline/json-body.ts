import { isUtf8 } from "node:buffer";
import { mediaTypeOf } from "../../contract/media-types.ts";
import { Problem } from "../../contract/problem.ts";
import { isObject } from "../../system/is-object.ts";
import { holdsMoreValues } from "../../system/json-values.ts";
import { hasMoreFields } from "../../text/form-fields.ts";
import { grouped } from "../../text/grouped.ts";

/** The most values in a JSON body that a worker parses: so many take it about a second. */
const MAX_VALUES = 4_000_000;
/** The most values in a JSON body parsed on the main thread, which blocks all other requests for 20 ms at most. */
export const MAX_MAIN_VALUES = 50_000;

/** The byte order mark in UTF-8. */
const MARK = Buffer.from("\ufeff");

/** The most parameters of an OAuth endpoint, whose body may be read before the request is counted. */
const MAX_PARAMETERS = 100;

/** Parses a JSON body; an empty one without a Content-Type is `{}`. Throws 415 for any other media type. */
export function parseJson(body: Buffer, contentType: string | undefined, maxValues = MAX_VALUES): unknown {
  if (contentType === undefined && body.length === 0) return {};
  if (!isJson(contentType)) throw unsupported(contentType, "application/json");
  return decodeJson(body, maxValues);
}

function decodeJson(body: Buffer, maxValues: number): unknown {
  if (!isUtf8(body)) throw new Problem("invalid_json", "The body is not UTF-8.");
  // Each value takes at least one byte.
  if (body.length > maxValues && holdsMoreValues(body, maxValues)) {
    const most = grouped(maxValues);
    throw new Problem("payload_too_large", `The body holds more than ${most} values. Send it in parts.`);
  }
  try {
    return JSON.parse(body.toString("utf8", hasMark(body) ? MARK.length : 0));
  } catch (error) {
    throw new Problem("invalid_json", body.length === 0 ? "The body is empty." : (error as Error).message);
  }
}

/** Editors and shells of Windows write one mark, and RFC 8259 §8.1 allows it to be ignored. */
function hasMark(body: Buffer): boolean {
  return body[0] === MARK[0] && body[1] === MARK[1] && body[2] === MARK[2];
}

/**
 * Parses the parameters of an OAuth endpoint: a form (RFC 6749 appendix B), or JSON of strings. Throws if a parameter
 * is repeated (§3.2).
 */
export function parseParameters(body: Buffer, contentType: string | undefined): Record<string, string> {
  if (contentType === undefined && body.length === 0) return {};
  if (isJson(contentType)) return stringsOf(decodeJson(body, MAX_PARAMETERS));
  if (mediaTypeOf(contentType) !== "application/x-www-form-urlencoded") {
    throw unsupported(contentType, "application/x-www-form-urlencoded or application/json");
  }
  if (hasMoreFields(body, MAX_PARAMETERS)) {
    throw new Problem("payload_too_large", `The form holds more than ${MAX_PARAMETERS} parameters.`);
  }
  return onceEach(new URLSearchParams(body.toString("utf8")));
}

/** Returns a query or form as an object. Throws if a name is repeated. */
export function onceEach(parameters: URLSearchParams): Record<string, string> {
  const found: Record<string, string> = Object.create(null);
  for (const [name, value] of parameters) {
    if (name in found) throw new Problem("invalid_request", `"${name}" is given more than once.`);
    found[name] = value;
  }
  return found;
}

/** Returns the members of a JSON body. Throws if it is not an object. */
export function membersOf(value: unknown): Record<string, unknown> {
  if (isObject(value)) return value;
  throw new Problem("invalid_request", "The body must be a JSON object.");
}

function stringsOf(value: unknown): Record<string, string> {
  const found: Record<string, string> = Object.create(null);
  for (const [name, member] of Object.entries(membersOf(value))) {
    if (typeof member !== "string") throw new Problem("invalid_request", `"${name}" must be a string.`);
    found[name] = member;
  }
  return found;
}

function isJson(contentType: string | undefined): boolean {
  if (contentType === "application/json") return true;
  return (
    mediaTypeOf(contentType) === "application/json" &&
    !/charset=(?!"?utf-?8"?\s*(?:;|$))/i.test(contentType ?? "")
  );
}

function unsupported(contentType: string | undefined, wanted: string): Problem {
  const got =
    contentType === undefined ? "The body has no Content-Type" : `Content-Type "${contentType}" is not taken`;
  return new Problem("unsupported_media_type", `${got}; send ${wanted} in UTF-8.`);
}
