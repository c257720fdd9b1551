import type { SignedIn } from "../../../accounts/sign-in/sessions/signed-in.ts";
import { overloaded } from "../../../contract/retry-later.ts";
import { abortWith, onAbort } from "../../../system/abort.ts";
import type { Clock } from "../../../system/clock.ts";
import { HOUR_MS } from "../../../system/durations.ts";
import type { PageAnswer } from "../../page.ts";

const EVERY_MS = 5000;
/** How long a stream lasts. The browser then reconnects by itself. */
const MAX_MS = HOUR_MS;
/** Browsers follow only visible pages (`script.ts`), so these bounds are on people, not tabs. */
const MAX_OF_ONE_ACCOUNT = 10;
const MAX_FOLLOWED = 500;

/** Keeps visible pages up to date by server-sent events (HTML Living Standard §9.2). */
export interface Freshness {
  /**
   * Returns the answer with the page whenever it has changed, until the browser has gone or `render` returns undefined
   * because the viewer may not see it any more. Throws `overloaded` if too many pages are followed already.
   */
  follow(signedIn: SignedIn, gone: AbortSignal, render: () => Promise<string | undefined>): PageAnswer;
  /** Ends all streams and refuses new ones. */
  stop(): void;
}

export function createFreshness(clock: Pick<Clock, "sleep">): Freshness {
  const followed = new Map<string, number>();
  const stopped = new AbortController();
  let all = 0;

  function count(accountId: string, by: 1 | -1): void {
    all += by;
    const left = (followed.get(accountId) ?? 0) + by;
    if (left === 0) followed.delete(accountId);
    else followed.set(accountId, left);
  }

  return {
    follow({ account }, gone, render) {
      if (all >= MAX_FOLLOWED || (followed.get(account.id) ?? 0) >= MAX_OF_ONE_ACCOUNT) {
        throw overloaded("Many pages are followed at this moment. Reload this one instead.", 10);
      }
      const over = new AbortController();
      const leave = [stopped.signal, gone].map((signal) => abortWith(signal, over));
      count(account.id, 1);
      clock.sleep(MAX_MS, over.signal).then(
        () => over.abort(),
        () => {},
      );
      // Also if nothing of the body is asked for, as by HEAD.
      onAbort(over.signal, () => {
        for (const each of leave) each();
        count(account.id, -1);
      });
      const headers = { "Content-Type": "text/event-stream; charset=utf-8", "X-Accel-Buffering": "no" };
      return { status: 200, headers, body: changes(over, render), headersFirst: true };
    },
    stop: () => stopped.abort(),
  };

  /** Yields what has changed. A browser that does not read asks for nothing more until it does. */
  async function* changes(
    over: AbortController,
    render: () => Promise<string | undefined>,
  ): AsyncGenerator<string> {
    let before: string | undefined;
    try {
      for (;;) {
        await clock.sleep(EVERY_MS, over.signal).catch(() => {});
        if (over.signal.aborted) return;
        // A failed page is tried again, as a person would do.
        const page = await render().catch(() => before);
        if (page === undefined) return;
        yield page === before ? ":\n\n" : `data: ${page.replaceAll("\n", "\ndata: ")}\n\n`;
        before = page;
      }
    } finally {
      over.abort();
    }
  }
}
