/** Hashes a string to 32 bits (FNV-1a). */
export function codeOf(text: string): number {
  let code = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) code = Math.imul(code ^ text.charCodeAt(at), 0x01000193);
  // Mixed, because the low bits alone would depend only on the last letters.
  return (code ^ (code >>> 15)) >>> 0;
}
