import type { ReactElement } from "react";
import type { Project } from "../../../accounts/model.ts";
import type { ProjectSort } from "../../../accounts/projects.ts";
import { iso } from "../../../system/clock.ts";
import { Form } from "../../form.tsx";
import { Ago } from "../../time.tsx";
import { addressOf, sameAddress } from "../frame/address.ts";
import { may } from "../frame/asking.ts";
import { type FileColumns, isoOrNone } from "../frame/files.ts";
import type { View } from "../frame/section.ts";
import { type Column, Table } from "../frame/table.tsx";

export const PATH = "/projects";

/** Projects to sort, each leading to all of it; buttons for who may press them. */
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
        { title: "Id", cell: ({ id }) => <code>{id}</code> },
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

/** One press archives it, another restores it. What is being deleted comes back no more. */
export function ArchiveOrRestore({ project, view }: { project: Project; view: View }): ReactElement | null {
  const { id, name, archivedAt, deleting } = project;
  if (deleting) return null;
  const isArchived = archivedAt !== undefined;
  return (
    <ProjectForm view={view} id={id} does={isArchived ? "restore" : "archive"}>
      <button type="submit">
        {isArchived ? "Restore" : "Archive"}
        <span className="unseen"> the project {name}</span>
      </button>
    </ProjectForm>
  );
}

/** A form about one project. */
export function ProjectForm(props: {
  view: View;
  id: string;
  does: string;
  className?: string;
  children: React.ReactNode;
}): ReactElement {
  const { view, id, does, className, children } = props;
  return (
    <Form action={sameAddress(view, PATH, {})} visit={view.visit} {...(className && { className })}>
      <input type="hidden" name="do" value={does} />
      <input type="hidden" name="id" value={id} />
      {children}
    </Form>
  );
}

/** What a file says of each. */
export const PROJECT_COLUMNS: FileColumns<Project> = {
  project: ({ id }) => id,
  projectName: ({ name }) => name,
  state: ({ archivedAt, deleting }) =>
    deleting ? "deleting" : archivedAt === undefined ? "active" : "archived",
  learning: ({ learningOptIn }) => (learningOptIn ? "yes" : "no"),
  plan: ({ plan }) => plan,
  createdAt: ({ createdAt }) => iso(createdAt),
  archivedAt: ({ archivedAt }) => isoOrNone(archivedAt),
};
