import type { Project } from "../../../accounts/model.ts";
import { iso } from "../../../system/clock.ts";
import { type FileColumns, isoOrNone } from "../frame/files.ts";

/** The columns of the projects file. */
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
