import type { Server } from "node:http";
import type { Socket } from "node:net";
import { Problem, type ProblemCode } from "../contract/problem.ts";
import type { App } from "./app.ts";

const CODES: Record<string, [ProblemCode, string]> = {
  HPE_HEADER_OVERFLOW: ["headers_too_large", "The headers are longer than 16 KiB."],
  ERR_HTTP_REQUEST_TIMEOUT: ["request_timeout", "The request did not arrive in time."],
};

/** Node's HTTP parser refuses a request before there is one: the same body and headers even then. */
export function answerParserErrors(server: Server, app: App): void {
  server.on("clientError", (error: NodeJS.ErrnoException, socket: Socket) => {
    if (error.code === "ECONNRESET" || !socket.writable) {
      socket.destroy();
      return;
    }
    const [code, detail] = CODES[error.code ?? ""] ?? [
      "invalid_request",
      "This is not a well-formed HTTP/1.1 request.",
    ];
    app
      .refuseUnparsed(socket.remoteAddress, new Problem(code, detail))
      .then(({ status, reason, headers, body }) => {
        const lines = headers.map(([name, value]) => `${name}: ${value}`);
        socket.end(
          `HTTP/1.1 ${status} ${reason}\r\n${lines.join("\r\n")}\r\nConnection: close\r\n\r\n${body}`,
        );
      })
      .catch(() => socket.destroy());
  });
}
