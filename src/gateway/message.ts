import { Problem } from "../contract/problem.ts";
import { isObject } from "../system/is-object.ts";

export type MessageId = string | number;

/** One client message as parsed by the gateway. */
export interface Message {
  kind: "request" | "notification" | "response";
  /** Present on requests and responses. */
  id?: MessageId;
  method: string;
  params: Readonly<Record<string, unknown>>;
  /** The name of a tool or prompt, or the URI of a resource, that it refers to. */
  subject?: string;
  /** The text to send upstream. Serialised again, so that the upstream cannot parse it differently. */
  text: string;
}

const MAX_ID_LENGTH = 256;
const MAX_NAME_LENGTH = 256;
const MAX_URI_LENGTH = 8192;
/** Length of all URIs that are subscribed to in one message, since each is held against the gates. */
const MAX_URIS_LENGTH = 65_536;
/** What a URI counts as beside its characters, since many short ones take as long as few long ones. */
const URI_COST = 64;

/** No number of fewer characters is beyond all numbers, unless it has an exponent. */
const MAX_FRACTION_LENGTH = 300;

const MEMBERS = ["jsonrpc", "id", "method", "params", "result", "error"];
/**
 * The members of `params` that the gateway reads. A similarly named one, which a lenient parser would confuse, is
 * refused.
 */
const READ = ["name", "uri", "ref", "arguments", "_meta", "notifications", "inputResponses", "requestState"];
const READ_BY_FOLDED: ReadonlyMap<string, string> = new Map(READ.map((member) => [folded(member), member]));

/** The member of `params` that names a request's subject. */
const SUBJECTS: Readonly<Record<string, "name" | "uri">> = {
  "tools/call": "name",
  "prompts/get": "name",
  "resources/read": "uri",
  "resources/subscribe": "uri",
  "resources/unsubscribe": "uri",
};

/**
 * Parses one JSON-RPC 2.0 message. Throws `invalid_request` for batches, and for anything that the upstream could
 * parse differently.
 *
 * @param value parsed from `json`, with the last of duplicate members.
 */
export function readMessage(value: unknown, json: string): Message {
  if (Array.isArray(value)) throw refused("Send one message a request, no batch.");
  if (!isObject(value) || value.jsonrpc !== "2.0") throw refused("The body is no JSON-RPC 2.0 message.");
  const stranger = Object.keys(value).find((member) => !MEMBERS.includes(member));
  if (stranger !== undefined) throw refused(`A message has no member "${stranger.slice(0, 64)}".`);
  const { id, method, params = {} } = value;
  if (id !== undefined && !isId(id)) {
    throw refused(`An id is a whole number or a text of at most ${MAX_ID_LENGTH} characters.`);
  }
  checkNumbers(json);
  const text = JSON.stringify(value);
  const identified = id === undefined ? {} : { id };
  if (method === undefined) {
    if (id === undefined || "result" in value === "error" in value) {
      throw refused("A message has a method, or it is the answer to one: an id and either result or error.");
    }
    return { kind: "response", ...identified, method: "", params: {}, text };
  }
  if (typeof method !== "string" || method === "" || method.length > MAX_NAME_LENGTH) {
    throw refused(`A method is a text of at most ${MAX_NAME_LENGTH} characters.`);
  }
  if ("result" in value || "error" in value) throw refused("A message is either a request or an answer.");
  if (!isObject(params)) throw refused("The params of a message are an object.");
  // A lenient server would execute it, and there would be no answer to count by.
  if (id === undefined && !method.startsWith("notifications/")) throw refused(`${method} needs an id.`);
  checkMembers(params);
  checkReferences(method, params);
  return {
    kind: id === undefined ? "notification" : "request",
    ...identified,
    method,
    params,
    ...subjectOf(method, params),
    text,
  };
}

function subjectOf(method: string, params: Readonly<Record<string, unknown>>): { subject?: string } {
  const member = Object.hasOwn(SUBJECTS, method) ? SUBJECTS[method] : undefined;
  if (member === undefined) return {};
  const subject = params[member];
  // Left to the upstream to refuse, except for a call, which could not be counted.
  if (subject === undefined && method !== "tools/call") return {};
  const most = member === "uri" ? MAX_URI_LENGTH : MAX_NAME_LENGTH;
  if (typeof subject === "string" && subject !== "" && subject.length <= most) return { subject };
  throw refused(`${method} needs params.${member}, a text of at most ${most} characters.`);
}

/** Refuses names and URIs, other than the subject, that would take long to be held against the gates. */
function checkReferences(method: string, { ref, notifications }: Message["params"]): void {
  if (method === "completion/complete" && isObject(ref)) {
    if (lengthOf(ref.name) > MAX_NAME_LENGTH)
      throw refused(`The name in params.ref has at most ${MAX_NAME_LENGTH} characters.`);
    if (lengthOf(ref.uri) > MAX_URI_LENGTH)
      throw refused(`The uri in params.ref has at most ${MAX_URI_LENGTH} characters.`);
  }
  if (method !== "subscriptions/listen" || !isObject(notifications)) return;
  const uris = notifications.resourceSubscriptions;
  if (!Array.isArray(uris)) return;
  const length = uris.reduce<number>((sum, uri) => sum + lengthOf(uri) + URI_COST, 0);
  if (length > MAX_URIS_LENGTH || uris.some((uri) => lengthOf(uri) > MAX_URI_LENGTH)) {
    throw refused(
      `The URIs of resourceSubscriptions have at most ${MAX_URIS_LENGTH} characters together, of which each counts as ${URI_COST} more, and each at most ${MAX_URI_LENGTH}. Open several streams.`,
    );
  }
}

function lengthOf(text: unknown): number {
  return typeof text === "string" ? text.length : 0;
}

/** Refuses similar names: Go's `encoding/json` accepts `Name` for `name`, and uses the last of both. */
function checkMembers(params: Readonly<Record<string, unknown>>): void {
  for (const member of Object.keys(params)) {
    const alike = READ_BY_FOLDED.get(folded(member));
    if (alike !== undefined && alike !== member)
      throw refused(`params has a member "${member}", which could be taken for "${alike}".`);
  }
}

function folded(member: string): string {
  return member.toUpperCase().toLowerCase();
}

/** Refuses numbers that JavaScript would silently change. */
function checkNumbers(json: string): void {
  if (!/\d{16}|[eE]\+?\d{3}/.test(json)) return;
  for (const [number] of withoutStrings(json).matchAll(/-?\d[\d.eE+-]*/g)) {
    const isWhole = /^-?\d+$/.test(number);
    // Neither too large nor to be kept exactly. Thousands of long ones would take as long to read as the message itself.
    if (!isWhole && number.length < MAX_FRACTION_LENGTH && !/e/i.test(number)) continue;
    const value = Number(number);
    if (Number.isFinite(value) && (!isWhole || String(value) === number || Number.isSafeInteger(value)))
      continue;
    throw refused(
      `The number ${number.slice(0, 40)} is too large to be passed on as it is; send it as a text.`,
    );
  }
}

function withoutStrings(json: string): string {
  // One alternative for each character would take five times as long.
  return json.replace(/"[^"\\]*(?:\\.[^"\\]*)*"/g, '""');
}

function isId(id: unknown): id is MessageId {
  if (typeof id === "string") return id.length <= MAX_ID_LENGTH;
  return Number.isSafeInteger(id);
}

/** Removes the byte order mark that some programs write before JSON, and that clients ignore (RFC 8259 §8.1). */
export function withoutMark(text: string): string {
  return text.startsWith("\ufeff") ? text.slice(1) : text;
}

function refused(detail: string): Problem {
  return new Problem("invalid_request", detail);
}
