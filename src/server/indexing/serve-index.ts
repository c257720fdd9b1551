import { Socket } from "node:net";
import { setPriority } from "node:os";
import { FrameReader, framed } from "../../system/frames.ts";
import { CHANNEL } from "../../system/processes/worker-process.ts";
import { createHost } from "./host.ts";
import { loadKind } from "./load-kind.ts";
import type { FromIndex, Opening, ToIndex } from "./messages.ts";

/** Makes this process the index process, which talks to `index-process.ts`. */
export function serveIndex(): void {
  const channel = new Socket({ fd: CHANNEL });
  let hear: ReturnType<typeof createHost> | undefined;

  // A lower priority, so that searches do not slow down the process that serves requests.
  setPriority(2);
  const reader = new FrameReader(({ value }) => {
    const message = value as ToIndex;
    if (message.type === "opening") hear = begin(message);
    else void hear?.(message);
  });
  channel.on("data", (chunk: Buffer) => reader.push(chunk));
  channel.on("error", () => process.exit());
  // The channel ends with the server, even if that crashes.
  channel.on("end", () => process.exit());

  function post(message: FromIndex): void {
    channel.cork();
    for (const part of framed(message)) channel.write(part);
    channel.uncork();
  }

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
}
