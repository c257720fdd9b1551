import { GLOBAL, type Transaction } from "../../../store/store.ts";
import { defined } from "../../../system/defined.ts";
import { publishedPlaces } from "../documents.ts";
import { AnonymitySet } from "./k-anonymity.ts";

const PAGE = 100;

/** One project of a group. */
export interface Member {
  pseudonym: string;
  account: string;
  /** The narrowest cohort it belongs to. */
  key: string;
}

/**
 * Yields the projects that are published in the cohort `key`, at this depth, and in no narrower one. Every
 * published cohort consists of whole groups, so that two cohorts also differ by whole groups.
 */
export async function* groupOf(
  tx: Transaction,
  depth: number,
  key: string,
  after?: string,
): AsyncGenerator<Member> {
  const prefix = `${depth}>${key}`;
  for (;;) {
    const page = await tx.list(publishedPlaces, GLOBAL, { prefix, limit: PAGE, ...defined({ after }) });
    for (const { id, value } of page) yield memberOf(id, value.account);
    if (page.length < PAGE) return;
    after = page.at(-1)?.id;
  }
}

/** Whether a group without some of its projects would still hide the others, or be empty. */
export async function standsWithout(
  tx: Transaction,
  depth: number,
  key: string,
  gone: ReadonlySet<string>,
): Promise<boolean> {
  const left = new AnonymitySet();
  for await (const { pseudonym, account } of groupOf(tx, depth, key)) {
    if (gone.has(pseudonym)) continue;
    left.add(account);
    if (left.isKAnonymous) return true;
  }
  return left.size === 0 || left.ofOneAccount;
}

export function memberOf(id: string, account: string): Member {
  const [, key = "", pseudonym = ""] = id.split(">");
  return { pseudonym, account, key };
}
