import type { ReactElement } from "react";
import { type SortKey, sortedPage, textSortKey } from "../../../accounts/page.ts";
import { grouped } from "../../../text/grouped.ts";
import type { Entity } from "../../../tools/knowledge-graph/graph-contract.ts";
import type { GraphLayout } from "../../../tools/knowledge-graph/layout-contract.ts";
import { addressOf } from "../frame/address.ts";
import { cursorIn, queryParam, sortIn } from "../frame/endpoint-calls.ts";
import type { View } from "../frame/section.ts";
import { Below, Table } from "../frame/table.tsx";

export const PATH = "/graph";
const ON_PAGE = 50;
const MAX_COMMUNITIES = 12;

type Node = GraphLayout["nodes"][number];

export const ORDERS = ["degree", "name", "type"] as const;

function sortKeyOf({ id, degree, name, type }: Node, order: (typeof ORDERS)[number]): SortKey {
  return order === "degree" ? [degree, id] : textSortKey(order === "name" ? name : type, id);
}

/** Lists the entities of the drawing, for screen readers and to look up names. */
export function Entities(props: Pick<GraphLayout, "nodes" | "communities"> & { view: View }): ReactElement {
  const { nodes, communities, view } = props;
  const sort = sortIn(view, ORDERS) ?? "-degree";
  const { items, nextCursor } = sortedPage(nodes, {
    sort,
    limit: ON_PAGE,
    cursor: cursorIn(view),
    sortKeyOf,
  });
  return (
    <>
      <h2>Entities</h2>
      <Table
        view={view}
        path={PATH}
        label="Entities"
        sort={sort}
        rows={items}
        keyOf={({ id }) => id}
        columns={[
          { title: "Name", sort: "name", cell: (node) => <EntityLink {...node} view={view} /> },
          { title: "Type", sort: "type", isName: true, cell: ({ type }) => type },
          {
            title: "Relationships",
            isFigure: true,
            sort: "degree",
            largestFirst: true,
            cell: ({ degree }) => grouped(degree),
          },
          {
            title: "Community",
            isName: true,
            cell: ({ community }) => communities[community]?.name ?? "none",
          },
        ]}
      />
      <Below view={view} path={PATH} after={nextCursor} />
    </>
  );
}

export function EntityLink(props: { id: string; name: string; view: View }): ReactElement {
  return <a href={addressOf(props.view, PATH, { entity: props.id })}>{props.name}</a>;
}

/** Links to the drawing of each community. */
export function Communities(props: Pick<GraphLayout, "communities"> & { view: View }): ReactElement | null {
  const { communities, view } = props;
  if (communities.length < 2) return null;
  return (
    <nav className="inline small" aria-label="Communities">
      {communities.slice(0, MAX_COMMUNITIES).map(({ leader, name, entities }) => (
        <a
          key={leader}
          className="target"
          href={addressOf(view, PATH, { community: leader, kind: queryParam(view, "kind") })}
        >
          {`Around ${name} (${grouped(entities)})`}
        </a>
      ))}
      {communities.length > MAX_COMMUNITIES && (
        <span className="muted">and {grouped(communities.length - MAX_COMMUNITIES)} smaller ones</span>
      )}
    </nav>
  );
}

/** Shows the search results, best first. */
export function Hits(props: {
  items: readonly { entity: Entity; matched: readonly string[] }[];
  view: View;
}): ReactElement {
  const { items, view } = props;
  if (items.length === 0) return <p className="muted">No entity is called that, nor like it.</p>;
  return (
    <ul className="items">
      {items.map(({ entity, matched }) => (
        <li key={entity.id} className="row">
          <EntityLink {...entity} view={view} />
          <span className="small muted">
            {entity.type} · matches {matched.slice(0, 8).join(", ")}
          </span>
        </li>
      ))}
    </ul>
  );
}
