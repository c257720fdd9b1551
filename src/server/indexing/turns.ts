import type { Steps } from "../../store/projection.ts";

/** Something to do for an account. */
export interface Work {
  /** Of the request that it is for. */
  id: number;
  account: string;
  steps: Steps<void>;
}

export interface Turns {
  add(work: Work): void;
  /** Drops what is not done yet for a request. */
  withdraw(id: number): void;
}

export interface TurnsOptions {
  /** Milliseconds that never run backwards. */
  monotonic: () => number;
  /** Calls back once others have had a look at what came in. */
  later: (work: () => void) => void;
  /** Hears what is worked on; 0: nothing. */
  onTurn: (id: number) => void;
  maxTurnMs?: number;
}

/**
 * Takes the accounts in turn, however much each has to do: one account's work is done in the order in
 * which it came, a few milliseconds at a time.
 */
export function createTurns({ monotonic, later, onTurn, maxTurnMs = 10 }: TurnsOptions): Turns {
  /** Whoever is next stands first; nobody without work. */
  const queues = new Map<string, Work[]>();
  let isRunning = false;

  function turn(): void {
    const [next] = queues;
    if (!next) {
      isRunning = false;
      return;
    }
    const [account, queue] = next;
    const work = queue[0] as Work;
    queues.delete(account);
    onTurn(work.id);
    if (isDone(work.steps)) queue.shift();
    onTurn(0);
    if (queue.length > 0) queues.set(account, queue);
    later(turn);
  }

  function isDone(steps: Steps<void>): boolean {
    const end = monotonic() + maxTurnMs;
    while (!steps.next().done) if (monotonic() >= end) return false;
    return true;
  }

  return {
    add(work) {
      const queue = queues.get(work.account);
      if (queue) queue.push(work);
      else queues.set(work.account, [work]);
      if (isRunning) return;
      isRunning = true;
      later(turn);
    },
    withdraw(id) {
      for (const [account, queue] of queues) {
        const left = queue.filter((work) => work.id !== id);
        if (left.length === queue.length) continue;
        if (left.length === 0) queues.delete(account);
        else queues.set(account, left);
        return;
      }
    },
  };
}
