import type { Response } from "express";
import type { SignedIn } from "../../../accounts/sign-in/browser-sessions.ts";
import { Problem } from "../../../contract/problem.ts";
import type { Clock } from "../../../system/clock.ts";

const EVERY_MS = 5000;
/** The browser comes again by itself. */
const MAX_MS = 60 * 60_000;
/** Browsers follow only what is looked at (`script.ts`), so that these are people, not tabs. */
const MAX_OF_ONE_ACCOUNT = 10;
const MAX_FOLLOWED = 500;

/** Keeps pages that are looked at fresh, by server-sent events (HTML Living Standard §9.2). */
export interface Freshness {
  /**
   * Sends the page whenever it differs from what was sent before, until the browser leaves or `render` gives
   * nothing: whoever looked may not any more. `Problem` `overloaded` where too many look already.
   */
  follow(signedIn: SignedIn, response: Response, render: () => Promise<string | undefined>): Promise<void>;
  /** Lets all browsers go, and no other come. */
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
        throw new Problem("overloaded", "Many pages are followed at this moment. Reload this one instead.");
      }
      const left = new AbortController();
      response.once("close", () => left.abort());
      const gone = AbortSignal.any([left.signal, stopped.signal]);
      count(account.id, 1);
      try {
        response.set({ "Content-Type": "text/event-stream; charset=utf-8", "X-Accel-Buffering": "no" });
        response.flushHeaders();
        await sendChanges(response, gone, render);
      } finally {
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
      // A page that fails is asked for again, as a person would.
      const page = await render().catch(() => before);
      if (page === undefined) return;
      // A browser that does not read is not sent more (`writableNeedDrain`).
      if (page === before || response.writableNeedDrain) response.write(":\n\n");
      else response.write(`data: ${page.replaceAll("\n", "\ndata: ")}\n\n`);
      before = page;
    }
  }
}
