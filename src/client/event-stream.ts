import { Problem } from "../contract/problem.ts";
import type { Clock } from "../system/clock.ts";
import { defined } from "../system/defined.ts";
import { retryAfterOf } from "./answer.ts";
import type { ApiClient } from "./api-client.ts";
import { Unreachable } from "./errors.ts";
import { eventParser, type ReceivedEvent } from "./event-parser.ts";

export interface FollowOptions {
  clock: Clock;
  signal: AbortSignal;
  onEvent: (event: ReceivedEvent) => void;
  /** Asked after each piece of the stream: nothing more is read until the promise, if there is one, is fulfilled. */
  ready?: () => Promise<void> | undefined;
  /** Called when the stream breaks or cannot be opened. It is retried. */
  onTrouble?: (error: unknown) => void;
}

const FIRST_PAUSE_MS = 1000;
const MAX_PAUSE_MS = 15_000;

/**
 * Follows a stream to its end, and resumes after the last event whenever it breaks. Rejects with errors that a retry
 * cannot fix, and with the signal's reason.
 */
export async function followEvents(api: ApiClient, path: string, options: FollowOptions): Promise<void> {
  const { clock, signal, onEvent, ready, onTrouble } = options;
  let lastEventId: string | undefined;
  let pause = FIRST_PAUSE_MS;
  await api.credential();
  for (;;) {
    const parse = eventParser((event) => {
      lastEventId = event.id;
      pause = FIRST_PAUSE_MS;
      onEvent(event);
    });
    const onPiece = (piece: Uint8Array) => {
      parse(piece);
      return ready?.();
    };
    const headers = {
      accept: "text/event-stream",
      ...defined({ "last-event-id": lastEventId }),
    };
    let wait = pause;
    try {
      const { status } = await api.request("GET", path, { headers, signal, onPiece, retry: false });
      // HTML §9.2.3: nothing more will come.
      if (status === 204) return;
    } catch (error) {
      if (signal.aborted || !passes(error)) throw error;
      onTrouble?.(error);
      const asked = retryAfterOf(error, clock.now());
      wait = asked === undefined ? pause : asked * 1000;
      pause = Math.min(2 * pause, MAX_PAUSE_MS);
    }
    await clock.sleep(wait, signal);
  }
}

function passes(error: unknown): boolean {
  return (
    error instanceof Unreachable ||
    (error instanceof Problem && (error.status === 429 || error.status >= 500))
  );
}
