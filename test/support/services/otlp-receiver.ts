import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";
import { onTestFinished } from "vitest";

export interface OtlpReceiver {
  url: string;
  /** Requests received on a path so far, in order. */
  received(path: "/v1/traces" | "/v1/metrics"): { contentType: string; body: Buffer }[];
  /** Resolves with the first body on a path that contains all of these texts. */
  until(path: "/v1/traces" | "/v1/metrics", ...texts: string[]): Promise<Buffer>;
}

/** Starts a receiver of what OpenTelemetry's exporters send over HTTP, and stops it after the test. */
export async function startOtlpReceiver(): Promise<OtlpReceiver> {
  const all: { path: string; contentType: string; body: Buffer }[] = [];
  const server = createServer(async (req, res) => {
    const sent = await buffer(req);
    const body = req.headers["content-encoding"] === "gzip" ? gunzipSync(sent) : sent;
    const contentType = req.headers["content-type"] ?? "";
    all.push({ path: req.url ?? "", contentType, body });
    res.writeHead(200, { "Content-Type": contentType }).end(contentType.includes("json") ? "{}" : "");
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => {
    server.close().closeAllConnections();
  });
  const received: OtlpReceiver["received"] = (wanted) => all.filter(({ path }) => path === wanted);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    async until(path, ...texts) {
      for (;;) {
        const found = received(path).find(({ body }) => texts.every((text) => body.includes(text)));
        if (found) return found.body;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
  };
}
