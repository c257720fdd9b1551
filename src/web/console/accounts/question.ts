import type { Account } from "../../../accounts/model.ts";
import type {
  AccountDirectory,
  AccountFigures,
  AccountOrder,
  AccountsQuestion,
} from "../../../metering/account-figures.ts";
import { othersFirst } from "../../../system/others-first.ts";
import type { View } from "../frame/section.ts";
import type { AccountsPorts } from "./ports.ts";

export const ON_PAGE = 50;
const ORDERS = [
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

export type Listed = Account & { figures: AccountFigures };

/** Parses an address of the accounts page. Invalid parts are replaced by their defaults. */
export async function questionOf(
  { query }: View,
  { plans, accountsOf }: Pick<AccountsPorts, "plans" | "accountsOf">,
): Promise<AccountsQuestion> {
  const text = query.get("query")?.trim().slice(0, 254) || undefined;
  const sort = query.get("sort") ?? USUAL_SORT;
  const order = ORDERS.find((each) => each === sort.replace(/^-/, ""));
  const state = query.get("state");
  return {
    query: text,
    ids: text?.includes("@") ? await accountsOf(text) : undefined,
    plan: plans.find(({ id }) => id === query.get("plan"))?.id,
    isSuspended: state === "suspended" ? true : state === "active" ? false : undefined,
    sort: order ?? "days30",
    ascending: order !== undefined && !sort.startsWith("-"),
    start: Number(/^\d{1,7}$/.exec(query.get("after") ?? "")?.[0] ?? 0),
    limit: ON_PAGE,
  };
}

/** Yields every account that matches a question. */
export async function* everyAccount(
  directory: AccountDirectory,
  question: AccountsQuestion,
): AsyncGenerator<Listed> {
  for (let start = 0; ; start += ON_PAGE) {
    const { items, count } = await directory.page({ ...question, start, limit: ON_PAGE });
    yield* items;
    if (start + ON_PAGE >= count) return;
    await othersFirst();
  }
}
