import type { Context } from "../context.ts";
import { UsageError } from "../exit-codes.ts";
import { collect } from "../pages.ts";

const SEE = "See them all: tool projects list --state all";

/** Throws `UsageError` with the most similar name if the account has no such project. */
export async function checkProject({ client }: Context, projectId: string): Promise<void> {
  const { items } = await collect(10_000, (page) =>
    client.call("GET /api/v1/projects", { ...page, state: "all" }),
  );
  const ids = items.map(({ id }) => id);
  if (ids.includes(projectId)) return;
  const { didYouMean } = await import("../../contract/near-names.ts");
  throw new UsageError(`This account has no project ${projectId}.`, didYouMean(projectId, ids) || SEE);
}
