/*
 * Many parts in one piece of memory, which changes hands with a thread without being copied: each is
 * preceded by its length, 32 bits.
 */

export function packFrames(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const packed = new Uint8Array(parts.reduce((sum, { length }) => sum + 4 + length, 0));
  const view = new DataView(packed.buffer);
  let at = 0;
  for (const part of parts) {
    view.setUint32(at, part.length);
    packed.set(part, at + 4);
    at += 4 + part.length;
  }
  return packed;
}

/** The parts, where they lie. */
export function* framesIn(packed: Uint8Array): Generator<Uint8Array> {
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
  for (let at = 0; at < packed.length; ) {
    const end = at + 4 + view.getUint32(at);
    yield packed.subarray(at + 4, end);
    at = end;
  }
}
