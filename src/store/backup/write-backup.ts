import { Readable, type Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { createTally, type Inventory } from "../inventory.ts";
import type { StoreItem } from "../store.ts";
import { type Ending, FORMAT, type Heading } from "./layout.ts";

export interface WriteOptions extends Pick<Heading, "version" | "at"> {
  /** Called at intervals with the number of items written so far. */
  onProgress?: (items: number) => void;
}

/** Length of a chunk, in characters. */
const PART = 1 << 16;
const EVERY = 1000;

/** Writes the contents of a store to a stream and ends the stream. */
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

  // A fast level: on text, the last few percent take as long as all the compression before them.
  await pipeline(Readable.from(parts()), createGzip({ level: 3 }), to);
  return tally.inventory();
}
