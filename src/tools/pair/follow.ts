import type { ServerEvent } from "../../contract/endpoint.ts";
import { Problem } from "../../contract/problem.ts";
import type { Space, Store } from "../../store/store.ts";
import { sessionOf } from "./documents.ts";
import { readNews } from "./read-session.ts";
import type { Session } from "./session-contract.ts";
import type { Wakeups } from "./wakeups.ts";

/** Read at a time: a follower holds no more than this, however far behind and however slow. */
const PAGE = 50;

export interface Following {
  store: Store;
  wakeups: Wakeups;
}

/**
 * What happens in a session after a sequence, in order: `session` to begin with and whenever roles or
 * state differ, and every `change`. Ends with the session, when the signal aborts, or where the history
 * that the follower lacks is no longer kept: when it comes again it is told so.
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
      // Before the look: what is written after it rings.
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

/** What a change does not tell. */
function tellable({ state, participants }: Session): string {
  return JSON.stringify([state, participants]);
}

/** Rings for the one who waits, and for the one who is about to. */
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
