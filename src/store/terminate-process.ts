import type { Log } from "../system/log.ts";

/** Ends the process at once, where continuing would acknowledge writes that are not durable. */
export function terminateProcess(log: Pick<Log, "error">): (error: unknown) => void {
  return (err) => {
    log.error({ err }, "the store cannot go on: ending, so that nothing is acknowledged that is not safe");
    process.exit(1);
  };
}
