import { readFileSync } from "node:fs";

/** Reads a file that a person wrote, with whatever editor. */
export function readTextFile(path: string): string {
  return decodeText(readFileSync(path));
}

/**
 * Decodes UTF-8, or UTF-16 that says so by a byte order mark, and leaves out that mark. Editors and shells of Windows
 * write both.
 */
export function decodeText(bytes: Uint8Array): string {
  const [first, second] = bytes;
  const encoding =
    first === 0xff && second === 0xfe ? "utf-16le" : first === 0xfe && second === 0xff ? "utf-16be" : "utf-8";
  return new TextDecoder(encoding).decode(bytes);
}
