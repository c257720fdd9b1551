import type { Api } from "../../../src/api.ts";

export interface Answer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: what an endpoint answers is looked into freely
  body: any;
}

/** A request as the account that attacks makes it. */
export type Ask = (
  method: string,
  path: string,
  options?: { body?: unknown; raw?: string | Buffer; headers?: Record<string, string>; key?: string },
) => Promise<Answer>;

/** The most expensive input that an endpoint takes, or the most expensive way to ask for it. */
export interface WorstCase {
  /** Fills the account with what makes it expensive; what it gives goes to `request`. */
  prepare?: (ask: Ask) => Promise<unknown>;
  request: (prepared: never) => WorstRequest;
  /** Sent so often, at once; 4 unless said. */
  times?: number;
}

export interface WorstRequest {
  /** Path parameters. */
  path?: Record<string, string>;
  query?: Record<string, string>;
  body?: unknown;
  /** Instead of `body`. */
  raw?: string | Buffer;
  headers?: Record<string, string>;
}

/** One for every endpoint: one that is missing does not compile. */
export type WorstCases<Area extends keyof Api> = { [Name in keyof Api[Area]]: WorstCase };

/** The whole of it takes minutes, which the bench has and the tests do not. */
export function isFull(): boolean {
  return process.env.WORST_CASES === "full";
}

export const KiB = 1024;
export const MiB = 1024 * KiB;

/** Different from each other in their last letters only, and no shorter than `length`. */
export function nearlySame(count: number, length: number): string[] {
  const beginning = Array.from({ length: Math.ceil(length / 6) }, (_, index) => `word${index}`).join(" ");
  return Array.from(
    { length: count },
    (_, index) => `${beginning.slice(0, length - 8)} ${index.toString(36)}x`,
  );
}

/** Words that occur nowhere else, so that an index of them can share nothing. */
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

/** A list of numbers from 0. */
export function range<T>(count: number, item: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => item(index));
}
