import { randomBytes } from "node:crypto";
import { gzipSync } from "node:zlib";
import { expect, it, onTestFinished } from "vitest";
import { unpackerOf } from "../../../src/server/pipeline/inflate.ts";

it("unpacks a body of many pieces, and nothing warns of leaking listeners", async () => {
  const warnings: string[] = [];
  const hear = ({ message }: Error) => void warnings.push(message);
  process.on("warning", hear);
  onTestFinished(() => void process.off("warning", hear));
  const content = randomBytes(2 << 20);
  const packed = gzipSync(content);
  async function* body() {
    for (let at = 0; at < packed.length; at += 64 * 1024) yield packed.subarray(at, at + 64 * 1024);
  }
  const pieces: Buffer[] = [];
  for await (const piece of unpackerOf("gzip", content.length)?.(body()) ?? []) pieces.push(piece);
  expect(content.equals(Buffer.concat(pieces))).toBe(true);
  expect(warnings).toEqual([]);
});
