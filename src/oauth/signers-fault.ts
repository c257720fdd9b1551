import { errors } from "jose";

/**
 * Whether a signature cannot be verified because of what its maker gave. For a malformed key, Web Crypto throws a
 * DOMException, and jose a TypeError if it is too short or not meant for the algorithm.
 */
export function isSignersFault(error: unknown): error is Error {
  return error instanceof errors.JOSEError || error instanceof TypeError || error instanceof DOMException;
}
