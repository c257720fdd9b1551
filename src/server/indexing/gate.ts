/** Lets so many through at a time; of those who wait, the accounts are taken in turn. */
export interface Gate {
  /** Resolves when it is this one's turn, with what is to be called when it is through. */
  enter(account: string): Promise<() => void>;
}

export function createGate(width: number): Gate {
  /** Whoever is next stands first; nobody without anything waiting. */
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
