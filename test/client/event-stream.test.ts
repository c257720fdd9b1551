import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { type ApiClient, createApiClient } from "../../src/client/api-client.ts";
import { Unreachable } from "../../src/client/errors.ts";
import { followEvents } from "../../src/client/event-stream.ts";
import { Problem } from "../../src/contract/problem.ts";
import { systemClock } from "../../src/system/clock.ts";
import { createRandom } from "../../src/system/random.ts";
import { hurryingClock } from "./support/clock.ts";

const answered = { status: 200, headers: {}, body: undefined };

/** Follows a stream through these connections, after which it ends. Returns the waits between them. */
async function waitsBetween(...connections: ((onPiece: (piece: Uint8Array) => void) => void)[]) {
  const clock = hurryingClock();
  let next = 0;
  const api: Pick<ApiClient, "credential" | "request"> = {
    credential: async () => ({ accessToken: "t" }),
    async request(_, __, { onPiece = () => {} } = {}) {
      const connection = connections[next++];
      if (!connection) return { ...answered, status: 204 };
      connection(onPiece);
      return answered;
    },
  };
  await followEvents(api as ApiClient, "/events", {
    clock,
    signal: new AbortController().signal,
    onEvent: () => {},
  });
  return clock.slept;
}

const tear = () => {
  throw new Unreachable("http://x", "torn", { delivery: "never" });
};
const event = (onPiece: (piece: Uint8Array) => void) => onPiece(Buffer.from("id: 1\ndata: {}\n\n"));

describe("followEvents()", () => {
  it("doubles its wait after each failure, up to fifteen seconds", async () => {
    expect(await waitsBetween(tear, tear, tear, tear, tear, tear)).toEqual([
      1000, 2000, 4000, 8000, 15_000, 15_000,
    ]);
  });

  it("waits one second again after a connection that brought an event", async () => {
    const eventAndTear = (onPiece: (piece: Uint8Array) => void) => {
      event(onPiece);
      tear();
    };
    expect(await waitsBetween(tear, tear, eventAndTear, tear)).toEqual([1000, 2000, 1000, 2000]);
  });

  it("waits one second after a stream that ended in order", async () => {
    expect(await waitsBetween(event, event)).toEqual([1000, 1000]);
  });

  it("waits as long as Retry-After says", async () => {
    const limited = () => {
      throw new Problem("rate_limited", "Later.", { headers: { "retry-after": "40" } });
    };
    expect(await waitsBetween(limited, tear)).toEqual([40_000, 2000]);
  });

  it("reconnects after an internal error of the server", async () => {
    const failing = () => {
      throw new Problem("internal_error", "Oh.");
    };
    expect(await waitsBetween(failing, failing)).toEqual([1000, 2000]);
  });

  it("does not reconnect after a client-side error or an abort", async () => {
    const broken = new TypeError("broken");
    const wrong = () => {
      throw broken;
    };
    await expect(waitsBetween(wrong)).rejects.toBe(broken);
    const stopped = new AbortController();
    const troubles: unknown[] = [];
    const api: Pick<ApiClient, "credential" | "request"> = {
      credential: async () => ({ accessToken: "t" }),
      async request() {
        stopped.abort();
        return tear();
      },
    };
    const { signal } = stopped;
    const onTrouble = (error: unknown) => void troubles.push(error);
    const options = { clock: hurryingClock(), signal, onEvent: () => {}, onTrouble };
    await expect(followEvents(api as ApiClient, "/events", options)).rejects.toThrow(Unreachable);
    expect(troubles).toEqual([]);
  });

  it.each(["invalid_token", "not_found"] as const)("does not reconnect after %s", async (error) => {
    const refused = () => {
      throw new Problem(error, "No.");
    };
    await expect(waitsBetween(refused)).rejects.toMatchObject({ error });
  });
});

it("followEvents() resumes after the last event id until the server answers 204", async () => {
  const asked: (string | undefined)[] = [];
  const server = createServer((req, res) => {
    asked.push(req.headers["last-event-id"] as string | undefined);
    if (asked.length === 4) return void res.writeHead(204).end();
    if (asked.length === 2) {
      const problem = { error: "overloaded", title: "Busy", status: 503, detail: "Busy." };
      res.writeHead(503, { "Content-Type": "application/problem+json", "Retry-After": "0" });
      return void res.end(JSON.stringify(problem));
    }
    res.writeHead(200, { "Content-Type": "text/event-stream" });
    res.write(`id: ${asked.length}\nevent: a\ndata: {}\n\n`);
    if (asked.length === 1) res.end();
    else setTimeout(() => res.destroy(), 20);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const api = createApiClient({
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    credentials: {
      read: async () => ({ accessToken: "t" }),
      write: async () => {},
      forget: async () => {},
      fixed: true,
    },
    clock: systemClock,
    random: createRandom(systemClock),
  });
  const events: string[] = [];
  const troubles: unknown[] = [];
  await followEvents(api, "/events", {
    clock: { ...systemClock, sleep: async () => {} },
    signal: new AbortController().signal,
    onEvent: ({ id }) => void events.push(id),
    onTrouble: (error) => void troubles.push(error),
  });
  expect(asked).toEqual([undefined, "1", "1", "3"]);
  expect(events).toEqual(["1", "3"]);
  expect(troubles).toHaveLength(2);
});
