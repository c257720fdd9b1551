import { once } from "node:events";
import { createServer as createHttpServer, type RequestListener } from "node:http";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { UnexpectedAnswer, Unreachable } from "../../../src/client/errors.ts";
import { createTransport } from "../../../src/client/transport/http-transport.ts";
import type { TransportRequest } from "../../../src/client/transport/transport.ts";
import { Problem } from "../../../src/contract/problem.ts";
import { bundled } from "../../support/bundled.ts";
import { startProcess } from "../support/processes.ts";

/** Long enough for an answer over loopback, even on a busy machine. */
const LIMITS = { connectMs: 700, idleMs: 700 };

async function listen(server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket.on("error", () => {}));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

const listenHttp = (answer: RequestListener) => listen(createHttpServer(answer));

function transportTo(port: number, { protocol = "http", limits = LIMITS } = {}) {
  const transport = createTransport(limits);
  onTestFinished(() => transport.close());
  return (more: Partial<TransportRequest> & { path?: string } = {}) => {
    const url = new URL(`${protocol}://127.0.0.1:${port}${more.path ?? "/"}`);
    return transport.send({ method: "GET", url, headers: {}, timeoutMs: 10_000, ...more });
  };
}

async function failureOf(answer: Promise<unknown>): Promise<Unreachable> {
  const failure = await answer.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(failure).toBeInstanceOf(Unreachable);
  return failure as Unreachable;
}

it("the transport returns status, headers and bytes unchanged", async () => {
  const body = Buffer.from(Array.from({ length: 300_000 }, (_, index) => index % 256));
  const port = await listenHttp((_, res) => res.writeHead(299, { "X-Two": ["a", "b"] }).end(body));
  const answer = await transportTo(port)({ path: "/a%20b?c=d" });
  expect(answer).toMatchObject({ status: 299, headers: { "x-two": "a, b" } });
  expect(answer.body.equals(body)).toBe(true);
});

it("the transport skips early hints (103)", async () => {
  const port = await listenHttp((_, res) => {
    res.writeEarlyHints({ link: "</a>; rel=preload" });
    res.end("later");
  });
  const answer = await transportTo(port)();
  expect(answer).toMatchObject({ status: 200, body: Buffer.from("later") });
  expect(answer.headers).not.toHaveProperty("link");
});

it("the transport reads an answer sent before a long request body was read", async () => {
  const port = await listenHttp((_, res) => res.writeHead(413, { connection: "close" }).end("too long"));
  const request = { method: "POST", body: "x".repeat(32 * 1024 * 1024) };
  expect(await transportTo(port)(request)).toMatchObject({ status: 413, body: Buffer.from("too long") });
});

it("the transport reuses its connection, and closes only its own", async () => {
  const server = createHttpServer((_, res) => res.end());
  // The server itself closes no connection during the test.
  server.keepAliveTimeout = 600_000;
  const open = new Set<Socket>();
  let connections = 0;
  server.on("connection", (socket) => {
    connections++;
    open.add(socket.on("close", () => open.delete(socket)));
  });
  const url = new URL(`http://127.0.0.1:${await listen(server)}/`);
  const [one, other] = [createTransport(LIMITS), createTransport(LIMITS)];
  onTestFinished(() => other.close());
  const send = (transport = one) => transport.send({ method: "GET", url, headers: {}, timeoutMs: 10_000 });
  await send();
  await send();
  expect(connections).toBe(1);
  await send(other);
  expect(connections).toBe(2);
  one.close();
  await expect.poll(() => open.size).toBe(1);
  await send();
  await send(other);
  expect(connections).toBe(3);
  one.close();
});

it("the transport sends a request while another is waiting", async () => {
  const held: (() => void)[] = [];
  const port = await listenHttp((req, res) => {
    if (req.url === "/slow") held.push(() => res.end());
    else res.end();
  });
  const send = transportTo(port);
  const slow = send({ path: "/slow" });
  expect((await send()).status).toBe(200);
  expect(held).toHaveLength(1);
  held[0]?.();
  expect((await slow).status).toBe(200);
});

it('the transport times out a TLS connection that is not established, with delivery "never"', async () => {
  const port = await listen(createServer());
  const failure = await failureOf(transportTo(port, { protocol: "https" })());
  expect(failure).toMatchObject({ delivery: "never", torn: false, reason: "no connection within 0.7 s" });
});

it("the transport waits for a slow answer", async () => {
  const port = await listenHttp((_, res) => void setTimeout(() => res.end("later"), 50));
  expect(await transportTo(port)({ timeoutMs: 1500 })).toMatchObject({ body: Buffer.from("later") });
});

it("the transport fails with Unreachable if an answer stops half way", async () => {
  const port = await listenHttp((_, res) => void res.writeHead(200).write("half"));
  expect(await failureOf(transportTo(port)())).toMatchObject({
    delivery: "unknown",
    torn: false,
    reason: "its answer stopped half way",
  });
});

it("the transport reports a torn connection before the answer and within it", async () => {
  const port = await listenHttp((req, res) => {
    if (req.url === "/before") res.socket?.destroy();
    else res.writeHead(200, { "content-length": 10 }).write("half", () => res.socket?.destroy());
  });
  const send = transportTo(port);
  expect(await failureOf(send({ path: "/before" }))).toMatchObject({ delivery: "unknown", torn: true });
  expect(await failureOf(send({ path: "/within" }))).toMatchObject({
    delivery: "unknown",
    reason: "its answer stopped half way",
  });
});

it("the transport reports a server that does not speak HTTP or TLS", async () => {
  const port = await listen(createServer((socket) => void socket.end("SSH-2.0-OpenSSH_9.9\r\n")));
  expect((await failureOf(transportTo(port)())).reason).toBe("what listens there does not speak HTTP");
  expect(await failureOf(transportTo(port, { protocol: "https" })())).toMatchObject({
    delivery: "never",
    reason: "it does not speak TLS on that port",
  });
});

it("the transport stops when the caller aborts, connected or not", async () => {
  const silent = await listen(createServer());
  for (const protocol of ["http", "https"]) {
    const controller = new AbortController();
    const answer = transportTo(silent, { protocol })({ signal: controller.signal });
    setTimeout(() => controller.abort("SIGINT"), 10);
    await expect(answer).rejects.toBe("SIGINT");
  }
  const aborted = transportTo(silent)({ signal: AbortSignal.abort("before") });
  await expect(aborted).rejects.toBe("before");
});

it.each([
  ["x-a", "line\nfeed"],
  ["x b", "space"],
])("the transport refuses to send the header %s: %j", async (name, value) => {
  const port = await listenHttp((_, res) => res.end());
  await expect(transportTo(port)({ headers: { [name]: value } })).rejects.toThrow(Problem);
});

it("the transport lets the process end while a connection is kept alive", async () => {
  const port = await listenHttp((_, res) => res.writeHead(204, { "keep-alive": "timeout=600" }).end());
  const [program = ""] = await bundled("test/client/support/request-process.ts");
  const child = startProcess(program, `http://127.0.0.1:${port}/`);
  const [[line], [code]] = await Promise.all([once(child.stdout, "data"), once(child, "exit")]);
  expect(String(line)).toBe("204\n");
  expect(code).toBe(0);
});

describe("a long or slow answer", () => {
  async function refused(answer: Promise<unknown>): Promise<UnexpectedAnswer> {
    const failure = await answer.catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(UnexpectedAnswer);
    return failure as UnexpectedAnswer;
  }
  /** Writes until the client has disconnected. */
  const endless: RequestListener = (req, res) => {
    res.writeHead(req.url === "/fails" ? 500 : 200, { "x-request-id": "req_1" });
    const write = () => {
      while (!res.destroyed && res.write(Buffer.alloc(64 * 1024, "x")));
    };
    res.on("drain", write);
    write();
  };

  it("is refused at the size limit, with success and with an error status", async () => {
    // Client and server share a process, which may be busy with 64 MiB for longer than a pause may last.
    const send = transportTo(await listenHttp(endless), { limits: { connectMs: 60_000, idleMs: 60_000 } });
    expect(await refused(send({ maxBytes: 300_000 }))).toMatchObject({
      status: 200,
      requestId: "req_1",
      message: expect.stringMatching(/ answered HTTP 200 with more than 300000 bytes, which was not read\.$/),
    });
    expect((await refused(send())).message).toContain("more than 64 MiB");
    expect(await refused(send({ path: "/fails" }))).toMatchObject({
      status: 500,
      message: expect.stringContaining("more than 1 MiB"),
    });
  });

  it("is refused by its Content-Length before more of it arrives", async () => {
    let written = 0;
    const port = await listenHttp((_, res) => {
      res.writeHead(200, { "content-length": 3e9 });
      res.write("x");
      written += 1;
    });
    expect((await refused(transportTo(port)())).message).toContain("more than 64 MiB");
    expect(written).toBe(1);
  });

  it("is returned whole up to the size limit, in pieces of any size", async () => {
    const body = Buffer.from(Array.from({ length: 50_000 }, (_, index) => index % 251));
    const port = await listenHttp(async (_, res) => {
      for (let at = 0, step = 1; at < body.length; at += step, step = (step * 7) % 5000)
        res.write(body.subarray(at, at + step));
      res.end();
    });
    expect((await transportTo(port)({ maxBytes: body.length })).body.equals(body)).toBe(true);
    await refused(transportTo(port)({ maxBytes: body.length - 1 }));
  });

  it("is given up if it trickles, even without a long pause", async () => {
    const port = await listenHttp((_, res) => {
      res.writeHead(200);
      const trickle = setInterval(() => res.write("x"), 10);
      res.on("close", () => clearInterval(trickle));
    });
    expect((await failureOf(transportTo(port)())).reason).toBe("its answer comes too slowly");
  });

  it("is given up if only interim answers arrive", async () => {
    const port = await listenHttp((_, res) => {
      const hints = setInterval(() => res.writeEarlyHints({ link: "</a>; rel=preload" }), 10);
      res.on("close", () => clearInterval(hints));
    });
    expect((await failureOf(transportTo(port)({ timeoutMs: 50 }))).reason).toBe("no answer within 0.05 s");
  });

  it("is given up if its headers do not end", async () => {
    const port = await listen(
      createServer((socket) => {
        socket.write("HTTP/1.1 200 OK\r\n");
        const write = () => {
          while (!socket.destroyed && socket.write(`x-more: ${"x".repeat(1000)}\r\n`));
        };
        socket.on("drain", write);
        write();
      }),
    );
    await failureOf(transportTo(port)());
  });

  it("fails with the error that its reader throws", async () => {
    const port = await listenHttp(endless);
    const onPiece = () => {
      throw new RangeError("enough");
    };
    await expect(transportTo(port)({ onPiece })).rejects.toThrow("enough");
  });
});
