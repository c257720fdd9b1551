import type { MessageId } from "../message.ts";

/** A request that a program has under way for a client. */
export interface PendingRequest {
  /** The client's own id. */
  readonly id: MessageId;
  readonly method: string;
  readonly progressToken: MessageId | undefined;
  /** Who may cancel it by its id, and whose a task is that it begins. */
  readonly owner: string;
}

/** With what has come of it so far. */
export interface Pending extends PendingRequest {
  /** Takes a message on. */
  push(message: Record<string, unknown>): void;
  /** No more comes. */
  end(): void;
  fail(error: unknown): void;
  /** What comes, in order. */
  messages(): AsyncGenerator<Record<string, unknown>>;
}

/** What waits for a client that reads slower than a program writes. */
const MAX_WAITING = 1000;

export function createPending(about: PendingRequest): Pending {
  const waiting: Record<string, unknown>[] = [];
  let over: { error?: unknown } | undefined;
  let wake = () => {};
  return {
    ...about,
    push(message) {
      // Progress that nobody reads is of no use to anybody.
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
