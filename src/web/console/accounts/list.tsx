import type { ReactElement } from "react";
import type { Account } from "../../../accounts/model.ts";
import type {
  AccountsPage,
  AccountsQuestion,
  AccountWithFigures,
} from "../../../metering/account-figures.ts";
import { iso } from "../../../system/clock.ts";
import { count } from "../../../text/amounts.ts";
import { grouped } from "../../../text/grouped.ts";
import { Ago } from "../../time.tsx";
import { addressOf } from "../frame/address.ts";
import type { View } from "../frame/section.ts";
import { Below, type Column, Table } from "../frame/table.tsx";
import { planWithEnd } from "./forms.tsx";
import { PATH } from "./ports.ts";

export function AccountsList(props: {
  page: AccountsPage;
  question: AccountsQuestion;
  view: View;
}): ReactElement {
  const { page, question, view } = props;
  const { items, nextCursor, count: all, rankedAt } = page;
  const { sort } = question;
  const isByUse = !/^-?(name|plan|createdAt)$/.test(sort);
  return (
    <>
      <p className="small muted">
        {count(all, "account")}.{" "}
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
          columns={columnsFor(view)}
          rows={items}
          keyOf={({ id }) => id}
          sort={sort}
        />
      )}
      <Below view={view} path={PATH} after={nextCursor} exported lines />
    </>
  );
}

function columnsFor(view: View): Column<AccountWithFigures>[] {
  const figure = (
    title: string,
    sort: "today" | "yesterday" | "days30" | "refused",
  ): Column<AccountWithFigures> => ({
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
    { title: "Plan", sort: "plan", cell: (account) => planWithEnd(account, view.nameOfPlan) },
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

export function stateOf({ suspendedAt, deleteAt, limits }: Account): string {
  if (suspendedAt !== undefined) return "suspended";
  if (deleteAt !== undefined) return "closed";
  return limits ? "own limits" : "active";
}
