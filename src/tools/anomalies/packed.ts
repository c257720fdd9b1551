import { deflateRawSync, inflateRawSync } from "node:zlib";

/** Encodes numbers as text: eight bytes each, deflated, in base64. */
export function packed(numbers: Float64Array): string {
  return deflateRawSync(Buffer.from(numbers.buffer, numbers.byteOffset, numbers.byteLength)).toString(
    "base64",
  );
}

/**
 * Decodes packed numbers. Returns zeros without a text, or if the length differs because another version
 * packed them.
 */
export function unpacked(text: string | undefined, length: number): Float64Array {
  const numbers = new Float64Array(length);
  if (text === undefined) return numbers;
  const bytes = inflateRawSync(Buffer.from(text, "base64"));
  if (bytes.length === numbers.byteLength) new Uint8Array(numbers.buffer).set(bytes);
  return numbers;
}
