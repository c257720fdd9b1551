import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { createChunkPace } from "../../../../src/server/pipeline/slow-clients/chunk-pace.ts";

/** A clock whose pauses last until the test ends them. */
function pausing() {
  const pauses: { ms: number; end: () => void }[] = [];
  let now = 0;
  return {
    pauses,
    clock: {
      monotonic: () => now,
      sleep: (ms: number) =>
        new Promise<void>((resolve) =>
          pauses.push({
            ms,
            end() {
              now += ms;
              resolve();
            },
          }),
        ),
    },
  };
}

/** Starts a server that answers a request with the length of its body, read at the pace of a clock. */
async function start(clock: Parameters<typeof createChunkPace>[0], perSecond?: number) {
  const pace = createChunkPace(clock, perSecond);
  let read = 0;
  const server = createServer((req, res) => {
    pace(req);
    let length = 0;
    req.on("data", (chunk: Buffer) => {
      length += chunk.length;
      read += chunk.length;
    });
    req.on("end", () => res.end(String(length)));
  }).listen(0, "127.0.0.1");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;

  /** Sends a body of so many chunks of a byte. Returns the answer. */
  async function send(chunks: number): Promise<string> {
    const socket = connect(port, "127.0.0.1");
    socket.write("POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n");
    socket.write(`${"1\r\na\r\n".repeat(chunks)}0\r\n\r\n`);
    let text = "";
    for await (const part of socket) text += part;
    return /\d+$/.exec(text.replace(/\r\n0\r\n\r\n$/, ""))?.[0] ?? text;
  }
  return { send, read: () => read };
}

describe("the pace of chunks", () => {
  it("does not slow down a body of a few hundred chunks", async () => {
    const { clock, pauses } = pausing();
    const { send } = await start(clock);
    expect(await send(499)).toBe("499");
    expect(pauses).toEqual([]);
  });

  it("stops reading tiny chunks until they are as slow as they may be, and loses none", async () => {
    const { clock, pauses } = pausing();
    const { send, read } = await start(clock, 1000);
    const sent = send(200_000);
    await expect.poll(() => pauses.length).toBe(1);
    await new Promise((resolve) => setTimeout(resolve, 100));
    // What had arrived together with the first chunks, at most.
    expect(read()).toBeLessThan(100_000);
    const rest = setInterval(() => pauses.at(-1)?.end(), 1);
    onTestFinished(() => clearInterval(rest));
    expect(await sent).toBe("200000");
    expect(clock.monotonic()).toBeGreaterThanOrEqual(190_000);
  });

  it("is one for all connections of an address", async () => {
    const { clock, pauses } = pausing();
    const { send } = await start(clock, 1000);
    const sent = [send(600), send(600)];
    await expect.poll(() => pauses.length).toBe(2);
    expect(pauses.map(({ ms }) => ms).sort((one, other) => one - other)).toEqual([500, 1000]);
    const rest = setInterval(() => {
      for (const pause of pauses.splice(0)) pause.end();
    }, 1);
    onTestFinished(() => clearInterval(rest));
    expect(await Promise.all(sent)).toEqual(["600", "600"]);
  });
});
