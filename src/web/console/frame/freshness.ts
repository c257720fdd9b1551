import type { Response } from "express";
import type { SignedIn } from "../../../accounts/sign-in/browser-sessions.ts";
import { overloaded } from "../../../contract/retry-later.ts";
import { abortWith } from "../../../system/abort.ts";
import type { Clock } from "../../../system/clock.ts";
import { HOUR_MS } from "../../../system/durations.ts";

const EVERY_MS = 5000;
/** How long a stream lasts. The browser then reconnects by itself. */
const MAX_MS = HOUR_MS;
/** Browsers follow only visible pages (`script.ts`), so these bounds are on people, not tabs. */
const MAX_OF_ONE_ACCOUNT = 10;
const MAX_FOLLOWED = 500;

/** Keeps visible pages up to date by server-sent events (HTML Living Standard §9.2). */
export interface Freshness {
  /**
   * Sends the page whenever it has changed, until the browser leaves or `render` returns undefined because the viewer
   * may not see it any more. Throws `overloaded` if too many pages are followed already.
   */
  follow(signedIn: SignedIn, response: Response, render: () => Promise<string | undefined>): Promise<void>;
  /** Ends all streams and refuses new ones. */
  stop(): void;
}

export function createFreshness(clock: Pick<Clock, "monotonic" | "sleep">): Freshness {
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
    async follow({ account }, response, render) {
      if (all >= MAX_FOLLOWED || (followed.get(account.id) ?? 0) >= MAX_OF_ONE_ACCOUNT) {
        throw overloaded("Many pages are followed at this moment. Reload this one instead.", 10);
      }
      const left = new AbortController();
      response.once("close", () => left.abort());
      const leave = abortWith(stopped.signal, left);
      count(account.id, 1);
      try {
        response.set({ "Content-Type": "text/event-stream; charset=utf-8", "X-Accel-Buffering": "no" });
        response.flushHeaders();
        await sendChanges(response, left.signal, render);
      } finally {
        leave();
        count(account.id, -1);
        response.end();
      }
    },
    stop: () => stopped.abort(),
  };

  async function sendChanges(
    response: Response,
    gone: AbortSignal,
    render: () => Promise<string | undefined>,
  ): Promise<void> {
    const end = clock.monotonic() + MAX_MS;
    let before: string | undefined;
    while (clock.monotonic() < end) {
      await clock.sleep(EVERY_MS, gone).catch(() => {});
      if (gone.aborted) return;
      // A failed page is tried again, as a person would do.
      const page = await render().catch(() => before);
      if (page === undefined) return;
      // A browser that does not read gets nothing more until it does.
      if (response.writableNeedDrain) continue;
      response.write(page === before ? ":\n\n" : `data: ${page.replaceAll("\n", "\ndata: ")}\n\n`);
      before = page;
    }
  }
}
