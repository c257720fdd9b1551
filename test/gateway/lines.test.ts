import { once } from "node:events";
import { PassThrough } from "node:stream";
import { expect, it } from "vitest";
import { eachLine } from "../../src/gateway/upstreams/lines.ts";

it("eachLine() gives others their turn between the lines of one chunk, and keeps order and end", async () => {
  const stream = new PassThrough();
  const lines: string[] = [];
  eachLine(stream, 1024, { onLine: (line) => void lines.push(line.toString()) });
  const sent = Array.from({ length: 20_000 }, (_, index) => String(index));
  stream.write(`${sent.join("\n")}\n`);
  await new Promise((resolve) => void setImmediate(resolve));
  expect(lines.length).toBeLessThan(1_000);
  stream.end("half of\na line");
  await once(stream, "close");
  expect(lines).toEqual([...sent, "half of", "a line"]);
});

it("eachLine() gives others their turn between chunks that arrive at once, as a fast program's do", async () => {
  const stream = new PassThrough({ highWaterMark: 64 * 1024 * 1024 });
  let lines = 0;
  eachLine(stream, 1 << 20, { onLine: () => void lines++ });
  for (let sent = 0; sent < 64; sent++) stream.write(`${"x".repeat(60_000)}\n`);
  // Promises and ticks are settled before the next turn, and with them whatever is handled without one.
  await new Promise((resolve) => void setImmediate(resolve));
  expect(lines).toBeLessThan(20);
  stream.end();
  await once(stream, "close");
  expect(lines).toBe(64);
});
