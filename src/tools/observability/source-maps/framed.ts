/** Bytes with a description. */
export interface Piece<About = unknown> {
  about: About;
  bytes: Uint8Array;
}

const LENGTH_BYTES = 4;

/**
 * Serialises pieces to send them between processes: the length of a list in four bytes, the list as JSON with
 * each piece's description and length, then the bytes of the pieces.
 */
export function framed(pieces: readonly Piece[]): Buffer<ArrayBuffer> {
  const list = Buffer.from(
    JSON.stringify(pieces.map(({ about, bytes }) => ({ about, length: bytes.length }))),
  );
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32LE(list.length);
  return Buffer.concat([length, list, ...pieces.map(({ bytes }) => bytes)]);
}

export function unframed<About>(bytes: Uint8Array): Piece<About>[] {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = LENGTH_BYTES + all.readUInt32LE(0);
  const list = JSON.parse(all.toString("utf8", LENGTH_BYTES, at)) as { about: About; length: number }[];
  return list.map(({ about, length }) => {
    at += length;
    return { about, bytes: all.subarray(at - length, at) };
  });
}
