import { Problem } from "../contract/problem.ts";

/** Threads that hash passwords at once: the four that Node has serve files and names as well. */
const MAX_RUNNING = 2;
/** Each takes a quarter of a second: who would wait longer than some seconds had better come again. */
const MAX_WAITING = 32;

interface Task {
  start: () => void;
  refuse: (problem: Problem) => void;
}

/** Hashes passwords for strangers, without leaving the process to them. */
export interface PasswordWork {
  /**
   * Runs `work` in the turn of `subject`: subjects take turns, however much each of them asks. `Problem`
   * `overloaded` where too many wait; whoever asks most is refused first.
   */
  run<T>(subject: string, work: () => Promise<T>): Promise<T>;
}

export function createPasswordWork(maxRunning = MAX_RUNNING, maxWaiting = MAX_WAITING): PasswordWork {
  /** By subject, the one whose turn is next first. None is empty. */
  const queues = new Map<string, Task[]>();
  let running = 0;
  let waiting = 0;

  function proceed(): void {
    while (running < maxRunning) {
      const next = queues.entries().next().value;
      if (!next) return;
      const [subject, tasks] = next;
      queues.delete(subject);
      const task = tasks.shift();
      // To the end of the line.
      if (tasks.length > 0) queues.set(subject, tasks);
      waiting--;
      running++;
      task?.start();
    }
  }

  function enqueue(subject: string, task: Task): void {
    const tasks = queues.get(subject) ?? [];
    tasks.push(task);
    queues.set(subject, tasks);
    waiting++;
    proceed();
    if (waiting > maxWaiting) refuseOne();
  }

  /** The last of whoever has most waiting. */
  function refuseOne(): void {
    let [most, longest] = ["", [] as Task[]];
    for (const [subject, tasks] of queues)
      if (tasks.length >= longest.length) [most, longest] = [subject, tasks];
    longest.pop()?.refuse(overloaded());
    waiting--;
    if (longest.length === 0) queues.delete(most);
  }

  return {
    async run(subject, work) {
      await new Promise<void>((start, refuse) => enqueue(subject, { start, refuse }));
      try {
        return await work();
      } finally {
        running--;
        proceed();
      }
    },
  };
}

function overloaded(): Problem {
  return new Problem("overloaded", "Too many people sign in at once. Try again in a few seconds.", {
    headers: { "Retry-After": "5" },
  });
}
