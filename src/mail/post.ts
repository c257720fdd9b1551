import type { Clock } from "../system/clock.ts";
import type { Log } from "../system/log.ts";

/** A plain-text message to one recipient. */
export interface Letter {
  to: string;
  subject: string;
  text: string;
}

/** Reduces a chosen name to letters, digits and a few other characters, so that mail programs make no link of it. */
export function withoutLinks(name: string): string {
  const plain = name.replace(/[^\p{L}\p{M}\p{N}_ $&'’-]+/gu, " ").trim();
  return [...plain].slice(0, 60).join("").trim() || "no name";
}

/** Hands a letter to the mail server. Rejects if the server does not accept it. */
export type Deliver = (letter: Letter) => Promise<void>;

/** The mail server refused a letter permanently (RFC 5321 §4.2.1, 5yz), so retries are useless. */
export class Undeliverable extends Error {}

/** The mail server refused the recipient's address. The server itself works. */
export class RecipientRefused extends Undeliverable {}

/** The outcome of an attempt. `retried`: another one follows. `refused`: the recipient's address was refused. */
export type LetterOutcome = "sent" | "retried" | "refused" | "failed";

const MAX_LETTERS = 1_000;
const AT_ONCE = 4;
/** The pauses before retries. All retries end before a sign-in link of 15 minutes expires. */
const PAUSES_MS = [2_000, 15_000, 60_000, 300_000];

/** A queued letter. */
interface Taken {
  /** Of the monotonic clock. */
  since: number;
  /** Known once the letter is written. */
  to?: string | undefined;
}

/** The queue of outgoing letters, in memory only. A restart loses them, and people then request another. */
export interface Post {
  /** Whether the queue has room for that many letters more, by default for one. */
  takesMore(letters?: number): boolean;
  /**
   * Writes a letter and delivers it in the background. `write` may return undefined to send none. Returns false, and
   * does nothing, if the queue is full.
   */
  send(write: () => Promise<Letter | undefined>): boolean;
  /** The number of queued letters, and the age of the oldest: 0 if there is none. */
  underWay(): { letters: number; oldestMs: number };
  /** Resolves once the queue is empty. */
  idle(): Promise<void>;
  /** Discards all queued letters. */
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
  /** The queued letters, in order of arrival. */
  const taken = new Set<Taken>();
  let running = 0;

  /** Runs `work` with bounded concurrency, so that a slow mail server ties up only a few connections. */
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

  async function carry(write: () => Promise<Letter | undefined>, one: Taken): Promise<void> {
    let letter: Letter | undefined;
    for (let attempt = 0; ; attempt++) {
      try {
        await inTurn(async () => {
          letter ??= await write();
          one.to = letter?.to;
          if (letter) await deliver(letter);
        });
        if (letter) onOutcome("sent");
        return;
      } catch (err) {
        const pause = err instanceof Undeliverable ? undefined : PAUSES_MS[attempt];
        if (err instanceof RecipientRefused) onOutcome("refused");
        else onOutcome(pause === undefined ? "failed" : "retried");
        const about = { err, to: letter?.to, attempt: attempt + 1 };
        log.warn(about, pause ? "a letter waits" : "a letter was given up");
        if (pause === undefined) return;
        await clock.sleep(pause, over.signal);
      }
    }
  }

  return {
    takesMore: (letters = 1) => taken.size + letters <= MAX_LETTERS,
    send(write) {
      if (taken.size === MAX_LETTERS || over.signal.aborted) return false;
      const one: Taken = { since: clock.monotonic() };
      taken.add(one);
      carry(write, one)
        // The queue was closed during a pause.
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
      const to = [...taken].flatMap((one) => one.to ?? []);
      if (taken.size > 0)
        log.warn({ letters: taken.size, to }, "letters were discarded, since the server stops");
      over.abort();
      waiting.length = 0;
    },
  };
}
