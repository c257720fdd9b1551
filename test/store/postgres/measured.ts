import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { onTestFinished } from "vitest";

/** Bytes that one side sent before the other sent anything, at most. */
export interface Longest {
  question: number;
  answer: number;
}

/** Returns the URL of a database by a way on which what is sent is measured. */
export async function measured(url: string): Promise<{ url: string; longest: Longest }> {
  const longest: Longest = { question: 0, answer: 0 };
  const there = new URL(url);
  const sockets: Socket[] = [];
  const server = createServer((client) => {
    const database = connect(Number(there.port), there.hostname);
    sockets.push(client, database);
    const run: Longest = { question: 0, answer: 0 };
    const pass = (from: Socket, to: Socket, what: keyof Longest, other: keyof Longest) => {
      from.on("error", () => {}).pipe(to);
      from.on("data", (bytes) => {
        run[other] = 0;
        run[what] += bytes.length;
        longest[what] = Math.max(longest[what], run[what]);
      });
    };
    pass(client, database, "question", "answer");
    pass(database, client, "answer", "question");
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  const here = new URL(url);
  here.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url: String(here), longest };
}
