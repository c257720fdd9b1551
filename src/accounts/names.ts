import { accountSpace, GLOBAL, type Store } from "../store/store.ts";
import { accounts, projects, users } from "./model.ts";

/** Returns the names that would identify an account in a text: its own, its users' and its projects'. */
export async function namesOf(store: Store, accountId: string): Promise<string[]> {
  return store.transact(async (tx) => {
    const space = accountSpace(accountId);
    const [account, people, works] = await Promise.all([
      tx.get(accounts, GLOBAL, accountId),
      tx.list(users, space),
      tx.list(projects, space),
    ]);
    return [
      accountId,
      ...(account ? [account.name] : []),
      ...people.flatMap(({ id, value: { email } }) => [id, email, email.replace(/@[^@]*$/, "")]),
      ...works.flatMap(({ id, value: { name } }) => [id, name]),
    ];
  });
}
