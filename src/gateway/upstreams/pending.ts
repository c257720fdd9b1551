import type { MessageId } from "../message.ts";

/** A client's request that a program is processing. */
export interface PendingRequest {
  /** The client's own id. */
  readonly id: MessageId;
  readonly method: string;
  readonly progressToken: MessageId | undefined;
  /** Whose request it is, and the tasks that it starts. */
  readonly owner: string;
  /** Holds the bytes of a long answer until the request is over. Throws if there is no room. */
  hold?(bytes: number): void;
}

/** The JSON of an answer that costs too much to parse, with the client's own id. */
export class UnreadAnswer {
  readonly text: Buffer;

  constructor(text: Buffer) {
    this.text = text;
  }
}

/** What a program says in the course of a request. */
export type Said = Record<string, unknown> | UnreadAnswer;

/** A pending request with the messages received for it. */
export interface Pending extends PendingRequest {
  /** Queues a message. @param bytes its length in JSON. */
  push(message: Said, bytes: number): void;
  /** Ends the messages. */
  end(): void;
  fail(error: unknown): void;
  /** Yields the messages, in order. */
  messages(): AsyncGenerator<Said>;
}

/** Longest queue for a client that reads more slowly than the program writes, in messages and in bytes. */
const MAX_WAITING = 1000;
const MAX_WAITING_BYTES = 256 * 1024;

export function createPending(about: PendingRequest): Pending {
  const waiting: { message: Said; bytes: number }[] = [];
  let waitingBytes = 0;
  let over: { error?: unknown } | undefined;
  let wake = () => {};
  return {
    ...about,
    push(message, bytes) {
      const hasRoom = waiting.length < MAX_WAITING && waitingBytes + bytes <= MAX_WAITING_BYTES;
      // Notifications are dropped when the queue is full.
      if ("method" in message && waiting.length > 0 && !hasRoom) return;
      waiting.push({ message, bytes });
      waitingBytes += bytes;
      wake();
    },
    end() {
      over ??= {};
      wake();
    },
    fail(error) {
      over ??= { error };
      wake();
    },
    async *messages() {
      for (;;) {
        const next = waiting.shift();
        if (next) {
          waitingBytes -= next.bytes;
          yield next.message;
          continue;
        }
        if (over && "error" in over) throw over.error;
        if (over) return;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
  };
}
