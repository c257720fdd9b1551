import { readJson, writeJson } from "../../client/private-files.ts";

/** What is known of the newest version, in the cache directory. Times are milliseconds since the epoch. */
export interface Newest {
  /** Where a registry has said it. */
  version?: string;
  /** When somebody was last sent to ask. */
  askedAt: number;
  /** When it was last told. */
  toldAt?: number;
}

const FILE = "update.json";
const VERSION = /^\d{1,9}\.\d{1,9}\.\d{1,9}$/;

export function readNewest(cacheDirectory: string): Newest | undefined {
  const kept = readJson<Newest>(cacheDirectory, FILE);
  return typeof kept?.askedAt === "number" ? kept : undefined;
}

export function writeNewest(cacheDirectory: string, newest: Newest): void {
  writeJson(cacheDirectory, FILE, newest);
}

/** A release that anybody is to have: of three numbers and nothing else, whatever a registry says. */
export function isRelease(version: unknown): version is string {
  return typeof version === "string" && VERSION.test(version);
}
