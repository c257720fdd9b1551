import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type OpenOutputFile, openOutputFile } from "../../../src/store/json-file/journal/output-file.ts";
import { temporaryDirectory } from "../../support/store.ts";
import { notesOf, openAt, put } from "./directory.ts";

interface Written {
  position: number;
  bytes: Buffer;
}

/** Records which writes have been synced. A loss of power may drop each of the others on its own. */
function rememberingDisk() {
  const writes: Written[] = [];
  let safe = 0;
  const open: OpenOutputFile = async (path) => {
    const file = await openOutputFile(path);
    return {
      ...file,
      async write(bytes, position) {
        await file.write(bytes, position);
        writes.push({ position, bytes: Buffer.from(bytes) });
      },
      async sync() {
        const written = writes.length;
        // Sometimes long enough for the next group to be written meanwhile.
        for (let turn = 0; turn < 3; turn++) await new Promise(setImmediate);
        await file.sync();
        safe = Math.max(safe, written);
      },
    };
  };
  return { open, state: () => ({ writes: [...writes], safe }) };
}

/** Returns a journal after a loss of power: a write that was not synced is kept whole, in part or not at all. */
function afterLoss(
  heading: Buffer,
  { writes, safe }: { writes: Written[]; safe: number },
  kept: readonly number[],
): Buffer {
  const end = Math.max(heading.length, ...writes.map(({ position, bytes }) => position + bytes.length));
  const journal = Buffer.alloc(end);
  heading.copy(journal);
  for (const [index, { position, bytes }] of writes.entries()) {
    const share = index < safe ? 1 : (kept[(index - safe) % kept.length] as number);
    bytes.copy(journal, position, 0, Math.floor(bytes.length * share));
  }
  return journal;
}

/** Returns an id. Ids sort in the order of writing. */
const idOf = (index: number) => `n${String(index).padStart(2, "0")}`;

describe("a loss of power", () => {
  it("loses no acknowledged write, and leaves all commits up to some instant", async () => {
    const shares = fc.array(fc.constantFrom(0, 0.4, 1), { minLength: 1, maxLength: 4 });
    let overlapped = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat({ max: 4 }), { minLength: 1, maxLength: 25 }),
        shares,
        async (pauses, kept) => {
          const directory = temporaryDirectory();
          const disk = rememberingDisk();
          const store = await openAt(directory, { openFile: disk.open });
          const heading = readFileSync(join(directory, "journal.jsonl"));
          const acknowledged: string[] = [];
          const pending: Promise<unknown>[] = [];
          for (const [index, pause] of pauses.entries()) {
            const id = idOf(index);
            pending.push(put(store, id).then(() => acknowledged.push(id)));
            for (let turn = 0; turn < pause; turn++) await new Promise(setImmediate);
          }
          const promised = [...acknowledged];
          const state = disk.state();
          const image = temporaryDirectory();
          writeFileSync(join(image, "journal.jsonl"), afterLoss(heading, state, kept));
          await Promise.all(pending);
          if (state.writes.length - state.safe > 1) overlapped++;

          const found = Object.keys(await notesOf(await openAt(image)));
          expect(found).toEqual(expect.arrayContaining(promised));
          expect(found).toEqual(pauses.map((_, index) => idOf(index)).slice(0, found.length));
        },
      ),
      { numRuns: 150 },
    );
    expect(overlapped).toBeGreaterThan(0);
  });
});
