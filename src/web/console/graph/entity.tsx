import type { ReactElement } from "react";
import type { Entity } from "../../../tools/knowledge-graph/graph-contract.ts";
import type { GraphLayout } from "../../../tools/knowledge-graph/layout-contract.ts";
import { Ago } from "../../time.tsx";
import { addressOf } from "../frame/address.ts";
import type { View } from "../frame/section.ts";
import { Table } from "../frame/table.tsx";
import { Tabs } from "../frame/tabs.tsx";
import { Drawing } from "./drawing.tsx";
import { EntityLink, PATH } from "./tables.tsx";

const MAX_ROWS = 200;
const MAX_PROPERTIES = 20_000;

/** Shows an entity, its relationships and its surroundings. */
export function OneEntity(props: {
  entity: Entity;
  layout: GraphLayout;
  depth: 1 | 2;
  view: View;
}): ReactElement {
  const { entity, layout, depth, view } = props;
  const properties = JSON.stringify(entity.properties, null, 2);
  const relationships = relationshipsOf(entity.id, layout);
  return (
    <>
      <a className="target" href={addressOf(view, PATH)}>
        The whole graph
      </a>
      <h2>{entity.name}</h2>
      <p className="small muted">
        {entity.type} · <code>{entity.id}</code> · updated{" "}
        <Ago at={Date.parse(entity.updatedAt)} now={view.now} />
      </p>
      <Tabs
        label="How far around it"
        tabs={([1, 2] as const).map((each) => ({
          title: each === 1 ? "Its neighbours" : "Within two steps",
          href: addressOf(view, PATH, { entity: entity.id, depth: String(each) }),
          isCurrent: each === depth,
        }))}
      />
      <Drawing layout={layout} view={view} around={entity.id} />
      {relationships.length === 0 ? (
        <p className="muted">It is related to nothing.</p>
      ) : (
        <Table
          view={view}
          path={PATH}
          label="Relationships"
          rows={relationships.slice(0, MAX_ROWS)}
          keyOf={({ key }) => key}
          columns={[
            { title: "Related", cell: ({ other }) => <EntityLink {...other} view={view} /> },
            { title: "How", cell: ({ type, out }) => (out ? `${type} →` : `← ${type}`) },
            { title: "Type", cell: ({ other }) => other.type },
          ]}
        />
      )}
      {relationships.length > MAX_ROWS && <p className="muted">and {relationships.length - MAX_ROWS} more</p>}
      {properties !== "{}" && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
        <pre className="scroll small" tabIndex={0}>
          {properties.slice(0, MAX_PROPERTIES)}
        </pre>
      )}
    </>
  );
}

function relationshipsOf(id: string, { nodes, edges }: GraphLayout) {
  const self = nodes.findIndex((node) => node.id === id);
  return edges
    .filter(({ from, to }) => from === self || to === self)
    .map(({ from, to, type }) => {
      const out = from === self;
      const other = nodes[out ? to : from] as GraphLayout["nodes"][number];
      return { key: `${from} ${to} ${type}`, other, type, out };
    })
    .sort((a, b) => b.other.degree - a.other.degree || (a.key < b.key ? -1 : 1));
}
