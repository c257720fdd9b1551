import { accountSpace, type Store } from "../../store/store.ts";
import { type User, users } from "../model.ts";
import {
  type PageOf,
  type PageRequest,
  type Sort,
  type SortKey,
  searchPage,
  sortedSearchPage,
  textSortKey,
} from "../page.ts";
import { ROLES } from "../roles.ts";
import { statusOf, type UserStatus } from "./status.ts";

export const USER_ORDERS = ["email", "role", "status", "createdAt"] as const;
type UserOrder = (typeof USER_ORDERS)[number];
export type UserSort = Sort<UserOrder>;

export interface UserQuestion extends PageRequest {
  /** A part of the e-mail address; case is ignored. */
  query?: string | undefined;
  status?: UserStatus | undefined;
  /** Defaults to the order of creation, which reads no more than a page. */
  sort?: UserSort | undefined;
}

/** Returns a page of the account's users that match the question. */
export async function searchUsers(
  store: Store,
  accountId: string,
  { query, status, sort, ...page }: UserQuestion,
): Promise<PageOf<User>> {
  const space = accountSpace(accountId);
  const part = query?.toLowerCase() ?? "";
  const isAsked = (user: User) =>
    user.email.toLowerCase().includes(part) && (status ?? statusOf(user)) === statusOf(user);
  if (sort === undefined) return searchPage(store, users, space, page, isAsked);
  return sortedSearchPage(store, users, space, { ...page, sort, sortKeyOf }, isAsked);
}

function sortKeyOf(user: User, order: UserOrder): SortKey {
  switch (order) {
    case "email":
      return textSortKey(user.email, user.id);
    case "role":
      return [ROLES.indexOf(user.role), user.id];
    case "status":
      return [statusOf(user), user.id];
    case "createdAt":
      return [user.createdAt, user.id];
  }
}
