import { closeSync, openSync, readSync } from "node:fs";

/**
 * Unpredictable bytes as `node:crypto` has them, for commands that are over sooner than that is loaded: read where the
 * system gives them to everybody (random(4)), and from `node:crypto` where it does not.
 */
export function deviceBytes(length: number): Buffer {
  const bytes = Buffer.alloc(length);
  try {
    const device = openSync("/dev/urandom", "r");
    try {
      if (readSync(device, bytes) === length) return bytes;
    } finally {
      closeSync(device);
    }
  } catch {
    // Windows has none, nor has every container.
  }
  return process.getBuiltinModule("node:crypto").randomBytes(length);
}
