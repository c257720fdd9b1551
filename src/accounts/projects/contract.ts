import * as z from "zod";
import { At, endpoint, listOf, Page, ShownName, UserId } from "../../contract/endpoint.ts";

export const PlanName = z.string().min(1).max(64);

export const Project = z.object({
  id: z.string(),
  name: z.string(),
  learningOptIn: z.boolean().describe("Takes part in cross-project learning"),
  plan: z.string().optional().describe("Its own gates; the limits stay the account's"),
  planName: z.string().optional().describe("What people call that plan"),
  archivedAt: At.optional().describe("Since when nothing is written to it; absent unless it is archived"),
  createdAt: At.describe("Its account's, until something is written to it"),
});

/** The project endpoints of the accounts contract. */
export const projectsContract = {
  listProjects: endpoint({
    name: "projects.list",
    method: "GET",
    path: "/api/v1/projects",
    summary: "List the account's projects",
    description: `Those that are archived only where \`state\` asks for them. A key that is bound to a project sees that one.`,
    scope: "read",
    lane: "control",
    input: z.strictObject({
      ...Page,
      state: z.enum(["active", "archived", "all"]).optional().describe("active unless given"),
    }),
    output: listOf(Project),
  }),
  updateProject: endpoint({
    name: "projects.update",
    method: "PUT",
    path: "/api/v1/projects/{projectId}",
    summary: "Make or change a project",
    description: `What is left out stays as it is. \`plan\` needs the scope operator: it changes the project's
gates, never the account's limits, and null takes it away. A project that is \`archived\` is read as before; whoever
writes to it gets 409 \`project_archived\` (from other servers of the same database within two seconds), and lists leave
it out. \`archived: false\` restores it.`,
    scope: "admin",
    errors: ["conflict", "not_found"],
    otherwise: { 201: "The project is new." },
    example: { projectId: "shop", name: "Shop", learningOptIn: true },
    lane: "control",
    input: z.strictObject({
      projectId: UserId,
      name: ShownName.optional(),
      learningOptIn: z.boolean().optional(),
      archived: z.boolean().optional().describe("Only a project that is there can be archived"),
      plan: PlanName.nullable().optional(),
    }),
    output: z.object({ project: Project }),
  }),

  deleteProject: endpoint({
    name: "projects.delete",
    method: "DELETE",
    path: "/api/v1/projects/{projectId}",
    summary: "Delete a project",
    description: `With all that tools keep in it and what was counted in it, for good; the account's own totals stay.
Keys that are bound to it end, and it leaves cross-project learning. Nobody writes to it from the first request on; at most
some 10,000 documents go at a time, none in the first two seconds: where \`more\` is true there are others, and the
request is to be sent again. A write that names the project afterwards makes a new one.`,
    scope: "admin",
    errors: ["not_found"],
    lane: "control",
    input: z.strictObject({ projectId: UserId }),
    output: z.object({
      deleted: z.int().nonnegative().describe("Documents"),
      keysEnded: z.int().nonnegative().describe("That were bound to it"),
      more: z.boolean(),
    }),
  }),

  emptyProject: endpoint({
    name: "projects.empty",
    method: "DELETE",
    path: "/api/v1/projects/{projectId}/data",
    summary: "Delete what tools keep in a project",
    description: `Of one tool or of all; the project itself, what was counted, and what it brought to cross-project
learning, which goes with opting out, stay. It frees room at once, and works beyond every bound. At most some 10,000
documents go at a time: where \`more\` is true there are others, and the request is to be sent again.`,
    scope: "admin",
    lane: "control",
    rules: ["`tool` is the name of a tool of this server, as in its paths."],
    input: z.strictObject({
      projectId: UserId,
      tool: z.string().max(64).optional().describe("Such as `self-healing`; all of them unless given"),
    }),
    output: z.object({ deleted: z.int().nonnegative().describe("Documents"), more: z.boolean() }),
  }),
};
