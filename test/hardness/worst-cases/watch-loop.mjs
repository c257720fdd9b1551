/**
 * Loaded into a server (`node --import`). Measures from a thread of its own how long the event loop is blocked at
 * a stretch, and reports on an HTTP port of its own, since a blocked loop cannot answer. On Linux it counts the
 * processor time of the loop's thread (`schedstat` of proc(5)), so that other load on the machine does not count.
 */
import { isMainThread, Worker } from "node:worker_threads";

if (isMainThread && process.env.WATCH_LOOP_PORT) {
  const beats = new Float64Array(new SharedArrayBuffer(8));
  setInterval(() => {
    beats[0]++;
  }, 1).unref();
  const watcher = `
    const { workerData } = require("node:worker_threads");
    const { readFileSync } = require("node:fs");
    const { createServer } = require("node:http");
    const worked = () => {
      try {
        return Number(readFileSync("/proc/self/task/" + process.pid + "/schedstat", "utf8").split(" ")[0]) / 1e6;
      } catch {
        return performance.now();
      }
    };
    let held = 0;
    let beat = 0;
    let since = worked();
    setInterval(() => {
      const now = worked();
      if (workerData[0] === beat && beat > 0) held = Math.max(held, now - since);
      else [beat, since] = [workerData[0], now];
    }, 5);
    createServer((_, response) => {
      response.setHeader("Connection", "close");
      response.end(JSON.stringify({ held, rss: process.memoryUsage.rss() }));
      held = 0;
    }).listen(${Number(process.env.WATCH_LOOP_PORT)}, "127.0.0.1");`;
  new Worker(watcher, { eval: true, workerData: beats, execArgv: [] }).unref();
}
