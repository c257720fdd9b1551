import type { ServerEvent } from "../../contract/endpoint.ts";
import type { Problem } from "../../contract/problem.ts";
import { overloaded, rateLimited } from "../../contract/retry-later.ts";
import { onAbort } from "../../system/abort.ts";
import type { Clock } from "../../system/clock.ts";
import { MINUTE_MS } from "../../system/durations.ts";
import { awaited, inTime } from "../../system/in-time.ts";
import type { Answer } from "../pipeline/answer.ts";
import type { Exchange, Identity } from "../pipeline/exchange.ts";

/** Answers that last for as long as there are events: server-sent events (HTML §9.2). */
export interface EventStreams {
  /** Opens a stream. Throws `rate_limited` if the credential or its account has reached its bound. */
  open(exchange: Exchange, follow: Follow): Answer;
  /** Returns how many streams a credential has open. */
  openBy(credentialId: string): number;
  /** Returns how many streams are open altogether. */
  openNow(): number;
  /** Ends the open streams and refuses new ones: a server that stops waits for its answers to end. */
  stop(): void;
}

type Follow = (signal: AbortSignal) => AsyncIterable<ServerEvent>;

/** An account may have this many times the streams of one credential, on this instance. */
const MAX_CREDENTIALS = 10;
/** A client that reads nothing for this long, while data waits for it, is disconnected; it may reconnect later. */
const MAX_STALL_MS = MINUTE_MS;
/** How often an open stream checks its credential. A revoked one is refused everywhere within this time. */
const CHECK_MS = 1000;
/** Proxies close idle connections, most of them after 60 s, some after 30. */
const HEARTBEAT_MS = 15_000;
/** Sent first: how long clients should wait before they reconnect, in milliseconds. */
const OPENING = "retry: 1000\n\n";
const HEARTBEAT = ":\n\n";

export interface EventStreamsPorts {
  clock: Clock;
  /** Whether the credential of a request is still valid. */
  isValid: (exchange: Exchange) => Promise<boolean>;
  /** Returns how many streams one credential of the account may have open. */
  boundOf: (account: Identity["account"]) => number;
}

export function createEventStreams({ clock, isValid, boundOf }: EventStreamsPorts): EventStreams {
  const open = new Set<AbortController>();
  /** Open streams by the id of a credential or account; these ids never collide. */
  const counts = new Map<string, number>();
  let stopped = false;

  function count(id: string, by: 1 | -1): void {
    const now = (counts.get(id) ?? 0) + by;
    if (now > 0) counts.set(id, now);
    else counts.delete(id);
  }

  /** Returns the ids that a stream counts for. Throws `rate_limited` if one of them has reached its bound. */
  function subjectsOf({ identity }: Exchange): string[] {
    if (!identity) return [];
    const { account, credential } = identity;
    const bound = boundOf(account);
    if ((counts.get(credential.id) ?? 0) >= bound) throw tooMany("credential", bound);
    const ofAccount = MAX_CREDENTIALS * bound;
    if ((counts.get(account.id) ?? 0) >= ofAccount) throw tooMany("account", ofAccount);
    return [credential.id, account.id];
  }

  /** Counts a stream until its response closes, even if none of it was ever sent. */
  function begin(exchange: Exchange): AbortController {
    const { res } = exchange;
    const subjects = subjectsOf(exchange);
    const over = new AbortController();
    for (const subject of subjects) count(subject, 1);
    open.add(over);
    const end = () => {
      over.abort();
      if (!open.delete(over)) return;
      for (const subject of subjects) count(subject, -1);
    };
    if (res.destroyed) end();
    else res.once("close", end);
    return over;
  }

  /** Yields the stream's text as fast as the client reads, so that the backlog of a slow client stays in the store. */
  async function* textOf(exchange: Exchange, follow: Follow, over: AbortSignal): AsyncGenerator<string> {
    const told = new AbortController();
    const tell = () => told.abort();
    onAbort(over, tell);
    const events = asyncEvents(follow(told.signal))[Symbol.asyncIterator]();
    let next = events.next();
    let isThere = awaited(next, clock);
    let spokeAt = clock.monotonic();
    try {
      yield OPENING;
      for (;;) {
        const found = (await isThere(CHECK_MS)) ? await next : undefined;
        if (over.aborted || found?.done || !(await isValid(exchange))) return;
        if (!found && clock.monotonic() - spokeAt < HEARTBEAT_MS) continue;
        const taken = stallTimer(exchange);
        try {
          yield found ? textOfEvent(found.value) : HEARTBEAT;
        } finally {
          taken();
        }
        spokeAt = clock.monotonic();
        if (found) {
          next = events.next();
          isThere = awaited(next, clock);
        }
      }
    } finally {
      tell();
      over.removeEventListener("abort", tell);
      // A source that does not heed its signal ends by itself, so that its client is not left waiting.
      const ended = next.catch(() => {}).then(() => events.return?.());
      await inTime(ended, { clock, ms: CHECK_MS, late: () => undefined });
    }
  }

  /** Disconnects a client that reads nothing for too long. The returned function cancels the timer. */
  function stallTimer({ res }: Exchange): () => void {
    const taken = new AbortController();
    clock.sleep(MAX_STALL_MS, taken.signal).then(
      () => res.destroy(),
      () => {},
    );
    return () => taken.abort();
  }

  return {
    open(exchange, follow) {
      if (stopped) throw stopping();
      const over = begin(exchange).signal;
      return {
        status: 200,
        // Without it, nginx would buffer the events.
        headers: { "Content-Type": "text/event-stream; charset=utf-8", "X-Accel-Buffering": "no" },
        body: textOf(exchange, follow, over),
      };
    },
    openBy: (credentialId) => counts.get(credentialId) ?? 0,
    openNow: () => open.size,
    stop() {
      stopped = true;
      for (const each of open) each.abort();
    },
  };
}

/** Returns the events of a handler. Throws an `Error` if they are none. */
export function asyncEvents(events: AsyncIterable<ServerEvent>): AsyncIterable<ServerEvent> {
  if (typeof events?.[Symbol.asyncIterator] === "function") return events;
  throw new Error(
    "The events of a stream are an async iterable: Reply.events(async function* (signal) { … }).",
  );
}

/** Formats an event. JSON has no line breaks, so one `data` line holds all of it. */
function textOfEvent({ id, event, data }: ServerEvent): string {
  if (!isLine(id) || !isLine(event) || data === undefined) {
    throw new Error(
      "An event of a stream has an `id` and an `event`, each a text without line breaks, and `data`.",
    );
  }
  return `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** A line break would begin another field, such as the data of an event that nobody sent. */
function isLine(text: unknown): boolean {
  return typeof text === "string" && text !== "" && !/[\n\r\0]/.test(text);
}

function stopping(): Problem {
  return overloaded("This server is about to stop. Come again in a moment.", 1);
}

function tooMany(whose: "credential" | "account", bound: number): Problem {
  return rateLimited(
    `This ${whose} has ${bound} streams of events open, the most there may be. Close one first.`,
    "streams",
    10,
  );
}
