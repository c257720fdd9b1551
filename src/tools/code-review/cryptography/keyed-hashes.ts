import type { Fragment } from "../syntax/fragment.ts";

/** Whether a hash is taken by an HMAC, which its collisions do not break. */
export function isInHmac(fragment: Fragment, index: number): boolean {
  const call = fragment.callAround(index);
  const outer = call && /Digest\.new$/.test(call.path) ? fragment.callAround(call.start) : call;
  return /hmac/i.test(outer?.path ?? "");
}
