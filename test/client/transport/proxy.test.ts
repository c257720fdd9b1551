import { execFile } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer as createHttpServer } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { type AddressInfo, connect, type Server } from "node:net";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { readinessOf } from "../../../src/cli/readiness.ts";
import { createTransport } from "../../../src/client/transport/http-transport.ts";
import { bundled } from "../../support/bundled.ts";
import { CERTIFICATE, HOST, KEY } from "../../support/services/certificate.ts";
import { temporaryDirectory } from "../../support/store.ts";

async function listen(server: Server): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

/** A proxy that resolves HOST to a port of this machine, or refuses every tunnel with `status`. */
async function startProxy(target: { port: number } | { status: number }) {
  const asked: { authority: string | undefined; authorization: string | undefined }[] = [];
  const server = createHttpServer().on("connect", (request, socket) => {
    asked.push({ authority: request.url, authorization: request.headers["proxy-authorization"] });
    socket.on("error", () => {});
    if ("status" in target) return socket.end(`HTTP/1.1 ${target.status} No\r\n\r\n<html>No</html>`);
    const tunnel = connect(target.port, "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      tunnel.pipe(socket).pipe(tunnel);
    });
    tunnel.on("error", () => socket.destroy());
    onTestFinished(() => void tunnel.destroy());
  });
  return { asked, port: await listen(server) };
}

/** The error of a request to HOST, or to another address. */
async function failureOf(environment: Record<string, string>, address = `https://${HOST}/`): Promise<string> {
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
  const transport = createTransport();
  const request = { method: "GET", url: new URL(address), headers: {}, timeoutMs: 10_000 };
  const failure = await transport.send(request).then(
    ({ status }) => String(status),
    (error: Error) => error.message,
  );
  transport.close();
  return failure;
}

it("a server behind the environment's proxy is reached through a tunnel, with TLS to the server itself", async () => {
  const server = createHttpsServer({ key: KEY, cert: CERTIFICATE }, (_, res) => res.writeHead(299).end());
  const proxy = await startProxy({ port: await listen(server) });
  const directory = temporaryDirectory();
  const authority = join(directory, "authority.pem");
  writeFileSync(authority, CERTIFICATE);
  const [program = ""] = await bundled("test/client/support/request-process.ts");
  for (const scheme of ["http://", ""]) {
    const env = {
      HTTPS_PROXY: `${scheme}ada:pass%20word@127.0.0.1:${proxy.port}`,
      NODE_EXTRA_CA_CERTS: authority,
    };
    const answered = await new Promise((resolve) =>
      execFile(process.execPath, [program, `https://${HOST}/`], { env }, (_, stdout, stderr) =>
        resolve(stdout + stderr),
      ),
    );
    expect(answered).toBe("299\n");
  }
  const authorization = `Basic ${Buffer.from("ada:pass word").toString("base64")}`;
  expect(proxy.asked).toEqual(Array(2).fill({ authority: `${HOST}:443`, authorization }));
});

it("what NO_PROXY names and this machine are reached without the proxy", async () => {
  const proxy = await startProxy({ status: 502 });
  const port = await listen(createHttpServer((_, res) => res.writeHead(204).end()));
  const environment = {
    HTTPS_PROXY: `http://127.0.0.1:${proxy.port}`,
    HTTP_PROXY: `http://127.0.0.1:${proxy.port}`,
  };
  expect(await failureOf(environment, `http://127.0.0.1:${port}/`)).toBe("204");
  expect(await failureOf({ ...environment, NO_PROXY: "other.test,.example.test" })).not.toMatch(/proxy/);
  expect(proxy.asked).toEqual([]);
  expect(await failureOf({ ...environment, NO_PROXY: "other.test" })).toMatch(/the proxy answers 502/);
});

it.each([
  [407, /the proxy answers 407: it wants a name and a password, as http:/],
  [403, /the proxy answers 403 \(through 127\.0\.0\.1:\d+, the environment's proxy\)$/],
])(
  "a proxy that refuses with %d is told apart from the server, without its password",
  async (status, said) => {
    const { port } = await startProxy({ status });
    const message = await failureOf({ HTTPS_PROXY: `http://ada:secret@127.0.0.1:${port}` });
    expect(message).toMatch(said);
    expect(message).not.toMatch(/secret/);
  },
);

it.each([
  ["http://127.0.0.1:1", /nothing listens there \(through 127\.0\.0\.1:1, the environment's proxy\)$/],
  ["socks5://ada:secret@127.0.0.1:1", /must be as http:\/\/proxy\.example:3128 \(through 127\.0\.0\.1:1,/],
  ["http://ada:secret@:::", /must be as http:\/\/proxy\.example:3128/],
])("a proxy that cannot be used is named: %s", async (proxy, said) => {
  const message = await failureOf({ ALL_PROXY: proxy });
  expect(message).toMatch(said);
  expect(message).not.toMatch(/secret/);
});

it("whether a server is ready is asked through the proxy, too", async () => {
  const { port, asked } = await startProxy({ status: 502 });
  vi.stubEnv("HTTPS_PROXY", `http://127.0.0.1:${port}`);
  onTestFinished(() => void vi.unstubAllEnvs());
  const { ready, detail } = await readinessOf(`https://${HOST}`);
  expect(ready).toBe(false);
  expect(detail).toContain("does not answer: the proxy answers 502");
  expect(asked.map(({ authority }) => authority)).toEqual([`${HOST}:443`]);
});
