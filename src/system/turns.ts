/** Work that is done for few at a time, and in turn for all who ask. */
export interface Turns {
  /**
   * Runs `work` in the turn of `subject`, however much others ask. Rejects with the refusal where too many wait:
   * whoever asks most is refused first.
   */
  run<T>(subject: string, work: () => Promise<T>): Promise<T>;
}

export interface TurnsOptions {
  maxRunning: number;
  /** … of one subject. */
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
  /** By subject, the one whose turn is next first. */
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
      // To the end of all, where this very walk finds it again.
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

  /** The last of whoever has most waiting. */
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
