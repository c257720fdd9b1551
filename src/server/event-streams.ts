import type { ServerEvent } from "../contract/endpoint.ts";
import { Problem } from "../contract/problem.ts";
import type { Clock } from "../system/clock.ts";
import type { Answer } from "./answer.ts";
import type { Exchange } from "./exchange.ts";

/** Answers that go on for as long as there is something to say: server-sent events (HTML §9.2). */
export interface EventStreams {
  /** `Problem` `rate_limited` where the account has as many open as it may. */
  open(exchange: Exchange, follow: Follow): Answer;
  /** Ends those that are open, and opens no more: a server that stops waits for its answers. */
  stop(): void;
}

type Follow = (signal: AbortSignal) => AsyncIterable<ServerEvent>;

/** Of an account, on this instance. */
const MOST_STREAMS = 100;
/** Within this a revoked credential is refused everywhere. */
const CHECK_MS = 1000;
/** Proxies give up connections on which nothing happens, most after 60 s, some after 30. */
const HEARTBEAT_MS = 15_000;
/** How soon a client whose stream broke is to come again. */
const OPENING = "retry: 1000\n\n";
const HEARTBEAT = ":\n\n";

export interface EventStreamsPorts {
  clock: Clock;
  /** Whether the credential of a request holds now. */
  isValid: (exchange: Exchange) => Promise<boolean>;
}

export function createEventStreams({ clock, isValid }: EventStreamsPorts): EventStreams {
  const open = new Set<AbortController>();
  const byAccount = new Map<string, number>();
  let stopped = false;

  /** Counts the stream until its response is closed, be it that none of it was ever sent. */
  function begin({ res, identity }: Exchange): AbortSignal {
    const accountId = identity?.account.id ?? "";
    const count = byAccount.get(accountId) ?? 0;
    if (count >= MOST_STREAMS) throw tooMany();
    const over = new AbortController();
    byAccount.set(accountId, count + 1);
    open.add(over);
    const end = () => {
      over.abort();
      open.delete(over);
      const left = (byAccount.get(accountId) ?? 1) - 1;
      if (left > 0) byAccount.set(accountId, left);
      else byAccount.delete(accountId);
    };
    if (res.destroyed) end();
    else res.once("close", end);
    return over.signal;
  }

  /** Read as fast as the client takes it, so that what waits for a slow one waits in the store. */
  async function* textOf(exchange: Exchange, follow: Follow, over: AbortSignal): AsyncGenerator<string> {
    const told = new AbortController();
    const tell = () => told.abort();
    if (over.aborted) tell();
    else over.addEventListener("abort", tell, { once: true });
    const events = follow(told.signal)[Symbol.asyncIterator]();
    let next = events.next();
    let spokeAt = clock.monotonic();
    try {
      yield OPENING;
      for (;;) {
        const found = await withinTick(next);
        if (over.aborted || found?.done || !(await isValid(exchange))) return;
        if (!found && clock.monotonic() - spokeAt < HEARTBEAT_MS) continue;
        yield found ? textOfEvent(found.value) : HEARTBEAT;
        spokeAt = clock.monotonic();
        if (found) next = events.next();
      }
    } finally {
      tell();
      over.removeEventListener("abort", tell);
      await next.catch(() => {});
      await events.return?.();
    }
  }

  /** What comes within a moment, undefined where nothing does. */
  async function withinTick<T>(next: Promise<T>): Promise<T | undefined> {
    const came = new AbortController();
    const tick = clock.sleep(CHECK_MS, came.signal).then(
      () => undefined,
      () => undefined,
    );
    try {
      return await Promise.race([next, tick]);
    } finally {
      came.abort();
    }
  }

  return {
    open(exchange, follow) {
      if (stopped) throw stopping();
      const over = begin(exchange);
      return {
        status: 200,
        // nginx would gather them otherwise.
        headers: { "Content-Type": "text/event-stream; charset=utf-8", "X-Accel-Buffering": "no" },
        body: textOf(exchange, follow, over),
      };
    },
    stop() {
      stopped = true;
      for (const each of open) each.abort();
    },
  };
}

/** JSON holds no line break, so that one `data` line holds all of it. */
function textOfEvent({ id, event, data }: ServerEvent): string {
  return `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}

function stopping(): Problem {
  return new Problem("overloaded", "This server is about to stop. Come again in a moment.", {
    headers: { "Retry-After": "1" },
  });
}

function tooMany(): Problem {
  return new Problem(
    "rate_limited",
    `This account has ${MOST_STREAMS} streams of events open, the most there may be. Close one first.`,
    { headers: { "Retry-After": "10" }, members: { window: "streams" } },
  );
}
