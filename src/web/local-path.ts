/** Never looked up: it only stands where the server's own address would. */
const HERE = "http://here.invalid";

/**
 * `next` as a path on this server, or `/` where it could lead elsewhere. Read by the same rules as a
 * browser reads `Location`, which takes `/\evil`, `/<tab>/evil` and `/.//evil` for other hosts or
 * turns them into `//evil`.
 */
export function localPath(next: unknown): string {
  if (typeof next !== "string" || !next.startsWith("/") || !URL.canParse(next, HERE)) return "/";
  const { origin, pathname, search, hash } = new URL(next, HERE);
  return origin === HERE && !pathname.startsWith("//") ? pathname + search + hash : "/";
}
