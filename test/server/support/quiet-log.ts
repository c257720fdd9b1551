import type { Log } from "../../../src/system/log.ts";

/** Returns a log that drops everything, apart from the levels that a test listens to. */
export function quietLog(heard: Partial<Log>): Log {
  const quiet = () => {};
  return { debug: quiet, info: quiet, warn: quiet, error: quiet, ...heard };
}
