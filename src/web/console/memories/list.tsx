import type { ReactElement, ReactNode } from "react";
import type * as z from "zod";
import { count } from "../../../text/amounts.ts";
import { grouped } from "../../../text/grouped.ts";
import type { agentMemoryContract } from "../../../tools/agent-memory/contract.ts";
import { KINDS } from "../../../tools/agent-memory/memory.ts";
import { Command, commandFor } from "../../command.tsx";
import { beginning, times } from "../../format.ts";
import { Ago } from "../../time.tsx";
import { addressOf, sameAddress } from "../frame/address.ts";
import { queryParam } from "../frame/endpoint-calls.ts";
import { FilterForm, Kept, SearchField, SelectField } from "../frame/filter-form.tsx";
import type { View } from "../frame/section.ts";
import { Below } from "../frame/table.tsx";
import { ORDERS, PATH } from "./read.ts";

type Contract = typeof agentMemoryContract;
type Listed = z.output<Contract["list"]["output"]>;
type Recalled = z.output<Contract["recall"]["output"]>;
type Stats = z.output<Contract["stats"]["output"]>;

const SHOWN = 280;

export function NoMemories({ view }: { view: View }): ReactElement {
  return (
    <>
      <p className="muted">Nothing is remembered in project {view.projectId}. Store a memory:</p>
      <Command>
        {commandFor(view.baseUrl, 'memory store "We deploy on Tuesdays." --agent ada', view.projectId)}
      </Command>
    </>
  );
}

/** Shows the filters, and the results below them. */
export function Memories(props: { stats: Stats; view: View; children: ReactNode }): ReactElement {
  const { stats, view, children } = props;
  return (
    <>
      <p className="muted">
        {count(stats.memories, "memory", "memories")} · {grouped(stats.duplicatesMerged)} merged into others ·
        recalled {times(stats.recalls)}
        {stats.partial && " · the oldest do not fit into the index and are left out"}
      </p>
      <Filter stats={stats} view={view} />
      {children}
    </>
  );
}

function Filter({ stats, view }: { stats: Stats; view: View }): ReactElement {
  return (
    <>
      <FilterForm view={view} path={PATH} choices={{ kind: KINDS, order: Object.keys(ORDERS) }}>
        <Kept view={view} names={["thread", "tag"]} />
        <SearchField view={view} name="query" label="Recall what a text is about" whole />
        <SelectField view={view} name="kind" label="Kind" all="Every kind" choices={KINDS} />
        {stats.byAgent.length > 0 && (
          <SelectField
            view={view}
            name="agent"
            label="Agent"
            all="Every agent"
            choices={stats.byAgent.map(({ agent }) => agent)}
            open
          />
        )}
        {queryParam(view, "query") === undefined && <Order view={view} />}
      </FilterForm>
      <Narrowed view={view} />
    </>
  );
}

/** Chooses the order of a list. What is recalled has its own, by relevance. */
function Order({ view }: { view: View }): ReactElement {
  return (
    <>
      <label className="unseen" htmlFor="order">
        Order
      </label>
      <select id="order" name="order" defaultValue={queryParam(view, "order")}>
        {Object.entries(ORDERS).map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    </>
  );
}

/** Shows the filters that were set by a link of a memory, with a link to remove each. */
function Narrowed({ view }: { view: View }): ReactNode {
  return ["thread", "tag"].map((name) => {
    const value = queryParam(view, name);
    return (
      value && (
        <p key={name} className="row">
          <span>
            Only {name} <strong>{value}</strong>
          </span>
          <a className="target" href={sameAddress(view, PATH, { [name]: undefined, after: undefined })}>
            Show all
          </a>
        </p>
      )
    );
  });
}

export function MemoryList(props: Pick<Listed, "items" | "nextCursor"> & { view: View; paged?: boolean }) {
  const { items, nextCursor, view, paged } = props;
  return (
    <>
      {items.length === 0 && <p className="muted">No memory is like that.</p>}
      <ul className="items">
        {items.map((item) => (
          <Item key={item.memory.id} {...item} view={view} />
        ))}
      </ul>
      {paged && <Below view={view} path={PATH} after={nextCursor} exported lines />}
    </>
  );
}

/** Shows the memories that an agent would get for the query, in that order and with the reasons. */
export function Found({ items, view }: Pick<Recalled, "items"> & { view: View }): ReactElement {
  if (items.length === 0) return <p className="muted">Nothing matches: try other words.</p>;
  return (
    <>
      <p className="muted small">
        What an agent that asks this is given, in this order. Looking counts no use.
      </p>
      <ul className="items">
        {items.map(({ why, score, ...item }) => (
          <Item
            key={item.memory.id}
            {...item}
            view={view}
            why={`score ${score.toFixed(2)}: ${why.join(", ")}`}
          />
        ))}
      </ul>
    </>
  );
}

function Item(props: Listed["items"][number] & { view: View; why?: string }): ReactElement {
  const { memory, supersededBy, replaced, view, why } = props;
  const { id, content, kind, agent, thread, importance, uses, at } = memory;
  return (
    <li>
      <a className="quiet" href={addressOf(view, PATH, { memory: id })}>
        {beginning(content, SHOWN)}
      </a>
      <p className="small muted">
        {[kind, agent && `said by ${agent}`, thread && `thread ${thread}`, `importance ${importance}`]
          .filter(Boolean)
          .join(" · ")}
        {` · recalled ${times(uses)} · `}
        <Ago at={Date.parse(at)} now={view.now} />
        {supersededBy !== undefined && " · no longer in force"}
        {replaced !== undefined && ` · took the place of ${replaced.length}`}
      </p>
      {why !== undefined && <p className="small">{why}</p>}
    </li>
  );
}
