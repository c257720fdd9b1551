import { Option } from "commander";
import { planNameOf } from "../../client/plan-names.ts";
import { type Define, examples, type Outcome } from "../command.ts";
import type { Context } from "../context.ts";
import { UsageError } from "../exit-codes.ts";
import { wholeNumber } from "../options.ts";
import { collect } from "../pages.ts";
import { relativeTime } from "../ui/format.ts";
import { table } from "../ui/table.ts";
import { defineDeleting } from "./project-deleting.ts";
import { checkProjects } from "./project-named.ts";

interface Changes {
  name?: string;
  learning?: "on" | "off";
  plan?: string;
}

export const define: Define = (command, run) => {
  command
    .command("list")
    .description("List the account's projects.")
    .addOption(
      new Option("--state <state>", "active, archived or both").choices(["active", "archived", "all"]),
    )
    .option("--limit <n>", "At most this many", wholeNumber(1, 10_000), 50)
    .addHelpText("after", examples("tool projects list", "tool projects list --state archived"))
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
    .command("rename <projectId> <name>")
    .description("Give a project another name; its id stays.")
    .addHelpText("after", examples('tool projects rename shop "Web shop"'))
    .action(run((context: Context, projectId: string, name: string) => change(context, projectId, { name })));
  command
    .command("archive <projectId>")
    .description("Stop all writing to a project; it can still be read, and is left out of lists.")
    .addHelpText("after", examples("tool projects archive shop"))
    .action(run((context: Context, projectId: string) => change(context, projectId, { archived: true })));
  command
    .command("restore <projectId>")
    .description("Allow writing to an archived project again.")
    .addHelpText("after", examples("tool projects restore shop"))
    .action(run((context: Context, projectId: string) => change(context, projectId, { archived: false })));
  defineDeleting(command, run);
};

async function list(
  { client, clock, io }: Context,
  { limit, state }: { limit: number; state?: "active" | "archived" | "all" },
): Promise<Outcome> {
  const page = await collect(limit, (query, call) =>
    client.call("GET /api/v1/projects", { ...query, state }, call),
  );
  const none =
    state === "archived"
      ? "No project is archived."
      : "No projects yet. The first event of a project makes it: tool track api_calls --project shop --create-project";
  const columns = [
    { title: "Id", shrink: true },
    { title: "Name", shrink: true },
    { title: "Learning" },
    { title: "Gates" },
    ...(state === undefined || state === "active" ? [] : [{ title: "Archived" }]),
    { title: "Made", minor: true },
  ];
  const ago = (at: string) => relativeTime(at, clock.now());
  const rows = page.items.map(({ id, name, learningOptIn, archivedAt, createdAt, ...gates }) => [
    id,
    name,
    learningOptIn ? "on" : "off",
    gatesOf(gates),
    ...(state === undefined || state === "active" ? [] : [archivedAt === undefined ? "no" : ago(archivedAt)]),
    ago(createdAt),
  ]);
  return { document: page, lines: rows.length === 0 ? [none] : table(columns, rows, io.out) };
}

/** Returns whose gates a project has, for people. */
function gatesOf({ plan, planName }: { plan?: string; planName?: string }): string {
  return plan === undefined ? "the account's" : planNameOf({ plan, planName });
}

/** Changes an existing project. A mistyped id must not create one. */
async function change(
  context: Context,
  projectId: string,
  changes: { name?: string; archived?: boolean },
): Promise<Outcome> {
  await checkProjects(context, projectId);
  const { client, io } = context;
  const changed = await client.call("PUT /api/v1/projects/{projectId}", { projectId, ...changes });
  const { id, name, archivedAt } = changed.project;
  const now = archivedAt === undefined ? "written to as before" : "archived: read as before, not written to";
  return {
    document: changed,
    lines: [`${io.out.marks.done} Project ${id} (${name}) is ${now}.`],
  };
}

async function set({ client, io }: Context, projectId: string, changes: Changes): Promise<Outcome> {
  const { name, learning, plan } = changes;
  if (name === undefined && learning === undefined && plan === undefined) {
    throw new UsageError("Nothing to change.", "Give --name, --learning or --plan.");
  }
  const changed = await client.call("PUT /api/v1/projects/{projectId}", {
    projectId,
    name,
    learningOptIn: learning === undefined ? undefined : learning === "on",
    plan: plan === "account" ? null : plan,
  });
  const { project } = changed;
  return {
    document: changed,
    lines: [
      `${io.out.marks.done} Project ${project.id}: name ${project.name}, ` +
        `learning ${project.learningOptIn ? "on" : "off"}, gates ${gatesOf(project)}.`,
    ],
  };
}
