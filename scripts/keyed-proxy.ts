import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";

/**
 * Starts a proxy that adds a key to requests, for programs that cannot send one. It keeps the client's `Host` and
 * `Origin` unless they name the proxy. Those are changed to the server's, which rejects foreign ones.
 */
export async function keyedProxy(target: URL, key: string): Promise<{ url: string; close(): void }> {
  const server = createServer((req, res) => {
    const { port } = server.address() as AddressInfo;
    const headers = { ...req.headers, authorization: `Bearer ${key}` };
    for (const name of ["127.0.0.1", "localhost"]) {
      if (headers.host === `${name}:${port}`) headers.host = target.host;
      if (headers.origin === `http://${name}:${port}`) headers.origin = target.origin;
    }
    const { hostname, port: targetPort } = target;
    const onward = request(
      { hostname, port: targetPort, method: req.method, path: req.url, headers },
      (answer) => {
        res.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(res);
      },
    );
    onward.on("error", () => res.destroy());
    res.on("close", () => onward.destroy());
    req.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}${target.pathname}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
