import type { Server } from "node:http";
import { createThrottle } from "../../system/caching.ts";
import type { Clock } from "../../system/clock.ts";
import type { Log } from "../../system/log.ts";
import { maxOpenFiles } from "../../system/processes/open-files.ts";

/** What connections of clients leave free of the files that this process may open, at least. */
const MIN_FREE = 64;
/** The log gets at most one line in this time. */
const TOLD_AGAIN_MS = 10_000;

/**
 * Bounds the connections of clients, so that the store's files, worker processes and connections to others can still be
 * opened. Once the process may open nothing more, Node closes new connections without saying so anywhere.
 */
export function boundConnections(
  server: Server,
  { clock, log, openFiles = maxOpenFiles() }: { clock: Clock; log: Log; openFiles?: number | undefined },
): void {
  if (openFiles === undefined) return;
  const most = Math.max(1, openFiles - Math.max(MIN_FREE, Math.ceil(openFiles / 4)));
  const mayTell = createThrottle(clock, { everyMs: TOLD_AGAIN_MS, most: 1 });
  server.maxConnections = most;
  server.on("drop", () => {
    if (!mayTell("connections")) return;
    log.warn(
      { connections: most, openFiles },
      "new connections are closed unanswered: there are as many as the files that this process may open allow (ulimit -n)",
    );
  });
}
