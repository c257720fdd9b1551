import { type Clock, iso } from "../../../system/clock.ts";
import type { Log, LogLevel } from "../../../system/log.ts";

import type { Output } from "../../terminal/io.ts";
import { jsonText } from "../terminal-text.ts";
import type { ServeView } from "./serve-view.ts";

/** The most unread output. Beyond it lines are dropped, since a server neither waits for its reader nor buffers all. */
const MAX_BACKLOG_BYTES = 4 * 1024 * 1024;
const WRITE_MS = 50;

/** Prints a server's events as JSON lines: `listening` first, then each request. Warnings go to stderr. */
export function serveLines(output: Output, clock: Clock, level: LogLevel, log: Log): ServeView {
  const quiet = level !== "info" && level !== "debug";
  let pending = "";
  let dropped = 0;
  const say = (line: Record<string, unknown>) => {
    pending += `${jsonText(line)}\n`;
  };
  const write = () => {
    if (pending === "") return;
    output.write(pending);
    pending = "";
  };
  output.outliveReader();
  const stop = clock.every(WRITE_MS, write);
  return {
    log,
    listening({ url, signInUrl, where }) {
      say({ event: "listening", url, signInUrl, store: where });
      write();
    },
    served({ at, ms, ...request }) {
      if (quiet) return;
      if (output.backlog + pending.length > MAX_BACKLOG_BYTES) {
        dropped++;
        return;
      }
      if (dropped > 0) say({ event: "dropped", at: iso(at), lines: dropped });
      dropped = 0;
      const durationMs = Math.round(ms * 1000) / 1000;
      say({ event: "request", at: iso(at), ...request, durationMs });
    },
    stopping() {
      say({ event: "stopping", at: iso(clock.now()) });
      write();
    },
    end() {
      stop();
      write();
    },
  };
}
