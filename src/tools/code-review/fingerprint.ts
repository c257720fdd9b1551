import { hash } from "node:crypto";

/**
 * Creates the fingerprint function of one review. A fingerprint is a hash of the rule, the file and the words of
 * the line, without the line number, so it is stable when lines above are added or removed. Repeats of the same
 * line in a file are numbered.
 */
export function createFingerprints() {
  const repeats = new Map<string, number>();
  return (rule: string, file: string, line: string): string => {
    const key = [rule, file, line.replace(/\s+/g, " ").trim()].join("\0");
    const repeat = (repeats.get(key) ?? 0) + 1;
    repeats.set(key, repeat);
    return hash("sha256", `${key}\0${repeat}`, "hex").slice(0, 32);
  };
}
