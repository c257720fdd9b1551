import type { ReactElement, ReactNode } from "react";
import { count } from "../../../text/amounts.ts";
import type { ErrorGroup, Sort, State } from "../../../tools/observability/groups/contract.ts";
import { Command, commandFor } from "../../command.tsx";
import { Do, Form } from "../../form.tsx";
import { beginning, times } from "../../format.ts";
import { Ago } from "../../time.tsx";
import { addressOf, sameAddress } from "../frame/address.ts";
import { choice, may } from "../frame/endpoint-calls.ts";
import { FilterForm, SearchField } from "../frame/filter-form.tsx";
import type { View } from "../frame/section.ts";
import { Below } from "../frame/table.tsx";
import { type Tab, Tabs } from "../frame/tabs.tsx";
import { Spark } from "./spark.tsx";

export const PATH = "/errors";
const SHOWN = 200;
const VIEWS: Record<State | "all", string> = {
  open: "Open",
  resolved: "Resolved",
  ignored: "Ignored",
  all: "All",
};
const ORDERS: Record<Sort, string> = {
  lastSeen: "Last seen",
  firstSeen: "Newest",
  count: "Most often",
};

export function NoErrors({ view }: { view: View }): ReactElement {
  const { projectId, baseUrl } = view;
  return (
    <>
      <p className="muted">Project {projectId} has no open errors. Programs report theirs with the DSN of:</p>
      <Command>{commandFor(baseUrl, "observability config", projectId)}</Command>
    </>
  );
}

/** Shows the filters, and the results below them. */
export function Errors({ view, children }: { view: View; children: ReactNode }): ReactElement {
  const state = choice(view, "state", Object.keys(VIEWS)) ?? "open";
  const sort = choice(view, "sort", Object.keys(ORDERS)) ?? "lastSeen";
  return (
    <>
      <Tabs label="State" tabs={tabsOf(view, "state", VIEWS, state)} />
      <FilterForm view={view} path={PATH} choices={{ state: Object.keys(VIEWS), sort: Object.keys(ORDERS) }}>
        <input type="hidden" name="state" value={state} />
        {Object.entries(FIELDS).map(([name, label]) => (
          <SearchField key={name} view={view} name={name} label={label} />
        ))}
      </FilterForm>
      <Tabs label="Order" tabs={tabsOf(view, "sort", ORDERS, sort)} />
      {children}
    </>
  );
}

const FIELDS = { query: "Type, message or route", release: "Release", environment: "Environment" };

function tabsOf(view: View, name: string, choices: Readonly<Record<string, string>>, chosen: string): Tab[] {
  return Object.entries(choices).map(([value, title]) => ({
    title,
    href: sameAddress(view, PATH, { [name]: value, after: undefined }),
    isCurrent: value === chosen,
  }));
}

/** Lists errors. On the page (`paged`), several can be chosen and decided at once. */
export function ErrorList(props: {
  items: readonly ErrorGroup[];
  nextCursor?: string | undefined;
  view: View;
  paged?: boolean;
}): ReactElement {
  const { items, nextCursor, view, paged } = props;
  if (items.length === 0) return <p className="muted">No error is like that.</p>;
  const mayDecide = paged && may(view, "write");
  const list = (
    <ul className="items">
      {items.map((error) => (
        <Item key={error.fingerprint} error={error} view={view} choosable={mayDecide === true} />
      ))}
    </ul>
  );
  const below = paged && <Below view={view} path={PATH} after={nextCursor} />;
  if (!mayDecide) {
    return (
      <>
        {list}
        {below}
      </>
    );
  }
  return (
    <>
      <Form action={sameAddress(view, PATH, {})} visit={view.visit} className="stack">
        {list}
        <fieldset className="inline">
          <legend className="small">Those that are chosen</legend>
          <Do what="resolve">Resolve</Do>
          <Do what="ignore">Ignore</Do>
          <Do what="reopen">Reopen</Do>
        </fieldset>
      </Form>
      {below}
    </>
  );
}

function Item(props: { error: ErrorGroup; view: View; choosable: boolean }): ReactElement {
  const { error, view, choosable } = props;
  const { fingerprint, type, message, daily } = error;
  return (
    <li>
      <div className="row">
        <a className="block" href={addressOf(view, PATH, { id: fingerprint })}>
          <strong>{type}</strong>
        </a>
        <Spark counts={daily.counts} />
      </div>
      {message !== "" && <p className="small">{beginning(message, SHOWN)}</p>}
      <p className="small muted">
        {times(error.count)} · {stateOf(error)} · <Where error={error} /> · last{" "}
        <Ago at={Date.parse(error.lastSeenAt)} now={view.now} />, first{" "}
        <Ago at={Date.parse(error.firstSeenAt)} now={view.now} />
      </p>
      {choosable && (
        <label className="check small">
          <input type="checkbox" name={fingerprint} /> Choose<span className="unseen"> {type}</span>
        </label>
      )}
    </li>
  );
}

export function Where({ error }: { error: ErrorGroup }): ReactElement {
  const { source, route, releases, usersAffected } = error;
  const newest = releases?.at(-1)?.name;
  return (
    <>
      {source === "server" ? "this server" : "reported"}
      {route !== undefined && `, ${route}`}
      {newest !== undefined && `, ${newest}`}
      {usersAffected !== undefined && `, ${users(usersAffected)}`}
    </>
  );
}

/** Returns the state of an error, or `regressed` if it is open again after it was resolved. */
export function stateOf({ state, regressedAt }: ErrorGroup): string {
  return state === "open" && regressedAt !== undefined ? "regressed" : state;
}

export function users(affected: number): string {
  return `about ${count(affected, "user")}`;
}
