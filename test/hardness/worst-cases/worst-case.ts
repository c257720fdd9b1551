import type { Api } from "../../../src/api.ts";

export interface Answer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: answers are read without their types
  body: any;
}

/** Sends a request as the attacking account. */
export type Ask = (
  method: string,
  path: string,
  options?: { body?: unknown; raw?: string | Buffer; headers?: Record<string, string>; key?: string },
) => Promise<Answer>;

/** The most expensive input that an endpoint takes, or the most expensive way to ask for it. */
export interface WorstCase {
  /** Fills the account with data that makes the request expensive. The result is passed to `request`. */
  prepare?: (ask: Ask) => Promise<unknown>;
  request: (prepared: never) => WorstRequest;
  /** Number of concurrent requests. By default 4 in full runs, else 2. */
  times?: number;
}

export interface WorstRequest {
  /** Path parameters. */
  path?: Record<string, string>;
  query?: Record<string, string>;
  body?: unknown;
  /** Bytes to send instead of `body`. */
  raw?: string | Buffer;
  headers?: Record<string, string>;
}

/** A case for every endpoint of an area. A missing one is a compile error. */
export type WorstCases<Area extends keyof Api> = { [Name in keyof Api[Area]]: WorstCase };

/** Whether cases have their full size. They take minutes then, so only benchmarks run them so. */
export function isFull(): boolean {
  return process.env.WORST_CASES === "full";
}

export const KiB = 1024;
export const MiB = 1024 * KiB;

/** Returns texts of about `length` characters that differ only in their last letters. */
export function nearlySame(count: number, length: number): string[] {
  const beginning = Array.from({ length: Math.ceil(length / 6) }, (_, index) => `word${index}`).join(" ");
  return Array.from(
    { length: count },
    (_, index) => `${beginning.slice(0, length - 8)} ${index.toString(36)}x`,
  );
}

/** Returns words that occur nowhere else, so that an index cannot share them. */
export function uniqueWords(bytes: number, seed: number): string {
  const words: string[] = [];
  let length = 0;
  for (let index = 0; length < bytes; index++) {
    const word = `${(seed * 7919 + index).toString(36)}q${(index * 104_729 + seed).toString(36)}`;
    words.push(word);
    length += word.length + 1;
  }
  return words.join(" ").slice(0, bytes);
}

/** Returns a list made from the numbers from 0 on. */
export function range<T>(count: number, item: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => item(index));
}
