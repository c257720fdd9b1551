/** A string as a number of 32 bits that few others have (FNV-1a). */
export function codeOf(text: string): number {
  let code = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) code = Math.imul(code ^ text.charCodeAt(at), 0x01000193);
  // The low bits alone would depend on the last letters alone.
  return (code ^ (code >>> 15)) >>> 0;
}
