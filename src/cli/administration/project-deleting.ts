import { type Define, examples, type Outcome } from "../command.ts";
import type { Context } from "../context.ts";
import { EXIT } from "../exit-codes.ts";
import { agreed, confirm, confirmByName } from "../terminal/confirm.ts";
import { count } from "../ui/format.ts";
import { checkProjects } from "./project-named.ts";

/** Defines the commands that delete data. */
export const defineDeleting: Define = (command, run) => {
  command
    .command("empty <projectId>")
    .description("Delete what tools keep in a project: of one tool, or all of it.")
    .option("--tool <tool>", "Only of this tool, such as self-healing")
    .option("--yes", "Do not ask")
    .addHelpText(
      "after",
      examples("tool projects empty shop --tool self-healing", "tool projects empty shop --yes"),
    )
    .action(run(empty));
  command
    .command("delete <projectId...>")
    .description(
      "Delete projects with all that is kept and counted in them; keys that are bound to them end.",
    )
    .option("--yes", "Do not ask for the id, or whether to delete several")
    .addHelpText(
      "after",
      examples("tool projects delete shop", "tool projects delete shop try-1 try-2 --yes"),
    )
    .action(run(remove));
};

async function empty(
  context: Context,
  projectId: string,
  { tool, yes }: { tool?: string; yes?: true },
): Promise<Outcome> {
  const { client, io, progress } = context;
  await checkProjects(context, projectId);
  const whose = tool === undefined ? "everything that tools keep" : `everything that ${tool} keeps`;
  const what = `${whose} in the project ${projectId}, for good`;
  if (!(await agreed(context, yes, `This deletes ${what}.`, () => confirm(io, `Delete ${what}?`)))) {
    return nothing({ deleted: 0, more: true });
  }
  const { deleted, more } = await progress.during("Deleting", deleteAll(client, projectId, tool));
  return {
    document: { deleted, more },
    lines: [
      `${io.out.marks.done} Project ${projectId}: ${count(deleted, "document")} deleted.`,
      ...(more ? ["There is more: run the command again."] : []),
    ],
    exitCode: more ? EXIT.negative : EXIT.done,
  };
}

/** Bounds the requests in case the server never finishes. It deletes about 10,000 documents at a time. */
const MAX_REQUESTS = 100;

async function deleteAll(client: Context["client"], projectId: string, tool?: string) {
  let deleted = 0;
  let more = true;
  for (let request = 0; more && request < MAX_REQUESTS; request++) {
    const answer = await client.call("DELETE /api/v1/projects/{projectId}/data", { projectId, tool });
    deleted += answer.deleted;
    more = answer.more;
  }
  return { deleted, more };
}

function nothing(document: object): Outcome {
  return { document, lines: ["Nothing was deleted."], exitCode: EXIT.negative };
}

const PAUSE_MS = 500;

async function remove(context: Context, named: string[], { yes }: { yes?: true }): Promise<Outcome> {
  const { io, progress } = context;
  const projectIds = [...new Set(named)];
  await checkProjects(context, ...projectIds);
  const [first = "", ...others] = projectIds;
  const [which, it] = others.length === 0 ? ["project", "it"] : ["projects", "them"];
  const what =
    `This deletes the ${which} ${projectIds.join(", ")} for good: what tools keep in ${it}, what was counted in ${it}, ` +
    `and the keys that are bound to ${it}. The account's own totals stay.`;
  const ask = () => (others.length === 0 ? confirmByName(io, what, first) : confirm(io, `${what} Go on?`));
  if (!(await agreed(context, yes, what, ask))) return nothing({ deleted: 0, keysEnded: 0, more: true });
  const { deleted, keysEnded, more } = await progress.during("Deleting", removeAll(context, projectIds));
  const done = others.length === 0 ? `Project ${first} is` : `${count(projectIds.length, "project")} are`;
  return {
    document: { deleted, keysEnded, more },
    lines: [
      `${io.out.marks.done} ${done} deleted: ${count(deleted, "document")}, ${count(keysEnded, "key")}.`,
      ...(more ? ["There is more: run the command again."] : []),
    ],
    exitCode: more ? EXIT.negative : EXIT.done,
  };
}

/** Deletes projects in rounds, so that the server's wait before it deletes a project is one wait for all of them. */
async function removeAll({ client, clock, io }: Context, projectIds: readonly string[]) {
  let deleted = 0;
  let keysEnded = 0;
  let left = projectIds;
  for (let round = 0; left.length > 0 && round < MAX_REQUESTS; round++) {
    const before = deleted;
    const unfinished: string[] = [];
    for (const projectId of left) {
      const answer = await client.call("DELETE /api/v1/projects/{projectId}", { projectId });
      deleted += answer.deleted;
      keysEnded += answer.keysEnded;
      if (answer.more) unfinished.push(projectId);
    }
    left = unfinished;
    // The server deletes nothing in the first two seconds, until no other server writes to the project.
    if (left.length > 0 && deleted === before) await clock.sleep(PAUSE_MS, io.interrupted);
  }
  return { deleted, keysEnded, more: left.length > 0 };
}
