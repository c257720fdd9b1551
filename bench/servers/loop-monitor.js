/**
 * Loaded into a server by `--import`. On SIGUSR2 it writes to the file LOOP_FILE how long the main loop was
 * blocked at most since the last report, in milliseconds, and the memory in use. On Linux the time is processor
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
