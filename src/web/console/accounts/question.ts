import type { AccountOrder, AccountsQuestion } from "../../../metering/account-figures.ts";
import { sortIn } from "../frame/endpoint-calls.ts";
import type { View } from "../frame/section.ts";
import type { AccountsPorts } from "./ports.ts";

export const ON_PAGE = 50;
export const ORDERS = [
  "name",
  "plan",
  "createdAt",
  "today",
  "yesterday",
  "days30",
  "refused",
  "ofLimit",
  "lastUsedAt",
] as const satisfies AccountOrder[];
const USUAL_SORT = "-days30";

/** Parses an address of the accounts page. Invalid parts are replaced by their defaults. */
export async function questionOf(
  view: View,
  { plans, accountsOf }: Pick<AccountsPorts, "plans" | "accountsOf">,
): Promise<AccountsQuestion> {
  const { query } = view;
  const text = query.get("query")?.trim().slice(0, 254) || undefined;
  const state = query.get("state");
  return {
    query: text,
    ids: text?.includes("@") ? await accountsOf(text) : undefined,
    plan: plans.find(({ id }) => id === query.get("plan"))?.id,
    isSuspended: state === "suspended" ? true : state === "active" ? false : undefined,
    sort: sortIn(view, ORDERS) ?? USUAL_SORT,
  };
}
