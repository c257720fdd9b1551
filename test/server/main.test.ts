import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { expect, it } from "vitest";
import { OWNER_KEY, startApp } from "../support/app.ts";
import { fakeClock } from "../support/clock.ts";

it("a server answers a request that arrives while it starts", async () => {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/api/v1/account`;
  const headers = { Authorization: `Bearer ${OWNER_KEY}` };
  const starting = startApp({ port });
  // Retries as fast as possible, so that a request arrives between listening and readiness.
  let answer: Response | undefined;
  while (!answer) {
    answer = await fetch(url, { headers, signal: AbortSignal.timeout(10_000) }).catch((error) => {
      if (error.name === "TimeoutError") throw error;
      return undefined;
    });
  }
  expect(answer.status).toBe(200);
  await starting;
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

it("a server stops despite an open connection without a request", async () => {
  // The clock is stopped, so the grace period for requests in flight never ends.
  const app = await startApp({ clock: fakeClock() });
  const socket = connect(Number(new URL(app.url).port), "127.0.0.1");
  await once(socket, "connect");
  const closed = once(socket, "close");
  // The server learns of a connection a moment after its client.
  expect((await app.request("GET", "/health")).status).toBe(200);
  await app.close();
  await closed;
});
