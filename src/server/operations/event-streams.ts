import type { ServerEvent } from "../../contract/endpoint.ts";
import { Problem } from "../../contract/problem.ts";
import type { Clock } from "../../system/clock.ts";
import type { Answer } from "../pipeline/answer.ts";
import type { Exchange, Identity } from "../pipeline/exchange.ts";

/** Answers that go on for as long as there is something to say: server-sent events (HTML §9.2). */
export interface EventStreams {
  /** `Problem` `rate_limited` where the credential, or its account, has as many open as it may. */
  open(exchange: Exchange, follow: Follow): Answer;
  /** How many a credential has open. */
  openBy(credentialId: string): number;
  /** How many are open altogether. */
  openNow(): number;
  /** Ends those that are open, and opens no more: a server that stops waits for its answers. */
  stop(): void;
}

type Follow = (signal: AbortSignal) => AsyncIterable<ServerEvent>;

/** An account may have so many times what one of its credentials may, on this instance. */
const MAX_CREDENTIALS = 10;
/** Who takes nothing of what waits for them for so long comes again when they can. */
const MAX_STALL_MS = 60_000;
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
  /** How many streams one credential may have open. */
  boundOf: (account: Identity["account"]) => number;
}

export function createEventStreams({ clock, isValid, boundOf }: EventStreamsPorts): EventStreams {
  const open = new Set<AbortController>();
  /** By the ids of credentials and accounts, which have nothing in common. */
  const counts = new Map<string, number>();
  let stopped = false;

  function count(id: string, by: 1 | -1): void {
    const now = (counts.get(id) ?? 0) + by;
    if (now > 0) counts.set(id, now);
    else counts.delete(id);
  }

  /** What it counts by; `Problem` where one of them has as many as it may. */
  function subjectsOf({ identity }: Exchange): string[] {
    if (!identity) return [];
    const { account, credential } = identity;
    const bound = boundOf(account);
    if ((counts.get(credential.id) ?? 0) >= bound) throw tooMany("credential", bound);
    const ofAccount = MAX_CREDENTIALS * bound;
    if ((counts.get(account.id) ?? 0) >= ofAccount) throw tooMany("account", ofAccount);
    return [credential.id, account.id];
  }

  /** Counts the stream until its response is closed, be it that none of it was ever sent. */
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
        const taken = stallTimer(exchange);
        try {
          yield found ? textOfEvent(found.value) : HEARTBEAT;
        } finally {
          taken();
        }
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

  /** Cuts a stream off whose client takes nothing; what it returns is to be called once something was taken. */
  function stallTimer({ res }: Exchange): () => void {
    const taken = new AbortController();
    clock.sleep(MAX_STALL_MS, taken.signal).then(
      () => res.destroy(),
      () => {},
    );
    return () => taken.abort();
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
      const over = begin(exchange).signal;
      return {
        status: 200,
        // nginx would gather them otherwise.
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

/** JSON holds no line break, so that one `data` line holds all of it. */
function textOfEvent({ id, event, data }: ServerEvent): string {
  return `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}

function stopping(): Problem {
  return new Problem("overloaded", "This server is about to stop. Come again in a moment.", {
    headers: { "Retry-After": "1" },
  });
}

function tooMany(whose: "credential" | "account", bound: number): Problem {
  return new Problem(
    "rate_limited",
    `This ${whose} has ${bound} streams of events open, the most there may be. Close one first.`,
    { headers: { "Retry-After": "10" }, members: { window: "streams" } },
  );
}
