import { accountSpace, projectSpace, type Space, type Store } from "../../store/store.ts";
import { projects } from "../model.ts";

/** Returns all spaces of an account: its own, then those of its projects. */
export async function spacesOf(
  store: Pick<Store, "transact">,
  accountId: string,
): Promise<{ space: Space; projectId?: string }[]> {
  const ids = await store.transact((tx) => tx.ids(projects, accountSpace(accountId), { order: "ascending" }));
  return [
    { space: accountSpace(accountId) },
    ...ids.map((projectId) => ({ space: projectSpace(accountId, projectId), projectId })),
  ];
}
