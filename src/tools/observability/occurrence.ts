import { hash } from "node:crypto";
import { isPrintable } from "../../contract/endpoint.ts";
import { callIn } from "./call.ts";
import type { StackPlace } from "./documents.ts";
import { fingerprintOf } from "./fingerprint.ts";
import type { Source } from "./groups/contract.ts";
import { masked } from "./masked.ts";
import type { ReportedError } from "./reported-error.ts";

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
const EVENT_ID = /^[0-9a-f-]{32,36}$/i;
const TRACE_ID = /^(?!0{32})[0-9a-f]{32}$/;

export function occurrenceOf(told: ReportedError): Occurrence {
  const { source, at } = told;
  const type = masked(told.type, MAX.type) || "Error";
  const message = masked(told.message, MAX.message);
  const template = told.template && masked(told.template, MAX.message);
  const stack = stackOf(told, type, message);
  const where = told.route ?? whereIn(told);
  const route = where && masked(where, MAX.route);
  const traceId = told.traceId?.replaceAll("-", "").toLowerCase();
  const release = lineOf(told.release, MAX.release);
  const environment = lineOf(told.environment, MAX.environment);
  const tags = tagsOf(told.tags ?? []);
  const causes = told.causes?.map((cause) => ({
    ...cause,
    type: masked(cause.type, MAX.type),
    message: masked(cause.message, MAX.message),
  }));
  return {
    fingerprint: fingerprintOf({ ...told, type, message, template, causes }),
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

/** Returns the innermost call of the program itself. This server's own are shown to operators only, as its stacks are. */
function whereIn({ source, frames }: ReportedError): string | undefined {
  const own = frames.find(({ inApp }) => inApp) ?? frames[0];
  return own && source === "client" ? callIn(own) : undefined;
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
