import type { ReactElement } from "react";
import type { Account } from "../../../accounts/model.ts";
import type {
  AccountDirectory,
  AccountFigures,
  AccountOrder,
  AccountsPage,
  AccountsQuestion,
} from "../../../metering/account-figures.ts";
import { iso } from "../../../system/clock.ts";
import { grouped } from "../../format.ts";
import { Ago } from "../../time.tsx";
import { addressOf } from "../frame/address.ts";
import { type FileColumns, isoOrNone } from "../frame/files.ts";
import { FindField } from "../frame/find-field.tsx";
import type { View } from "../frame/section.ts";
import { Below, type Column, FilterForm, Table } from "../frame/table.tsx";
import { type AccountsPorts, PATH } from "./ports.ts";

const ON_PAGE = 50;
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

type Listed = Account & { figures: AccountFigures };

/** What an address asks of all accounts; what it does not ask rightly is as usual. */
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

export function AccountsList(props: {
  page: AccountsPage;
  question: AccountsQuestion;
  plans: AccountsPorts["plans"];
  view: View;
}): ReactElement {
  const { page, question, plans, view } = props;
  const { items, count, rankedAt } = page;
  const { sort, ascending, start } = question;
  const isByUse = sort !== "name" && sort !== "plan" && sort !== "createdAt";
  const next = start + ON_PAGE;
  return (
    <>
      <p className="small muted">
        {grouped(count)} accounts.{" "}
        {isByUse &&
          (rankedAt === undefined
            ? "What they used is being added up: their order comes in a moment."
            : `In the order of ${iso(rankedAt).slice(11, 16)} UTC; the figures are of now.`)}
      </p>
      {items.length === 0 ? (
        <p className="muted">No account is like that.</p>
      ) : (
        <Table
          view={view}
          path={PATH}
          label="Accounts"
          columns={columnsFor(plans, view)}
          rows={items}
          keyOf={({ id }) => id}
          sort={`${ascending ? "" : "-"}${sort}`}
        />
      )}
      <Below view={view} path={PATH} after={next < count ? String(next) : undefined} exported lines />
    </>
  );
}

function columnsFor(plans: AccountsPorts["plans"], view: View): Column<Listed>[] {
  const figure = (title: string, sort: "today" | "yesterday" | "days30" | "refused"): Column<Listed> => ({
    title,
    sort,
    largestFirst: true,
    isFigure: true,
    cell: ({ figures }) => grouped(figures[sort]),
  });
  return [
    {
      title: "Account",
      sort: "name",
      cell: ({ id, name }) => <a href={addressOf(view, PATH, { id })}>{name}</a>,
    },
    { title: "Plan", sort: "plan", cell: ({ plan }) => nameOfPlan(plans, plan) },
    figure("Today", "today"),
    figure("Yesterday", "yesterday"),
    figure("30 days", "days30"),
    figure("Refused today", "refused"),
    {
      title: "Of its limit",
      sort: "ofLimit",
      largestFirst: true,
      isFigure: true,
      cell: ({ figures }) => `${Math.floor(100 * figures.ofLimit)} %`,
    },
    {
      title: "Seen",
      sort: "lastUsedAt",
      largestFirst: true,
      cell: ({ figures: { lastUsedAt } }) =>
        lastUsedAt === undefined ? "–" : <Ago at={lastUsedAt} now={view.now} />,
    },
    {
      title: "Made",
      sort: "createdAt",
      largestFirst: true,
      cell: ({ createdAt }) => iso(createdAt).slice(0, 10),
    },
    { title: "State", cell: stateOf },
  ];
}

export function nameOfPlan(plans: AccountsPorts["plans"], plan: string): string {
  return plans.find(({ id }) => id === plan)?.name ?? plan;
}

export function stateOf({ suspendedAt, deleteAt, limits }: Account): string {
  if (suspendedAt !== undefined) return "suspended";
  if (deleteAt !== undefined) return "closed";
  return limits ? "own limits" : "active";
}

export function Search({ view, plans }: { view: View; plans: AccountsPorts["plans"] }): ReactElement {
  const { query } = view;
  return (
    <FilterForm view={view} path={PATH}>
      <FindField view={view} searched="name, id or e-mail" most={254} />
      <label htmlFor="plan">Plan</label>
      <select id="plan" name="plan" defaultValue={query.get("plan") ?? ""}>
        <option value="">any</option>
        {plans.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
      <label htmlFor="state">State</label>
      <select id="state" name="state" defaultValue={query.get("state") ?? ""}>
        <option value="">any</option>
        <option>active</option>
        <option>suspended</option>
      </select>
    </FilterForm>
  );
}

/** What a file says of each account. */
export const ACCOUNT_COLUMNS: FileColumns<Listed> = {
  account: ({ id }) => id,
  accountName: ({ name }) => name,
  plan: ({ plan }) => plan,
  state: stateOf,
  createdAt: ({ createdAt }) => iso(createdAt),
  today: ({ figures }) => figures.today,
  yesterday: ({ figures }) => figures.yesterday,
  days30: ({ figures }) => figures.days30,
  refused: ({ figures }) => figures.refused,
  ofLimit: ({ figures }) => Math.round(1000 * figures.ofLimit) / 1000,
  lastUsedAt: ({ figures: { lastUsedAt } }) => isoOrNone(lastUsedAt),
};

/** Every account that is asked for. */
export async function* everyAccount(
  directory: AccountDirectory,
  question: AccountsQuestion,
): AsyncGenerator<Listed> {
  for (let start = 0; ; start += ON_PAGE) {
    const { items, count } = await directory.page({ ...question, start, limit: ON_PAGE });
    yield* items;
    if (start + ON_PAGE >= count) return;
    await new Promise(setImmediate);
  }
}
