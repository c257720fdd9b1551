import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export const CALLBACK = "/callback";

/** Waits for the one request with `state`. Any other request gets 404. */
export async function listenForAnswer(state: string) {
  let settle: (answer: URLSearchParams) => void;
  const answer = new Promise<URLSearchParams>((resolve) => {
    settle = resolve;
  });
  const server = createServer((request, response) => {
    const [path, ...query] = (request.url ?? "").split("?");
    const brought = new URLSearchParams(query.join("?"));
    if (request.method !== "GET" || path !== CALLBACK || brought.get("state") !== state) {
      return say(response, 404, "There is nothing here.");
    }
    say(response, 200, "Go back to your terminal; you can close this page.");
    settle(brought);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(0, "127.0.0.1", resolve);
  });
  return {
    answer,
    port: (server.address() as AddressInfo).port,
    close: () => {
      server.close();
      server.closeIdleConnections();
    },
  };
}

function say(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, {
    "Content-Type": "text/plain; charset=utf-8",
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    Connection: "close",
  });
  response.end(`${text}\n`);
}
