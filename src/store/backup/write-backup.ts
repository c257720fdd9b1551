import { Readable, type Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { createTally, type Inventory } from "../inventory.ts";
import type { StoreItem } from "../store.ts";
import { type Ending, FORMAT, type Heading } from "./layout.ts";

export interface WriteOptions extends Pick<Heading, "version" | "at"> {
  /** Hears how many items have been written, now and then. */
  onProgress?: (items: number) => void;
}

/** In characters. */
const PART = 1 << 16;
const EVERY = 1000;

/** Writes what a store holds to a stream, which is ended. */
export async function writeBackup(
  items: AsyncIterable<StoreItem>,
  to: Writable,
  { version, at, onProgress = () => {} }: WriteOptions,
): Promise<Inventory> {
  const tally = createTally();
  const heading: Heading = { toolplane: "backup", format: FORMAT, version, at };

  async function* parts(): AsyncGenerator<string> {
    let text = `${JSON.stringify(heading)}\n`;
    let count = 0;
    for await (const item of items) {
      tally.add(item);
      text += `${JSON.stringify(item)}\n`;
      if (++count % EVERY === 0) onProgress(count);
      if (text.length < PART) continue;
      yield text;
      text = "";
    }
    const ending: Ending = { end: true, ...tally.inventory() };
    yield `${text}${JSON.stringify(ending)}\n`;
  }

  // Fast: what is stored is text, of which the last few percent cost as much as all before.
  await pipeline(Readable.from(parts()), createGzip({ level: 3 }), to);
  return tally.inventory();
}
