/**
 * Loaded into a server (`node --import`): measures for how long its event loop is held at a stretch, from a
 * thread of its own, and tells on an HTTP port of its own, since a loop that is held cannot tell. On Linux it
 * counts the time that the loop's thread had a processor (`schedstat` of proc(5)), so that a busy machine holds
 * nothing.
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
