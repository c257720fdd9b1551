import { z } from "zod";
import { At, endpoint, listOf, Name, Page, UserId } from "../contract/endpoint.ts";

export const PlanName = z.string().min(1).max(64);

export const Project = z.object({
  id: z.string(),
  name: z.string(),
  learningOptIn: z.boolean().describe("Takes part in cross-project learning"),
  plan: z.string().optional().describe("Its own gates; the limits stay the account's"),
  createdAt: At,
});

/** The part of the accounts' contract that is about projects. */
export const projectsContract = {
  listProjects: endpoint({
    name: "projects.list",
    method: "GET",
    path: "/api/v1/projects",
    summary: "List the account's projects",
    description: "A key that is bound to a project sees that one.",
    scope: "read",
    lane: "control",
    input: z.strictObject(Page),
    output: listOf(Project),
  }),
  updateProject: endpoint({
    name: "projects.update",
    method: "PUT",
    path: "/api/v1/projects/{projectId}",
    summary: "Make or change a project",
    description: `What is left out stays as it is. \`plan\` needs the scope operator: it changes the project's
gates, never the account's limits, and null takes it away.`,
    scope: "admin",
    errors: ["conflict"],
    otherwise: { 201: "The project is new." },
    example: { projectId: "shop", name: "Shop", learningOptIn: true },
    lane: "control",
    input: z.strictObject({
      projectId: UserId,
      name: Name.optional(),
      learningOptIn: z.boolean().optional(),
      plan: PlanName.nullable().optional(),
    }),
    output: z.object({ project: Project }),
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
