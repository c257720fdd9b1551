import type { Clock } from "../system/clock.ts";
import type { Log } from "../system/log.ts";

/** A message of plain text to one person. */
export interface Letter {
  to: string;
  subject: string;
  text: string;
}

/** A name that somebody chose, of letters, digits and little else: a mail program makes no link of it. */
export function withoutLinks(name: string): string {
  const plain = name.replace(/[^\p{L}\p{M}\p{N}_ $&'’-]+/gu, " ").trim();
  return [...plain].slice(0, 60).join("").trim() || "no name";
}

/** Hands a letter to the mail server. Rejects where that does not take it. */
export type Deliver = (letter: Letter) => Promise<void>;

/** That trying again is of no use: the mail server has understood, and says no (RFC 5321 §4.2.1, 5yz). */
export class Undeliverable extends Error {}

/** … to this address: there is nothing wrong with the mail server. */
export class RecipientRefused extends Undeliverable {}

/** What an attempt comes to: `retried` has another one before it, `refused` is the address's own fault. */
export type LetterOutcome = "sent" | "retried" | "refused" | "failed";

const MAX_LETTERS = 1_000;
const AT_ONCE = 4;
/** Before each further attempt. All of them end before a link of 15 minutes does. */
const PAUSES_MS = [2_000, 15_000, 60_000, 300_000];

/** Letters on their way. They are kept in memory alone: who waits in vain asks again. */
export interface Post {
  /** Whether it takes another letter. */
  takesMore(): boolean;
  /**
   * Writes the letter and delivers it, after whoever asks has their answer: `write` may find that there is none
   * to send. False, and nothing done, where as many are on their way as may be.
   */
  send(write: () => Promise<Letter | undefined>): boolean;
  /** How many are on their way, and for how long the oldest has been: 0 where there is none. */
  underWay(): { letters: number; oldestMs: number };
  /** Once nothing is on its way. */
  idle(): Promise<void>;
  /** Gives up what is on its way. */
  close(): void;
}

export function createPost({
  deliver,
  clock,
  log,
  onOutcome = () => {},
}: {
  deliver: Deliver;
  clock: Pick<Clock, "sleep" | "monotonic">;
  log: Pick<Log, "warn">;
  onOutcome?: ((outcome: LetterOutcome) => void) | undefined;
}): Post {
  const over = new AbortController();
  const waiting: (() => Promise<void>)[] = [];
  const idle: (() => void)[] = [];
  /** In the order they came. */
  const taken = new Set<{ since: number }>();
  let running = 0;

  /** A few at a time, so that a slow mail server holds no more than these. */
  function inTurn(work: () => Promise<void>): Promise<void> {
    return new Promise((resolve, reject) => {
      waiting.push(() => work().then(resolve, reject));
      next();
    });
  }

  function next(): void {
    if (running === AT_ONCE || over.signal.aborted) return;
    const work = waiting.shift();
    if (!work) return;
    running++;
    void work().finally(() => {
      running--;
      next();
    });
  }

  async function carry(write: () => Promise<Letter | undefined>): Promise<void> {
    let letter: Letter | undefined;
    for (let attempt = 0; ; attempt++) {
      try {
        await inTurn(async () => {
          letter ??= await write();
          if (letter) await deliver(letter);
        });
        if (letter) onOutcome("sent");
        return;
      } catch (err) {
        const pause = err instanceof Undeliverable ? undefined : PAUSES_MS[attempt];
        if (err instanceof RecipientRefused) onOutcome("refused");
        else onOutcome(pause === undefined ? "failed" : "retried");
        log.warn({ err, attempt: attempt + 1 }, pause ? "a letter waits" : "a letter was given up");
        if (pause === undefined) return;
        await clock.sleep(pause, over.signal);
      }
    }
  }

  return {
    takesMore: () => taken.size < MAX_LETTERS,
    send(write) {
      if (taken.size === MAX_LETTERS || over.signal.aborted) return false;
      const one = { since: clock.monotonic() };
      taken.add(one);
      carry(write)
        // Given up on the way.
        .catch(() => {})
        .finally(() => {
          taken.delete(one);
          if (taken.size === 0) for (const resolve of idle.splice(0)) resolve();
        });
      return true;
    },
    underWay() {
      const [oldest] = taken;
      return { letters: taken.size, oldestMs: oldest ? clock.monotonic() - oldest.since : 0 };
    },
    idle: () => new Promise((resolve) => (taken.size === 0 ? resolve() : idle.push(resolve))),
    close() {
      over.abort();
      waiting.length = 0;
    },
  };
}
