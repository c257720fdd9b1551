import { allows } from "../../contract/caller.ts";
import { type Handlers, type Output, Reply } from "../../contract/endpoint.ts";
import { iso } from "../../system/clock.ts";
import type { DeletedProject } from "../closing/deleting-project.ts";
import { insufficientScope } from "../insufficient-scope.ts";
import type { Project } from "../model.ts";
import { viewed } from "../page.ts";
import { nameOfPlan, type Plan } from "../plan.ts";
import type { Manager } from "../users/managers.ts";
import { wholeAccount } from "../whole-account.ts";
import type { projectsContract } from "./contract.ts";
import type { Projects } from "./projects.ts";

export interface ProjectsHandlersPorts {
  projects: Projects;
  /** Deletes the data of one tool, or of all. Throws if there is no such tool. */
  emptyProject: (
    by: Manager,
    projectId: string,
    tool: string | undefined,
  ) => Promise<Output<typeof projectsContract.emptyProject>>;
  deleteProject: (by: Manager, projectId: string) => Promise<DeletedProject>;
  plans: readonly Plan[];
}

export function projectsHandlers({
  projects,
  emptyProject,
  deleteProject,
  plans,
}: ProjectsHandlersPorts): Handlers<typeof projectsContract> {
  const view = (project: Project) => projectView(project, plans);

  return {
    async listProjects({ state, ...page }, { accountId, credential: { projectId } }) {
      if (projectId === undefined) return viewed(await projects.list(accountId, page, state), view);
      return { items: [view(await projects.get(accountId, projectId))] };
    },
    async updateProject({ projectId, ...change }, caller) {
      const { credential } = caller;
      if (credential.projectId !== projectId) wholeAccount(caller);
      if (change.plan !== undefined && !allows(credential.scopes, "operator")) {
        throw insufficientScope("operator", 'Changing a project\'s plan needs the scope "operator".');
      }
      const { project, created } = await projects.update(caller, projectId, change);
      return new Reply({ project: view(project) }, { status: created ? 201 : 200 });
    },

    deleteProject({ projectId }, caller) {
      wholeAccount(caller);
      return deleteProject(caller, projectId);
    },

    async emptyProject({ projectId, tool }, caller) {
      if (caller.credential.projectId !== projectId) wholeAccount(caller);
      return emptyProject(caller, projectId, tool);
    },
  };
}

/** Returns a project as the API shows it. */
export function projectView(
  { createdAt, archivedAt, deleting: _, ...project }: Project,
  plans: readonly Plan[],
): Output<typeof projectsContract.listProjects>["items"][number] {
  const archived = archivedAt === undefined ? {} : { archivedAt: iso(archivedAt) };
  const planName = project.plan === undefined ? {} : { planName: nameOfPlan(plans, project.plan) };
  return { ...project, ...planName, createdAt: iso(createdAt), ...archived };
}
