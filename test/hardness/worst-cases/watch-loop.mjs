/**
 * Loaded into a server (`node --import`): measures for how long its event loop is held at a stretch, from a
 * thread of its own, and tells on an HTTP port of its own, since a loop that is held cannot tell.
 */
import { isMainThread, Worker } from "node:worker_threads";

if (isMainThread && process.env.WATCH_LOOP_PORT) {
  const beats = new Float64Array(new SharedArrayBuffer(8));
  setInterval(() => {
    beats[0] = performance.timeOrigin + performance.now();
  }, 1).unref();
  const watcher = `
    const { workerData } = require("node:worker_threads");
    const { createServer } = require("node:http");
    let held = 0;
    setInterval(() => {
      const now = performance.timeOrigin + performance.now();
      if (workerData[0] > 0) held = Math.max(held, now - workerData[0]);
    }, 1);
    createServer((_, response) => {
      response.setHeader("Connection", "close");
      response.end(JSON.stringify({ held, rss: process.memoryUsage.rss() }));
      held = 0;
    }).listen(${Number(process.env.WATCH_LOOP_PORT)}, "127.0.0.1");`;
  new Worker(watcher, { eval: true, workerData: beats, execArgv: [] }).unref();
}
