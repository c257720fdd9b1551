import { Problem } from "../../contract/problem.ts";
import { GLOBAL, type Transaction } from "../../store/store.ts";
import { iso } from "../../system/clock.ts";
import { defined } from "../../system/defined.ts";
import type { Cell } from "./cell.ts";
import type { Pattern } from "./contract.ts";
import { contribute } from "./contributions.ts";
import { type PatternDocument, patterns, patternsByAuthor, standingId, standings } from "./documents.ts";

const MAX_OF_PROJECT = 200;
/** Number of the newest patterns of a language that are considered for an answer. */
const LOOKED_AT = 200;
/** Maximum number of patterns in an answer. */
const SHOWN = 5;

/** Shares a pattern. Throws `Problem` `conflict` if the project or its account has shared as many as it may. */
export async function sharePattern(
  tx: Transaction,
  id: string,
  account: string,
  pattern: PatternDocument,
): Promise<void> {
  const prefix = `${pattern.author}>`;
  const own = await tx.list(patternsByAuthor, GLOBAL, { prefix, limit: MAX_OF_PROJECT });
  if (own.length === MAX_OF_PROJECT) {
    throw new Problem(
      "conflict",
      `This project has shared ${MAX_OF_PROJECT} patterns, the most there may be. Opting out of learning deletes them.`,
    );
  }
  await contribute(tx, account, "patterns", 1);
  const place = `${shelfOf(pattern.language)}${id}`;
  await tx.insert(patterns, GLOBAL, place, pattern);
  await tx.insert(patternsByAuthor, GLOBAL, `${prefix}${id}`, { id: place });
}

/** Deletes a project's patterns, and returns how many there were. */
export async function deletePatterns(tx: Transaction, author: string): Promise<number> {
  const own = await tx.list(patternsByAuthor, GLOBAL, { prefix: `${author}>` });
  for (const { id, value } of own) {
    await tx.delete(patterns, GLOBAL, value.id);
    await tx.delete(patternsByAuthor, GLOBAL, id);
  }
  return own.length;
}

/**
 * Returns the newest patterns of the language, or of none, whose authors are published in the cohort and
 * stand better in it.
 *
 * @param isBetter decides by the published bucket of an author
 */
export async function patternsOf(
  tx: Transaction,
  { type, language }: Pick<Cell, "type" | "language">,
  cohort: { key: string; depth: number },
  isBetter: (bucket: number) => boolean,
): Promise<Pattern[]> {
  const shelves = [...new Set([shelfOf(language), shelfOf(undefined)])];
  const lists = await Promise.all(
    shelves.map((prefix) => tx.list(patterns, GLOBAL, { prefix, limit: LOOKED_AT, order: "descending" })),
  );
  const found = lists.flat().map(({ id, value }) => ({ id: id.slice(id.indexOf(">") + 1), pattern: value }));
  const authors = [...new Set(found.map(({ pattern }) => pattern.author))];
  const documents = await Promise.all(
    authors.map((author) => tx.get(standings, GLOBAL, standingId(author, type))),
  );
  const better = new Set(
    authors.filter((_, index) => {
      const { key, told } = documents[index] ?? {};
      return key?.startsWith(cohort.key) && told && told.depth >= cohort.depth && isBetter(told.bucket);
    }),
  );
  return found
    .filter(({ pattern }) => better.has(pattern.author))
    .sort((left, right) => (left.id < right.id ? 1 : -1))
    .slice(0, SHOWN)
    .map(({ id, pattern }) => patternView(id, pattern));
}

export function patternView(
  id: string,
  { author: _, language, size, at, ...said }: PatternDocument,
): Pattern {
  const context = defined({ language, size });
  return { id, ...said, context, sharedAt: iso(at) };
}

function shelfOf(language: string | undefined): string {
  return `${encodeURIComponent(language ?? "")}>`;
}
