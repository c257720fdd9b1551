import { Problem } from "../contract/problem.ts";
import type { Clock } from "../system/clock.ts";
import { defined } from "../system/defined.ts";
import { retryAfterOf } from "./answer.ts";
import type { ApiClient } from "./api-client.ts";
import { UnexpectedAnswer, Unreachable } from "./errors.ts";

/** One of the events of a stream (HTML §9.2, server-sent events); `data` was JSON. */
export interface ReceivedEvent {
  id: string;
  event: string;
  data: unknown;
}

export interface FollowOptions {
  clock: Clock;
  signal: AbortSignal;
  onEvent: (event: ReceivedEvent) => void;
  /** The stream broke, or could not be had; it is asked for again. */
  onTrouble?: (error: unknown) => void;
}

const FIRST_PAUSE_MS = 1000;
const MAX_PAUSE_MS = 15_000;
/** In UTF-16 code units: a file of a session whose every character is escaped, and some more. */
const MAX_EVENT_LENGTH = 8 << 20;

/**
 * Follows a stream to its end, coming again behind the last event whenever it breaks. Rejects with what
 * coming again cannot mend, and with the signal's reason.
 */
export async function followEvents(api: ApiClient, path: string, options: FollowOptions): Promise<void> {
  const { clock, signal, onEvent, onTrouble } = options;
  let lastEventId: string | undefined;
  let pause = FIRST_PAUSE_MS;
  await api.credential();
  for (;;) {
    const parse = eventParser((event) => {
      lastEventId = event.id;
      pause = FIRST_PAUSE_MS;
      onEvent(event);
    });
    const headers = {
      accept: "text/event-stream",
      ...defined({ "last-event-id": lastEventId }),
    };
    let wait = pause;
    try {
      const { status } = await api.request("GET", path, { headers, signal, onPiece: parse, retry: false });
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

/** Reads a stream in pieces, as they come; what it returns throws `UnexpectedAnswer` for what is no such stream. */
export function eventParser(onEvent: (event: ReceivedEvent) => void): (piece: Uint8Array) => void {
  const decoder = new TextDecoder();
  let rest = "";
  let id = "";
  let event = "";
  let data: string[] = [];
  let length = 0;

  function take(line: string): void {
    if (line === "") {
      const received = data.length > 0 && { id, event: event || "message", data: parsed(data.join("\n")) };
      event = "";
      data = [];
      length = 0;
      if (received) onEvent(received);
      return;
    }
    const [, name, value] = /^([^:]*):? ?(.*)$/s.exec(line) as unknown as [string, string, string];
    if (name === "data") data.push(value);
    else if (name === "event") event = value;
    else if (name === "id") id = value;
    length += line.length;
  }

  return (piece) => {
    const text = decoder.decode(piece, { stream: true });
    rest += text;
    // Looked through once, however small the pieces of a long line are.
    if (text.includes("\n")) {
      const lines = rest.split(/\r?\n/);
      rest = lines.pop() as string;
      for (const line of lines) take(line);
    }
    if (length + rest.length > MAX_EVENT_LENGTH) {
      throw new UnexpectedAnswer(200, `An event of the stream has more than ${MAX_EVENT_LENGTH >> 20} MiB.`);
    }
  };
}

function parsed(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    throw new UnexpectedAnswer(200, "An event of the stream is not valid JSON.");
  }
}
