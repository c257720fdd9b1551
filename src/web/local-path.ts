/** A placeholder for the server's own origin, which is never resolved. */
const HERE = "http://here.invalid";

/** Short enough that the path fits into the 16 KiB of headers that clients accept, even encoded twice. */
const MAX_LENGTH = 1_024;

/**
 * Returns `next` as a path on this server, or `/` if it could lead elsewhere or is too long. It is parsed as browsers
 * parse `Location`, since they take `/\evil`, `/<tab>/evil` and `/.//evil` for other hosts or turn them into `//evil`.
 */
export function localPath(next: unknown): string {
  if (typeof next !== "string" || !next.startsWith("/") || !URL.canParse(next, HERE)) return "/";
  const { origin, pathname, search, hash } = new URL(next, HERE);
  const path = pathname + search + hash;
  return origin === HERE && !path.startsWith("//") && path.length <= MAX_LENGTH ? path : "/";
}
