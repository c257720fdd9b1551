import type { ReactElement } from "react";
import type { DeletedProject } from "../../../accounts/closing/deleting-project.ts";
import type { Project } from "../../../accounts/model.ts";
import type { projectsContract } from "../../../accounts/projects/contract.ts";
import {
  PROJECT_ORDERS,
  type ProjectQuestion,
  type ProjectSort,
  type ProjectState,
  type Projects,
} from "../../../accounts/projects/projects.ts";
import { invalidRequest } from "../../../contract/faults.ts";
import { Problem } from "../../../contract/problem.ts";
import type { Clock } from "../../../system/clock.ts";
import { count } from "../../../text/amounts.ts";
import { addressOf } from "../frame/address.ts";
import { choice, type EndpointCalls, queryParam, sortIn, sorts } from "../frame/endpoint-calls.ts";
import { everyItem, fileOf } from "../frame/files.ts";
import { FilterForm, FindField, SelectField } from "../frame/filter-form.tsx";
import { Live } from "../frame/live.tsx";
import { Titled } from "../frame/pages.tsx";
import type { Actions, Section, View } from "../frame/section.ts";
import { Below } from "../frame/table.tsx";
import { PROJECT_COLUMNS } from "./file-columns.ts";
import { PATH } from "./forms.tsx";
import { OneProject } from "./one.tsx";
import { ProjectTable } from "./table.tsx";

const ON_PAGE = 50;
const ON_FILE = 1000;
const STATES: readonly ProjectState[] = ["active", "archived"];
/**
 * The pause between two attempts, since nothing is deleted in the first two seconds (`closing/deleting-project.ts`).
 */
const PAUSE_MS = 500;
/** How long the page may load before it looks broken. */
const MAX_MS = 8_000;

/** Creates the section of the account's projects, for all its users. Only admins can change them. */
export function projectsSection(parts: {
  projects: Pick<Projects, "list" | "find">;
  asking: EndpointCalls<Pick<typeof projectsContract, "updateProject" | "deleteProject">>;
  clock: Pick<Clock, "now" | "sleep">;
}): Section {
  const { projects, asking, clock } = parts;

  const actions: Actions = {
    async rename(view, form) {
      const before = await projectOf(idIn(form), view);
      const name = form.get("name")?.trim() ?? "";
      await asking.updateProject({ projectId: before.id, name }, view);
      return {
        said: `The project ${before.name} is called ${name} now.`,
        undo: { do: "rename", id: before.id, name: before.name },
      };
    },
    async archive(view, form) {
      const { project } = await asking.updateProject({ projectId: idIn(form), archived: true }, view);
      return {
        said: `The project ${project.name} is archived: it is read as before, and nothing is written to it.`,
        undo: { do: "restore", id: project.id },
      };
    },
    async restore(view, form) {
      const { id, name } = await projectOf(idIn(form), view);
      await asking.updateProject({ projectId: id, archived: false }, view);
      return { said: `The project ${name} is written to again.`, undo: { do: "archive", id } };
    },
    async delete(view, form) {
      const { id, name } = await projectOf(idIn(form), view);
      if (form.get("same")?.trim() !== id)
        throw invalidRequest([{ path: "same", message: `must be the project's id, ${id}` }]);
      const { deleted, keysEnded, more } = await deletedOf(id, view);
      const gone = `${count(deleted, "document")}, ${count(keysEnded, "key")}`;
      if (more) {
        const said = `The project ${name} is being deleted, ${gone} so far. There is more: go on.`;
        return { said, next: addressOf(view, PATH, { id }) };
      }
      const next = addressOf(view, PATH, view.projectId === id ? { project: "" } : {});
      return { said: `The project ${name} is deleted: ${gone}.`, next };
    },
  };

  return {
    path: PATH,
    title: "Projects",
    group: "Account",
    wide: true,
    async page(view) {
      const chosen = queryParam(view, "id");
      if (chosen !== undefined) {
        const project = await projectOf(chosen, view);
        return (
          <Titled name={project.name}>
            <OneProject project={project} view={view} />
          </Titled>
        );
      }
      const question = questionOf(view);
      const { items, nextCursor } = await listed(view, question);
      const isAll = question.query === undefined && queryParam(view, "state") === undefined;
      return (
        <>
          {(items.length > 0 || !isAll) && <Search view={view} />}
          <Live name="projects" className="stack">
            {items.length > 0 && <ProjectTable list={items} view={view} sort={question.sort} />}
            {items.length === 0 && !isAll && <p className="muted">No project is like that.</p>}
            {items.length === 0 && isAll && <p className="muted">None yet.</p>}
            <Below view={view} path={PATH} after={nextCursor} exported={items.length > 0} lines />
          </Live>
          <p className="small muted">
            A project is made by the first request that names it, in X-Project-Id, and by{" "}
            <code>tool projects set</code>.
          </p>
        </>
      );
    },
    actions,
    async download(view) {
      const question = { ...questionOf(view), limit: ON_FILE };
      const all = everyItem((cursor) => listed(view, { ...question, cursor }));
      return fileOf(view, "projects", PROJECT_COLUMNS, all);
    },
  };

  function listed(view: View, question: ProjectQuestion) {
    return projects.list(view.visit.by.accountId, question, choice(view, "state", STATES) ?? "all");
  }

  /** Returns an existing project. Throws `not_found`. */
  async function projectOf(id: string, { visit }: View): Promise<Project> {
    const found = await projects.find(visit.by.accountId, id);
    if (found) return found;
    throw new Problem("not_found", "There is no such project in this account.");
  }

  /** Deletes as much of a project as the time for one page allows. */
  async function deletedOf(projectId: string, view: View): Promise<DeletedProject> {
    const end = clock.now() + MAX_MS;
    const sum = { deleted: 0, keysEnded: 0, more: true };
    while (sum.more && clock.now() < end) {
      const { deleted, keysEnded, more } = await asking.deleteProject({ projectId }, view);
      Object.assign(sum, { deleted: sum.deleted + deleted, keysEnded: sum.keysEnded + keysEnded, more });
      if (more && deleted === 0) await clock.sleep(PAUSE_MS);
    }
    return sum;
  }
}

/** Parses the filters of the address. Invalid ones are replaced by their defaults. */
function questionOf(view: View): ProjectQuestion & { sort: ProjectSort } {
  return {
    limit: ON_PAGE,
    cursor: queryParam(view, "after"),
    query: queryParam(view, "query")?.slice(0, 256),
    sort: sortIn(view, PROJECT_ORDERS) ?? "name",
  };
}

function idIn(form: URLSearchParams): string {
  return form.get("id") ?? "";
}

function Search({ view }: { view: View }): ReactElement {
  return (
    <FilterForm view={view} path={PATH} choices={{ state: STATES, sort: sorts(PROJECT_ORDERS) }}>
      <FindField view={view} searched="name or id" most={256} />
      <SelectField view={view} name="state" label="State" all="any state" choices={STATES} />
    </FilterForm>
  );
}
