/**
 * Loaded into a server by `--import`: on SIGUSR2 writes to the file LOOP_FILE how long its main loop was
 * held at most since the last time, in milliseconds, and what memory it takes. On Linux that is processor
 * time of the main thread between two turns of the loop, so that other processes do not count.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { isMainThread } from "node:worker_threads";

const SCHEDULE = `/proc/self/task/${process.pid}/schedstat`;

if (isMainThread && process.env.LOOP_FILE) {
  const usedMs = existsSync(SCHEDULE)
    ? () => Number(readFileSync(SCHEDULE, "latin1").split(" ", 1)[0]) / 1e6
    : () => performance.now();
  let before = usedMs();
  let maxMs = 0;
  setInterval(() => {
    const now = usedMs();
    maxMs = Math.max(maxMs, now - before);
    before = now;
  }, 1).unref();
  process.on("SIGUSR2", () => {
    const { rss, heapUsed } = process.memoryUsage();
    writeFileSync(process.env.LOOP_FILE, JSON.stringify({ maxMs, rss, heapUsed }));
    maxMs = 0;
    before = usedMs();
  });
}
