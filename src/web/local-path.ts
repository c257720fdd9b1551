/** Never looked up: it only stands where the server's own address would. */
const HERE = "http://here.invalid";

/** Encoded, in a query and once more in a header, it still fits in what clients take: 16 KiB. */
const MAX_LENGTH = 1_024;

/**
 * `next` as a path on this server, or `/` where it could lead elsewhere or is very long. Read by the same rules as a
 * browser reads `Location`, which takes `/\evil`, `/<tab>/evil` and `/.//evil` for other hosts or
 * turns them into `//evil`.
 */
export function localPath(next: unknown): string {
  if (typeof next !== "string" || !next.startsWith("/") || !URL.canParse(next, HERE)) return "/";
  const { origin, pathname, search, hash } = new URL(next, HERE);
  const path = pathname + search + hash;
  return origin === HERE && !path.startsWith("//") && path.length <= MAX_LENGTH ? path : "/";
}
