import { onAbort } from "./abort.ts";

/** A fair queue that runs few tasks at a time, alternating between subjects. */
export interface Turns {
  /**
   * Resolves when it is the turn of `subject`, with an idempotent function that ends the turn. Rejects like `run`, or with
   * the reason of a signal that aborts before.
   */
  take(subject: string, signal?: AbortSignal): Promise<() => void>;
  /**
   * Runs `work` when it is the turn of `subject`. If too many tasks are waiting, the subject with the most is refused
   * first, and its `run` rejects with the refusal. If a signal aborts before, it rejects with its reason: requests of
   * clients that gave up would otherwise be worked off, and make those wait that ask again.
   */
  run<T>(subject: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
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
    let chosen: [string, Line] | undefined;
    for (const each of lines) {
      if (each[1].waiting.length >= (chosen?.[1].waiting.length ?? 1)) chosen = each;
    }
    const last = chosen?.[1].waiting.at(-1);
    if (chosen && last) withdraw(chosen[0], last, refusal());
  }

  /** Rejects a task that waits. Does nothing to one that has begun. */
  function withdraw(subject: string, task: Task, error: Error): void {
    const line = lines.get(subject);
    const at = line?.waiting.indexOf(task) ?? -1;
    if (!line || at < 0) return;
    line.waiting.splice(at, 1);
    waiting--;
    if (line.running + line.waiting.length === 0) lines.delete(subject);
    task.refuse(error);
  }

  async function take(subject: string, signal?: AbortSignal): Promise<() => void> {
    let waitsNoMore: (() => void) | undefined;
    await new Promise<void>((start, refuse) => {
      const task = { start, refuse };
      lineOf(subject).waiting.push(task);
      waiting++;
      proceed();
      if (waiting > maxWaiting) refuseOne();
      if (signal) waitsNoMore = onAbort(signal, () => withdraw(subject, task, signal.reason));
    }).finally(() => waitsNoMore?.());
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      end(subject);
    };
  }

  return {
    take,
    async run(subject, work, signal) {
      const over = await take(subject, signal);
      try {
        return await work();
      } finally {
        over();
      }
    },
  };
}
