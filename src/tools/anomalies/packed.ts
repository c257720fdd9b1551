import { deflateRawSync, inflateRawSync } from "node:zlib";

/** Encodes numbers as text: eight bytes each, deflated, in base64. */
export function packed(numbers: Float64Array): string {
  return deflateRawSync(Buffer.from(numbers.buffer, numbers.byteOffset, numbers.byteLength)).toString(
    "base64",
  );
}

/**
 * Decodes packed numbers. Returns zeros without a text, or if the length differs because another version
 * packed them. Those of versions that had only the first `before`, or some more, are continued with zeros.
 */
export function unpacked(text: string | undefined, length: number, before = length): Float64Array {
  const numbers = new Float64Array(length);
  if (text === undefined) return numbers;
  const bytes = inflateRawSync(Buffer.from(text, "base64"));
  const known = bytes.length / numbers.BYTES_PER_ELEMENT;
  if (known >= before && known <= length) new Uint8Array(numbers.buffer).set(bytes);
  return numbers;
}
