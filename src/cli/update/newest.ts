import { readJson, writeJson } from "../../client/private-files.ts";

/** The file about the newest version in the cache directory. Times are milliseconds since the epoch. */
export interface Newest {
  /** The newest version, once the registry has answered. */
  version?: string;
  /** When a process was last started to ask the registry. */
  askedAt: number;
  /** When the newer version was last announced. */
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

/** Whether a version from a registry is a release: exactly three numbers, and nothing else. */
export function isRelease(version: unknown): version is string {
  return typeof version === "string" && VERSION.test(version);
}
