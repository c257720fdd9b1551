import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { passOn } from "../support/services/pass-on.ts";

/** What happens to a request: a proxy answers it, its connection breaks, or its answer is lost after it had its effect. */
type Mishap = "502" | "limited for a second" | "limited for an hour" | "broken" | "lost";

/** Stands between a program and a server. Whoever asks for a code is told to poll each second. */
export async function unsteady(server: string) {
  const mishaps: { path: string; mishap: Mishap }[] = [];
  const listener = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const found = mishaps.findIndex(({ path }) => path === request.url);
    const mishap = found < 0 ? undefined : mishaps.splice(found, 1)[0]?.mishap;
    if (mishap === "broken") return void request.socket.destroy();
    if (mishap === "502")
      return response.writeHead(502, { "retry-after": "soon" }).end("<h1>Bad Gateway</h1>");
    if (mishap === "limited for a second") return limited(response, 1);
    if (mishap === "limited for an hour") return limited(response, 3600);
    const answer = await passOn(request, Buffer.concat(chunks), server);
    if (mishap === "lost") return response.writeHead(503).end();
    const text = (await answer.text()).replace('"interval":5', '"interval":1');
    response.writeHead(answer.status, { "content-type": "application/json" }).end(text);
  }).listen(0, "127.0.0.1");
  await once(listener, "listening");
  onTestFinished(() => void listener.close());
  return {
    url: `http://127.0.0.1:${(listener.address() as AddressInfo).port}`,
    /** The next request of a path meets with a mishap. */
    next: (path: string, mishap: Mishap) => mishaps.push({ path, mishap }),
    /** Those that have not been met with yet. */
    mishaps,
  };
}

function limited(response: ServerResponse, seconds: number): void {
  const problem = JSON.stringify({ error: "rate_limited", detail: `Try again in ${seconds} s.` });
  response.writeHead(429, { "retry-after": String(seconds) }).end(problem);
}
