import { parentPort, workerData } from "node:worker_threads";
import type { AnyHostedKind } from "../../store/projection.ts";
import { createHost } from "./host.ts";
import type { ThreadData, ToThread } from "./messages.ts";

/** Makes this thread the one that `index-thread.ts` talks to. */
export function serveIndex(kinds: Record<string, () => Promise<AnyHostedKind>>): void {
  const port = parentPort;
  if (!port) throw new Error("only a worker thread serves an index");
  const { current, maxBytes, maxSpaceBytes } = workerData as ThreadData;
  const turn = new Int32Array(current);
  const hear = createHost({
    kinds,
    post: (message, transfer = []) => port.postMessage(message, transfer),
    maxBytes,
    maxSpaceBytes,
    monotonic: () => performance.now(),
    later: setImmediate,
    onTurn(id) {
      Atomics.store(turn, 0, id);
      Atomics.add(turn, 1, 1);
    },
  });
  port.on("message", (message: ToThread) => void hear(message));
}
