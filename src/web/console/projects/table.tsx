import type { ReactElement } from "react";
import type { Project } from "../../../accounts/model.ts";
import type { ProjectSort } from "../../../accounts/projects/projects.ts";
import { iso } from "../../../system/clock.ts";
import { Ago } from "../../time.tsx";
import { addressOf } from "../frame/address.ts";
import { may } from "../frame/endpoint-calls.ts";
import type { View } from "../frame/section.ts";
import { type Column, Table } from "../frame/table.tsx";
import { ArchiveOrRestore, PATH } from "./forms.tsx";

/** A sortable table of projects, with links to their pages and, for admins, buttons to archive them. */
export function ProjectTable(props: {
  list: readonly Project[];
  view: View;
  sort: ProjectSort;
}): ReactElement {
  const { list, view, sort } = props;
  const archive: Column<Project> = {
    title: "Archive",
    cell: (project) => <ArchiveOrRestore project={project} view={view} />,
  };
  return (
    <Table
      view={view}
      path={PATH}
      label="Projects"
      sort={sort}
      rows={list}
      keyOf={({ id }) => id}
      columns={[
        {
          title: "Name",
          sort: "name",
          cell: ({ id, name }) => <a href={addressOf(view, PATH, { id })}>{name}</a>,
        },
        { title: "Id", isName: true, cell: ({ id }) => <code>{id}</code> },
        { title: "State", cell: (project) => <State project={project} now={view.now} /> },
        { title: "Learning", cell: ({ learningOptIn }) => (learningOptIn ? "takes part" : "–") },
        {
          title: "Made",
          sort: "createdAt",
          largestFirst: true,
          cell: ({ createdAt }) => iso(createdAt).slice(0, 10),
        },
        ...(may(view, "admin") ? [archive] : []),
      ]}
    />
  );
}

export function State({ project, now }: { project: Project; now: number }): ReactElement {
  const { archivedAt, deleting } = project;
  if (deleting) return <>is being deleted</>;
  if (archivedAt === undefined) return <>active</>;
  return (
    <>
      archived <Ago at={archivedAt} now={now} />
    </>
  );
}
