import { once } from "node:events";
import { PassThrough } from "node:stream";
import { expect, it } from "vitest";
import { eachLine } from "../../src/gateway/upstreams/lines.ts";

it("eachLine() gives others their turn between the lines of one chunk, and keeps order and end", async () => {
  const stream = new PassThrough();
  const lines: string[] = [];
  eachLine(stream, 1024, { onLine: (line) => void lines.push(line) });
  const sent = Array.from({ length: 20_000 }, (_, index) => String(index));
  stream.write(`${sent.join("\n")}\n`);
  await new Promise((resolve) => void setImmediate(resolve));
  expect(lines.length).toBeLessThan(1_000);
  stream.end("half of\na line");
  await once(stream, "close");
  expect(lines).toEqual([...sent, "half of", "a line"]);
});
