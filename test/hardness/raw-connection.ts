import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { expect, onTestFinished } from "vitest";

/** An answer as received, with header names in lower case. */
export interface RawAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** A TCP connection to the server, on which a test can send bytes that HTTP libraries do not allow. */
export interface RawConnection {
  socket: Socket;
  send(bytes: string | Buffer): void;
  /** Returns everything received so far. */
  received(): string;
  /** Resolves once `count` answers are complete, not counting interim ones (1xx). */
  answers(count: number): Promise<RawAnswer[]>;
  /** Resolves with all answers once the server has ended the connection. */
  ended(): Promise<RawAnswer[]>;
}

/** @param closeWithServer if false, keeps its own side open after the server has closed the other. */
export async function openConnection(
  url: string,
  { closeWithServer = true }: { closeWithServer?: boolean } = {},
): Promise<RawConnection> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: !closeWithServer });
  onTestFinished(() => {
    socket.destroy();
  });
  let text = "";
  let over = false;
  const waiting = new Set<() => void>();
  const wake = () => {
    for (const check of [...waiting]) check();
  };
  socket.setEncoding("latin1").on("data", (part: string) => {
    text += part;
    wake();
  });
  for (const event of ["end", "close"]) {
    socket.on(event, () => {
      over = true;
      wake();
    });
  }
  // A reset also ends the connection. Only the data received before it matters.
  socket.on("error", () => {});
  await once(socket, "connect");

  function until<T>(find: () => T | undefined): Promise<T> {
    return new Promise((resolve) => {
      const check = () => {
        const found = find();
        if (found === undefined) return;
        waiting.delete(check);
        resolve(found);
      };
      waiting.add(check);
      check();
    });
  }

  return {
    socket,
    send: (bytes) => void socket.write(bytes),
    received: () => text,
    answers: (count) =>
      until(() => {
        const found = parseAnswers(text);
        return found.length >= count || over ? found : undefined;
      }),
    ended: () => until(() => (over ? parseAnswers(text) : undefined)),
  };
}

/** Parses the complete answers in the received text. */
export function parseAnswers(text: string): RawAnswer[] {
  const answers: RawAnswer[] = [];
  let at = 0;
  for (;;) {
    const end = text.indexOf("\r\n\r\n", at);
    if (end < 0) return answers;
    const [first = "", ...lines] = text.slice(at, end).split("\r\n");
    const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(first)?.[1]);
    const headers = Object.fromEntries(
      lines.map((line) => {
        const colon = line.indexOf(":");
        return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
      }),
    );
    const length = Number(headers["content-length"] ?? 0);
    if (end + 4 + length > text.length) return answers;
    at = end + 4 + length;
    if (status >= 200) answers.push({ status, headers, body: text.slice(end + 4, at) });
  }
}

const FOUR = ["x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset", "x-ratelimit-policy"];

/** Asserts that an answer is a problem, with the limits' headers and a request id. */
export function expectProblem(answer: RawAnswer | undefined, status: number, error: string): void {
  expect(answer?.status).toBe(status);
  for (const name of FOUR) expect(answer?.headers[name], name).toMatch(/^\d+(;w=\d+)?$/);
  expect(answer?.headers["x-request-id"]).toMatch(/^req_/);
  expect(answer?.headers["content-type"]).toBe("application/problem+json");
  expect(JSON.parse(answer?.body ?? "")).toMatchObject({ status, error });
}
