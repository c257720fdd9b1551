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
  /** Queues a message. */
  push(message: Said): void;
  /** Ends the messages. */
  end(): void;
  fail(error: unknown): void;
  /** Yields the messages, in order. */
  messages(): AsyncGenerator<Said>;
}

/** Longest queue for a client that reads more slowly than the program writes. */
const MAX_WAITING = 1000;

export function createPending(about: PendingRequest): Pending {
  const waiting: Said[] = [];
  let over: { error?: unknown } | undefined;
  let wake = () => {};
  return {
    ...about,
    push(message) {
      // Progress notifications are dropped when the queue is full.
      if (waiting.length < MAX_WAITING || !("method" in message)) waiting.push(message);
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
          yield next;
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
