import type { CacheFile } from "../../repository/cache-file.ts";
import type { SearchedFile, SearchedPiece } from "../../tools/context-optimizer/retrieval/searched-file.ts";

/** Version of the index. Increment it when the processing of file text changes, so that older indexes are rebuilt. */
const FORMAT_VERSION = 5;

/** The searchable pieces of files, by a key of everything they were made from. */
export type Index = ReadonlyMap<string, SearchedFile["pieces"]>;

/** For each key its pieces: lines, number of terms, and declared names. */
type Header = [key: string, pieces: [from: number, to: number, terms: number, ...names: string[]][]][];

/** Writes a line of JSON, padded with spaces to a multiple of four bytes, then all terms, then all counts. */
export function writeIndex(file: CacheFile, index: Index): void {
  const header: Header = [...index].map(([key, pieces]) => [
    key,
    pieces.map(({ from, to, terms, names }) => [from, to, terms.length, ...names]),
  ]);
  const text = JSON.stringify({ form: FORMAT_VERSION, header });
  const line = Buffer.from(`${text}${" ".repeat(3 - (Buffer.byteLength(text) % 4))}\n`);
  const pieces = [...index.values()].flat();
  const terms = pieces.map(({ terms }) => new Uint8Array(terms.buffer, terms.byteOffset, terms.byteLength));
  file.write(Buffer.concat([line, ...terms, ...pieces.map(({ counts }) => counts)]));
}

/** Reads an index. Returns an empty one if there is none in the current form. */
export function readIndex(file: CacheFile): Index {
  const contents = file.read();
  const end = contents?.indexOf(10) ?? -1;
  if (!contents || end < 0) return new Map();
  try {
    const { form, header } = JSON.parse(contents.toString("utf8", 0, end)) as {
      form: number;
      header: Header;
    };
    if (form !== FORMAT_VERSION) return new Map();
    const count = (contents.length - end - 1) / 5;
    // Copied, because a buffer may start at any address and 32-bit numbers must be aligned.
    const terms = new Uint32Array(Uint8Array.from(contents.subarray(end + 1, end + 1 + 4 * count)).buffer);
    const counts = contents.subarray(end + 1 + 4 * count);
    let at = 0;
    const index = new Map(
      header.map(([key, pieces]) => [
        key,
        pieces.map(([from, to, size, ...names]): SearchedPiece => {
          const [start, stop] = [at, at + size];
          at = stop;
          return {
            from,
            to,
            names,
            terms: terms.subarray(start, stop),
            counts: counts.subarray(start, stop),
          };
        }),
      ]),
    );
    return at === count ? index : new Map();
  } catch {
    return new Map();
  }
}
