import type { ReactElement } from "react";
import { count } from "../../../text/amounts.ts";
import { grouped } from "../../../text/grouped.ts";
import type { knowledgeGraphContract } from "../../../tools/knowledge-graph/contract.ts";
import { Command, commandFor } from "../../command.tsx";
import { addressOf } from "../frame/address.ts";
import { type EndpointCalls, queryParam, sorts } from "../frame/endpoint-calls.ts";
import { FilterForm, SearchField } from "../frame/filter-form.tsx";
import { Live } from "../frame/live.tsx";
import { Titled } from "../frame/pages.tsx";
import type { Section, View } from "../frame/section.ts";
import { Drawing } from "./drawing.tsx";
import { OneEntity } from "./entity.tsx";
import { Communities, Entities, Hits, ORDERS, PATH } from "./tables.tsx";

export type KnowledgeGraph = Pick<
  EndpointCalls<typeof knowledgeGraphContract>,
  "layout" | "search" | "showEntity"
>;
/** Returns the whole graph as GraphML. */
export type GraphFile = (view: View) => Promise<AsyncIterable<string>>;

/** Creates the section of a project's knowledge graph: a drawing, search, and a page for each entity. */
export function graphSection(graph: KnowledgeGraph, graphml: GraphFile): Section {
  return {
    path: PATH,
    title: "Knowledge graph",
    group: "Tools",
    wide: true,
    async page(view) {
      const entityId = queryParam(view, "entity");
      if (entityId !== undefined) {
        const depth = queryParam(view, "depth") === "2" ? 2 : 1;
        const { entity } = await graph.showEntity({ entityId }, view);
        const layout = await graph.layout({ entityId, depth, limit: 300 }, view);
        return (
          <Titled name={entity.name}>
            <OneEntity entity={entity} layout={layout} depth={depth} view={view} />
          </Titled>
        );
      }
      const query = queryParam(view, "query")?.slice(0, 1000);
      const type = queryParam(view, "kind");
      const community = queryParam(view, "community");
      const layout = await graph.layout({ type, community }, view);
      if (layout.counts.entities === 0) return <NoGraph view={view} />;
      const hits = query === undefined ? undefined : (await graph.search({ q: query, type }, view)).items;
      return (
        <>
          <Filter types={layout.types} view={view} />
          <Live name="graph" className="stack" still>
            <Counts {...layout} view={view} />
            {hits && <Hits items={hits} view={view} />}
            <Drawing layout={layout} view={view} />
            {community === undefined && <Communities {...layout} view={view} />}
            <Entities {...layout} view={view} />
          </Live>
        </>
      );
    },
    download: async (view) => ({
      name: "graph.graphml",
      type: "application/graphml+xml",
      body: await graphml(view),
    }),
  };
}

function NoGraph({ view }: { view: View }): ReactElement {
  return (
    <>
      <p className="muted">Project {view.projectId} has no graph. Add what there is, or import it whole:</p>
      <Command>{commandFor(view.baseUrl, "graph add API --type service", view.projectId)}</Command>
      <Command>{commandFor(view.baseUrl, "graph import graph.json", view.projectId)}</Command>
    </>
  );
}

function Counts(props: {
  counts: { entities: number; relationships: number };
  nodes: readonly unknown[];
  view: View;
}): ReactElement {
  const { counts, nodes, view } = props;
  const isNarrowed = queryParam(view, "kind") !== undefined || queryParam(view, "community") !== undefined;
  return (
    <p className="row">
      <span className="muted">
        {count(counts.entities, "entity", "entities")}, {count(counts.relationships, "relationship")}
        {nodes.length < counts.entities &&
          (isNarrowed
            ? `; ${grouped(nodes.length)} of them here`
            : `; the ${grouped(nodes.length)} with most relationships are drawn`)}
      </span>
      <span className="inline">
        {isNarrowed && (
          <a className="target" href={addressOf(view, PATH)}>
            The whole graph
          </a>
        )}
        <a className="target" href={addressOf(view, `${PATH}/export`)}>
          Export as GraphML
        </a>
      </span>
    </p>
  );
}

function Filter(props: { types: readonly { type: string; count: number }[]; view: View }): ReactElement {
  const { types, view } = props;
  return (
    <FilterForm view={view} path={PATH} choices={{ sort: sorts(ORDERS) }}>
      <SearchField view={view} name="query" label="Search entities" />
      <label className="unseen" htmlFor="kind">
        Type
      </label>
      <select id="kind" name="kind" defaultValue={queryParam(view, "kind") ?? ""}>
        <option value="">Every type</option>
        {types.map(({ type, count }) => (
          <option key={type} value={type}>
            {`${type} (${grouped(count)})`}
          </option>
        ))}
      </select>
    </FilterForm>
  );
}
