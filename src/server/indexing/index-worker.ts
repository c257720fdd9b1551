import { setPriority } from "node:os";
import { channelToServer } from "../../system/processes/worker-channel.ts";
import { createHost } from "./host.ts";
import { loadKind } from "./load-kind.ts";
import type { FromIndex, Opening, ToIndex } from "./messages.ts";

/** The index process, which holds everything that is searched; `index-process.ts` starts it. */

// A lower priority, so that searches do not slow down the process that serves requests.
setPriority(2);
let hear: ReturnType<typeof createHost> | undefined;
const channel = channelToServer(({ value }) => {
  const message = value as ToIndex;
  if (message.type === "opening") hear = begin(message);
  else void hear?.(message);
});

function begin({ modules, maxBytes, maxSpaceBytes }: Opening) {
  return createHost({
    load: (kind) => loadKind(kind, modules[kind]),
    post,
    maxBytes,
    maxSpaceBytes,
    monotonic: () => performance.now(),
    later: setImmediate,
    onTurn: (id) => post({ type: "turn", id }),
  });
}

function post(message: FromIndex): void {
  channel.send(message);
}
