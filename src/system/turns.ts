/** A fair queue that runs few tasks at a time, alternating between subjects. */
export interface Turns {
  /**
   * Runs `work` when it is the turn of `subject`. If too many tasks are waiting, the subject with the most is refused
   * first, and its `run` rejects with the refusal.
   */
  run<T>(subject: string, work: () => Promise<T>): Promise<T>;
}

export interface TurnsOptions {
  maxRunning: number;
  /** Tasks of one subject that run at a time. */
  maxOfOne: number;
  maxWaiting: number;
  refusal: () => Error;
}

interface Task {
  start: () => void;
  refuse: (error: Error) => void;
}

interface Line {
  running: number;
  waiting: Task[];
}

export function createTurns({ maxRunning, maxOfOne, maxWaiting, refusal }: TurnsOptions): Turns {
  /** By subject, in the order of turns. */
  const lines = new Map<string, Line>();
  let running = 0;
  let waiting = 0;

  function lineOf(subject: string): Line {
    const line = lines.get(subject) ?? { running: 0, waiting: [] };
    lines.set(subject, line);
    return line;
  }

  function proceed(): void {
    for (const [subject, line] of lines) {
      if (running >= maxRunning) return;
      if (line.waiting.length === 0 || line.running >= maxOfOne) continue;
      // Moved to the end, where this iteration visits it again.
      lines.delete(subject);
      lines.set(subject, line);
      waiting--;
      running++;
      line.running++;
      line.waiting.shift()?.start();
    }
  }

  function end(subject: string): void {
    const line = lineOf(subject);
    running--;
    if (--line.running === 0 && line.waiting.length === 0) lines.delete(subject);
    proceed();
  }

  /** Refuses the last task of the subject with the most waiting ones. */
  function refuseOne(): void {
    let chosen: Line | undefined;
    for (const line of lines.values()) {
      if (line.waiting.length >= (chosen?.waiting.length ?? 1)) chosen = line;
    }
    waiting--;
    chosen?.waiting.pop()?.refuse(refusal());
    for (const [subject, line] of lines) {
      if (line.running + line.waiting.length === 0) lines.delete(subject);
    }
  }

  return {
    async run(subject, work) {
      await new Promise<void>((start, refuse) => {
        lineOf(subject).waiting.push({ start, refuse });
        waiting++;
        proceed();
        if (waiting > maxWaiting) refuseOne();
      });
      try {
        return await work();
      } finally {
        end(subject);
      }
    },
  };
}
