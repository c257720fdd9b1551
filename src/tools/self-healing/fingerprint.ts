import { hash } from "node:crypto";
import type { Category } from "./categories.ts";

/** Parts of messages that differ between machines, runs or checkouts, and their placeholders. Applied in order. */
const MASKS: readonly [RegExp, string | ((match: string) => string)][] = [
  [/\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s'"`<>)\]]+/gi, "<url>"],
  [/\b[\w.+-]+@[\w-]+(?:\.[\w-]+)+\b/g, "<address>"],
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, "<id>"],
  [/\bsha(?:1|256|384|512)[-:][\w+/=-]+/gi, "<hash>"],
  [/\b0x[0-9a-f]+\b/gi, "<address>"],
  [/\b(?=[a-f]*\d)[0-9a-f]{7,64}\b/gi, "<hash>"],
  [/\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?/g, "<time>"],
  [
    /\b\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?\b|\[?\b(?:[0-9a-f]{0,4}:){3,7}[0-9a-f]{1,4}\b\]?(?::\d+)?/gi,
    "<address>",
  ],
  [
    /(?:\/(?:private\/)?(?:tmp|var\/folders|var\/tmp)|[A-Za-z]:\\(?:Windows\\)?Temp)[\\/][^\s'"`:,;)\]]+/g,
    "<temporary>",
  ],
  [
    /(?<![\w@.+-])(?:[A-Za-z]:[\\/]|~?\/|\.{1,2}[\\/]|(?:[\w@.+-]+[\\/])+(?=[\w@+-]+\.\w))[^\s'"`:,;()[\]]*/g,
    lastPart,
  ],
  [/\b\d+(?:[.,]\d+)*(?=\s?(?:ns|µs|us|ms|s|sec|seconds|m|min|h|kB|KB|MB|GB|KiB|MiB|GiB|%)\b)/g, "#"],
  // Codes such as TS2322 or E0308 are kept, since they say what a tool found.
  [/\b[A-Z]{1,8}\d{3,5}\b|\d+(?:\.\d+)*/g, (found) => (/^\d/.test(found) ? "#" : found)],
  [/\s+/g, " "],
];

/** Returns a message as it would read on any machine, with numbers, directories, hashes and addresses masked. */
export function masked(message: string): string {
  const text = MASKS.reduce(
    (masked, [pattern, mask]) =>
      typeof mask === "string" ? masked.replace(pattern, mask) : masked.replace(pattern, mask),
    message,
  );
  return text.trim();
}

/** Returns a fingerprint that is the same for the same failure, wherever it happened. */
export function fingerprintOf(category: Category, message: string): string {
  return `fp_${hash("sha256", `${category}\n${masked(message)}`, "hex").slice(0, 24)}`;
}

function lastPart(path: string): string {
  return path.split(/[\\/]/).findLast((part) => part !== "") ?? "";
}
