import type { Context } from "../context.ts";
import { UsageError } from "../exit-codes.ts";
import { collect } from "../pages.ts";

const SEE = "See them all: tool projects list --state all";

/** Throws `UsageError` with the most similar name if the account lacks one of these projects. */
export async function checkProjects({ client }: Context, ...projectIds: string[]): Promise<void> {
  const { items } = await collect(10_000, (page) =>
    client.call("GET /api/v1/projects", { ...page, state: "all" }),
  );
  const ids = new Set(items.map(({ id }) => id));
  const missing = projectIds.find((projectId) => !ids.has(projectId));
  if (missing === undefined) return;
  const { didYouMean } = await import("../../contract/near-names.ts");
  throw new UsageError(`This account has no project ${missing}.`, didYouMean(missing, [...ids]) || SEE);
}
