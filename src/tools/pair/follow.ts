import type { ServerEvent } from "../../contract/endpoint.ts";
import { Problem } from "../../contract/problem.ts";
import type { Space, Store } from "../../store/store.ts";
import { sessionOf } from "./documents.ts";
import { readNews } from "./read-session.ts";
import type { Session } from "./session-contract.ts";
import type { Wakeups } from "./wakeups.ts";

/** Changes read at a time. A follower holds no more than these, however far behind or slow it is. */
const PAGE = 50;

export interface Following {
  store: Store;
  wakeups: Wakeups;
}

/**
 * Yields the events of a session after a sequence, in order: `session` at first and whenever roles or state
 * change, and every `change`. Ends with the session, when the signal aborts, or if changes that the follower
 * lacks are no longer kept. In the last case, its next request gets an error that says so.
 */
export async function* follow(
  { store, wakeups }: Following,
  space: Space,
  sessionId: string,
  start: number,
  signal: AbortSignal,
): AsyncGenerator<ServerEvent> {
  const bell = createBell();
  const unfollow = wakeups.follow(space, sessionId, bell.ring);
  signal.addEventListener("abort", bell.ring, { once: true });
  let at = start;
  let told: string | undefined;
  const next = () => store.transact((tx) => readNews(tx, space, sessionId, at, PAGE));
  const tell = (session: Session): ServerEvent => {
    told = tellable(session);
    return { id: String(at), event: "session", data: session };
  };
  try {
    while (!signal.aborted) {
      // Created before the read, so that any later write resolves it.
      const rung = bell.wait();
      const { session: document, changes } = await next();
      const session = sessionOf(sessionId, document);
      if (told === undefined) yield tell(session);
      for (const change of changes) {
        at = change.sequence;
        yield { id: String(at), event: "change", data: change };
      }
      if (at < session.sequence) continue;
      if (told !== tellable(session)) yield tell(session);
      if (session.state === "ended") return;
      await rung;
    }
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
  } finally {
    unfollow();
    signal.removeEventListener("abort", bell.ring);
  }
}

/** Returns the parts of a session that `change` events do not carry, as text to compare. */
function tellable({ state, participants }: Session): string {
  return JSON.stringify([state, participants]);
}

/** A signal for one waiter. It also resolves a promise that is not awaited yet. */
function createBell(): { wait: () => Promise<void>; ring: () => void } {
  let ring = () => {};
  return {
    wait: () =>
      new Promise((resolve) => {
        ring = resolve;
      }),
    ring: () => ring(),
  };
}
