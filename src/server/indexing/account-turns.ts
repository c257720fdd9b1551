import type { Steps } from "../../store/projection.ts";

/** A piece of work for an account. */
export interface Work {
  /** The id of the request that it belongs to. */
  id: number;
  account: string;
  steps: Steps<void>;
}

export interface AccountTurns {
  add(work: Work): void;
  /** Drops the unfinished work of a request. */
  withdraw(id: number): void;
}

export interface AccountTurnsOptions {
  /** Returns monotonic milliseconds. */
  monotonic: () => number;
  /** Calls back after the event loop has handled incoming messages. */
  later: (work: () => void) => void;
  /** Called with the id of the request that is worked on; 0 for none. */
  onTurn: (id: number) => void;
  maxTurnMs?: number;
}

/**
 * Gives the accounts turns of a few milliseconds, however much each has to do. The work of one account is done in
 * order.
 */
export function createAccountTurns({
  monotonic,
  later,
  onTurn,
  maxTurnMs = 10,
}: AccountTurnsOptions): AccountTurns {
  /** Work by account; the next account is first, and none has an empty list. */
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
    onTurn(work.id);
    if (isDone(work.steps)) queue.shift();
    onTurn(0);
    // Not before: the work may add more for its account.
    queues.delete(account);
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
