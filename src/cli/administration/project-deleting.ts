import { type Define, examples, type Outcome } from "../command.ts";
import type { Context } from "../context.ts";
import { EXIT } from "../exit-codes.ts";
import { agreed, confirm, confirmByName } from "../terminal/confirm.ts";
import { count } from "../ui/format.ts";
import { checkProject } from "./project-named.ts";

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
    .command("delete <projectId>")
    .description("Delete a project with all that is kept and counted in it; keys that are bound to it end.")
    .option("--yes", "Do not ask for its id")
    .addHelpText("after", examples("tool projects delete shop", "tool projects delete shop --yes"))
    .action(run(remove));
};

async function empty(
  context: Context,
  projectId: string,
  { tool, yes }: { tool?: string; yes?: true },
): Promise<Outcome> {
  const { client, io, progress } = context;
  await checkProject(context, projectId);
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

async function remove(context: Context, projectId: string, { yes }: { yes?: true }): Promise<Outcome> {
  const { io, progress } = context;
  await checkProject(context, projectId);
  const what =
    `This deletes the project ${projectId} for good: what tools keep in it, what was counted in it, and the keys ` +
    "that are bound to it. The account's own totals stay.";
  if (!(await agreed(context, yes, what, () => confirmByName(io, what, projectId)))) {
    return nothing({ deleted: 0, keysEnded: 0, more: true });
  }
  const { deleted, keysEnded, more } = await progress.during("Deleting", removeAll(context, projectId));
  return {
    document: { deleted, keysEnded, more },
    lines: [
      `${io.out.marks.done} Project ${projectId} is deleted: ${count(deleted, "document")}, ${count(keysEnded, "key")}.`,
      ...(more ? ["There is more: run the command again."] : []),
    ],
    exitCode: more ? EXIT.negative : EXIT.done,
  };
}

async function removeAll({ client, clock, io }: Context, projectId: string) {
  let deleted = 0;
  let keysEnded = 0;
  for (let request = 0; request < MAX_REQUESTS; request++) {
    const answer = await client.call("DELETE /api/v1/projects/{projectId}", { projectId });
    deleted += answer.deleted;
    keysEnded += answer.keysEnded;
    if (!answer.more) return { deleted, keysEnded, more: false };
    // The server deletes nothing in the first two seconds, until no other server writes to the project.
    if (answer.deleted === 0) await clock.sleep(PAUSE_MS, io.interrupted);
  }
  return { deleted, keysEnded, more: true };
}
