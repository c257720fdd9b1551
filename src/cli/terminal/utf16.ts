/** The number of bytes at the beginning that the encoding is detected from. */
const LOOKED_AT = 4096;
const MIN_SHARE = 0.4;
const MAX_STRAY = 0.02;

type Order = "little" | "big";

/**
 * Converts UTF-16 to UTF-8; other input passes through unchanged. PowerShell on Windows writes UTF-16 by `>`, with a
 * byte order mark, which may be missing if other programs concatenated its output.
 */
export async function* inUtf8(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let order: Order | undefined;
  let beginning: Buffer | undefined = Buffer.alloc(0);
  const decoder = new TextDecoder("utf-16le");
  /** The first byte of a code unit whose second byte is in the next piece. */
  let half: Buffer = Buffer.alloc(0);

  function converted(piece: Buffer): Buffer {
    if (!order) return piece;
    const bytes = Buffer.concat([half, piece]);
    const whole = bytes.length - (bytes.length % 2);
    half = bytes.subarray(whole);
    const units = order === "big" ? bytes.subarray(0, whole).swap16() : bytes.subarray(0, whole);
    return Buffer.from(decoder.decode(units, { stream: true }));
  }

  for await (const piece of pieces) {
    if (!beginning) {
      yield converted(piece);
      continue;
    }
    beginning = Buffer.concat([beginning, piece]);
    if (beginning.length < LOOKED_AT) continue;
    order = orderOf(beginning);
    yield converted(beginning);
    beginning = undefined;
  }
  if (!beginning) return;
  order = orderOf(beginning);
  yield converted(beginning);
}

/** Returns the byte order of UTF-16; undefined for other encodings. */
function orderOf(bytes: Buffer): Order | undefined {
  const mark = bytes.length < 2 ? 0 : bytes.readUInt16BE(0);
  if (mark === 0xfffe) return "little";
  if (mark === 0xfeff) return "big";
  const looked = bytes.subarray(0, LOOKED_AT);
  const zeros = [0, 0];
  for (let at = 0; at < looked.length; at++) if (looked[at] === 0) (zeros[at % 2] as number)++;
  const [even = 0, odd = 0] = zeros.map((count) => (2 * count) / looked.length);
  // Most characters of a log are Latin, where the same byte of each code unit is zero.
  if (odd >= MIN_SHARE && even <= MAX_STRAY) return "little";
  return even >= MIN_SHARE && odd <= MAX_STRAY ? "big" : undefined;
}
