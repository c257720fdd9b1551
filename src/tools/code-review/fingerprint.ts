import { hash } from "node:crypto";

/**
 * Names a finding by what it says and the words of its line, not by where the line stands, so that it is
 * the same after lines above it came or went. Repeats in a file are counted.
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
