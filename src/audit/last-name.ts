import type { Transaction } from "../store/store.ts";
import { readerOf } from "./entry-readers.ts";
import { AFTER_ALL } from "./model.ts";

/** Returns what an account's log calls a thing that is gone, as people last knew it; undefined if it names none. */
export async function lastNameOf(
  tx: Transaction,
  accountId: string,
  id: string,
): Promise<string | undefined> {
  const read = readerOf(tx, { accountId }, { target: id });
  const [last] = await read(AFTER_ALL, "", 1);
  return last?.entry?.target.name;
}
