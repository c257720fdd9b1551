/** Admits a bounded number of callers at a time. Waiting accounts take turns. */
export interface Gate {
  /** Resolves when it is the caller's turn, with a function to call when it is done. */
  enter(account: string): Promise<() => void>;
}

export function createGate(width: number): Gate {
  /** The callers that wait, by account; the next account is first, and none has an empty list. */
  const queues = new Map<string, (() => void)[]>();
  let free = width;

  function leave(): void {
    const [next] = queues;
    if (!next) {
      free++;
      return;
    }
    const [account, queue] = next;
    const admit = queue.shift();
    queues.delete(account);
    if (queue.length > 0) queues.set(account, queue);
    admit?.();
  }

  function leaveOnce(): () => void {
    let isThrough = false;
    return () => {
      if (isThrough) return;
      isThrough = true;
      leave();
    };
  }

  return {
    async enter(account) {
      if (free > 0) free--;
      else {
        await new Promise<void>((resolve) => {
          const queue = queues.get(account);
          if (queue) queue.push(resolve);
          else queues.set(account, [resolve]);
        });
      }
      return leaveOnce();
    },
  };
}
