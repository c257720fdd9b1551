import { once } from "node:events";
import { createServer as createHttpServer, type RequestListener } from "node:http";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { Unreachable } from "../../src/client/errors.ts";
import { createTransport, type TransportRequest } from "../../src/client/transport.ts";
import { Problem } from "../../src/contract/problem.ts";
import { temporaryDirectory } from "../support/store.ts";
import { bundled, startProcess } from "./support/processes.ts";

/** undici looks at its limits twice a second. */
const LIMITS = { connectMs: 50, idleMs: 50 };

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

function transportTo(port: number, protocol = "http") {
  const transport = createTransport(LIMITS);
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

it("gives status, headers and bytes as they came", async () => {
  const body = Buffer.from(Array.from({ length: 300_000 }, (_, index) => index % 256));
  const port = await listenHttp((_, res) => res.writeHead(299, { "X-Two": ["a", "b"] }).end(body));
  const answer = await transportTo(port)({ path: "/a%20b?c=d" });
  expect(answer).toMatchObject({ status: 299, headers: { "x-two": "a, b" } });
  expect(answer.body.equals(body)).toBe(true);
});

it("takes an early hint for no answer", async () => {
  const port = await listenHttp((_, res) => {
    res.writeEarlyHints({ link: "</a>; rel=preload" });
    res.end("later");
  });
  const answer = await transportTo(port)();
  expect(answer).toMatchObject({ status: 200, body: Buffer.from("later") });
  expect(answer.headers).not.toHaveProperty("link");
});

it("takes the answer of a server that has not read all of a long body", async () => {
  const port = await listenHttp((_, res) => res.writeHead(413, { connection: "close" }).end("too long"));
  const request = { method: "POST", body: "x".repeat(32 * 1024 * 1024) };
  expect(await transportTo(port)(request)).toMatchObject({ status: 413, body: Buffer.from("too long") });
});

it("does not let one request wait for another", async () => {
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

it("misses a connection that does not come about, and nothing was delivered", async () => {
  const port = await listen(createServer());
  const failure = await failureOf(transportTo(port, "https")());
  expect(failure).toMatchObject({ delivery: "never", torn: false, reason: "no connection within 0.05 s" });
});

it("misses an answer that stops half way", async () => {
  const port = await listenHttp((_, res) => void res.writeHead(200).write("half"));
  expect(await failureOf(transportTo(port)())).toMatchObject({
    delivery: "unknown",
    torn: false,
    reason: "its answer stopped half way",
  });
});

it("knows a torn connection, before the answer and within it", async () => {
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

it("says that it does not speak HTTP, or TLS, what answers otherwise", async () => {
  const port = await listen(createServer((socket) => void socket.end("SSH-2.0-OpenSSH_9.9\r\n")));
  expect((await failureOf(transportTo(port)())).reason).toBe("what listens there does not speak HTTP");
  expect(await failureOf(transportTo(port, "https")())).toMatchObject({
    delivery: "never",
    reason: "it does not speak TLS on that port",
  });
});

it("stops at once when the caller does, connected or not", async () => {
  const silent = await listen(createServer());
  for (const protocol of ["http", "https"]) {
    const controller = new AbortController();
    const answer = transportTo(silent, protocol)({ signal: controller.signal });
    setTimeout(() => controller.abort("SIGINT"), 10);
    await expect(answer).rejects.toBe("SIGINT");
  }
  const aborted = transportTo(silent)({ signal: AbortSignal.abort("before") });
  await expect(aborted).rejects.toBe("before");
});

it.each([
  ["x-a", "line\nfeed"],
  ["expect", "100-continue"],
])("refuses to send the header %s: %j", async (name, value) => {
  const port = await listenHttp((_, res) => res.end());
  await expect(transportTo(port)({ headers: { [name]: value } })).rejects.toThrow(Problem);
});

it("lets the process end while its connection is kept", async () => {
  const port = await listenHttp((_, res) => res.writeHead(204, { "keep-alive": "timeout=600" }).end());
  const program = await bundled("request-process", temporaryDirectory());
  const child = startProcess(program, `http://127.0.0.1:${port}/`);
  const [[line], [code]] = await Promise.all([once(child.stdout, "data"), once(child, "exit")]);
  expect(String(line)).toBe("204\n");
  expect(code).toBe(0);
});
