import { Socket } from "node:net";
import { setPriority } from "node:os";
import type { AnyHostedKind } from "../../store/projection.ts";
import { FrameReader, framed } from "../../system/frames.ts";
import { CHANNEL } from "../../system/worker-process.ts";
import { createHost } from "./host.ts";
import type { FromIndex, HostBounds, ToIndex } from "./messages.ts";

/** Makes this process the one that `index-process.ts` talks to. */
export function serveIndex(kinds: Record<string, () => Promise<AnyHostedKind>>): void {
  const channel = new Socket({ fd: CHANNEL });
  let hear: ReturnType<typeof createHost> | undefined;

  // What searches gives way to what carries messages.
  setPriority(2);
  const reader = new FrameReader(({ value }) => {
    const message = value as ToIndex;
    if (message.type === "bounds") hear = begin(message);
    else void hear?.(message);
  });
  channel.on("data", (chunk: Buffer) => reader.push(chunk));
  channel.on("error", () => process.exit());
  // The server has ended, however that was.
  channel.on("end", () => process.exit());

  function post(message: FromIndex): void {
    channel.cork();
    for (const part of framed(message)) channel.write(part);
    channel.uncork();
  }

  function begin({ maxBytes, maxSpaceBytes }: HostBounds) {
    return createHost({
      kinds,
      post,
      maxBytes,
      maxSpaceBytes,
      monotonic: () => performance.now(),
      later: setImmediate,
      onTurn: (id) => post({ type: "turn", id }),
    });
  }
}
