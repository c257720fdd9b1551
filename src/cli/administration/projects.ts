import { Option } from "commander";
import { type Define, examples, type Outcome } from "../command.ts";
import type { Context } from "../context.ts";
import { EXIT, UsageError } from "../exit-codes.ts";
import { wholeNumber } from "../options.ts";
import { collect } from "../pages.ts";
import { confirm } from "../terminal/confirm.ts";
import { count, relativeTime } from "../ui/format.ts";
import { table } from "../ui/table.ts";

interface Changes {
  name?: string;
  learning?: "on" | "off";
  plan?: string;
}

export const define: Define = (command, run) => {
  command
    .command("list")
    .description("List the account's projects.")
    .option("--limit <n>", "At most so many", wholeNumber(1, 10_000), 50)
    .addHelpText("after", examples("tool projects list"))
    .action(run(list));
  command
    .command("set <projectId>")
    .description("Make a project or change it; what is left out stays.")
    .option("--name <name>", "What people call it")
    .addOption(new Option("--learning <state>", "Take part in cross-project learning").choices(["on", "off"]))
    .option("--plan <plan>", 'Gates of its own, "account" for the account\'s (operator)')
    .addHelpText(
      "after",
      examples('tool projects set shop --name "Web shop"', "tool projects set shop --learning on"),
    )
    .action(run(set));
  command
    .command("empty <projectId>")
    .description("Delete what tools keep in a project: of one tool, or all of it.")
    .option("--tool <tool>", "Of this tool alone, such as self-healing")
    .option("--yes", "Do not ask")
    .addHelpText(
      "after",
      examples("tool projects empty shop --tool self-healing", "tool projects empty shop --yes"),
    )
    .action(run(empty));
};

async function list({ client, clock, io }: Context, { limit }: { limit: number }): Promise<Outcome> {
  const page = await collect(limit, (query) => client.call("GET /api/v1/projects", query));
  return {
    document: page,
    lines:
      page.items.length === 0
        ? ["No projects yet. The first event of a project makes it: tool track api_calls --project shop"]
        : table(
            [
              { title: "Id", shrink: true },
              { title: "Name", shrink: true },
              { title: "Learning" },
              { title: "Gates" },
              { title: "Made", minor: true },
            ],
            page.items.map((project) => [
              project.id,
              project.name,
              project.learningOptIn ? "on" : "off",
              project.plan ?? "the account's",
              relativeTime(Date.parse(project.createdAt), clock.now()),
            ]),
            io.out,
          ),
  };
}

async function set({ client, io }: Context, projectId: string, changes: Changes): Promise<Outcome> {
  const { name, learning, plan } = changes;
  if (name === undefined && learning === undefined && plan === undefined) {
    throw new UsageError("Nothing to change.", "Give --name, --learning or --plan.");
  }
  const changed = await client.call("PUT /api/v1/projects/{projectId}", {
    projectId,
    ...(name === undefined ? {} : { name }),
    ...(learning === undefined ? {} : { learningOptIn: learning === "on" }),
    ...(plan === undefined ? {} : { plan: plan === "account" ? null : plan }),
  });
  const { project } = changed;
  return {
    document: changed,
    lines: [
      `${io.out.style.green(io.out.symbols.done)} Project ${project.id}: name ${project.name}, ` +
        `learning ${project.learningOptIn ? "on" : "off"}, gates ${project.plan ?? "the account's"}.`,
    ],
  };
}

async function empty(
  { client, io, options, progress }: Context,
  projectId: string,
  { tool, yes }: { tool?: string; yes?: true },
): Promise<Outcome> {
  const what = tool === undefined ? "everything that tools keep" : `everything that ${tool} keeps`;
  if (!yes) {
    if (options.json || !io.input.terminal || !io.err.live) {
      throw new UsageError(
        `This deletes ${what} in the project ${projectId}, for good.`,
        "Add --yes to do it.",
      );
    }
    const sure = confirm(io, `Delete ${what} in the project ${projectId}, for good?`);
    if (!(await progress.pausedDuring(sure))) {
      return {
        document: { deleted: 0, more: true },
        lines: ["Nothing was deleted."],
        exitCode: EXIT.negative,
      };
    }
  }
  const { deleted, more } = await progress.during("Deleting", deleteAll(client, projectId, tool));
  return {
    document: { deleted, more },
    lines: [
      `${io.out.style.green(io.out.symbols.done)} Project ${projectId}: ${count(deleted, "document")} deleted.`,
      ...(more ? ["There is more: run the command again."] : []),
    ],
    ...(more && { exitCode: EXIT.negative }),
  };
}

/** A server deletes some 10,000 documents at a time. One that never comes to an end is not asked for ever. */
const MAX_REQUESTS = 100;

async function deleteAll(client: Context["client"], projectId: string, tool?: string) {
  const asked = { projectId, ...(tool !== undefined && { tool }) };
  let deleted = 0;
  let more = true;
  for (let request = 0; more && request < MAX_REQUESTS; request++) {
    const answer = await client.call("DELETE /api/v1/projects/{projectId}/data", asked);
    deleted += answer.deleted;
    more = answer.more;
  }
  return { deleted, more };
}
