import { closeSync, openSync, readSync } from "node:fs";

/**
 * Returns unpredictable bytes for commands too short to load `node:crypto`: from the system's random device
 * (random(4)), or from `node:crypto` if there is none.
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
    // There is no such device on Windows and in some containers.
  }
  return process.getBuiltinModule("node:crypto").randomBytes(length);
}
