import { type Define, examples, type Outcome } from "../command.ts";
import type { Context } from "../context.ts";
import { wholeNumber } from "../options.ts";
import { collect } from "../pages.ts";
import { relativeTime } from "../ui/format.ts";
import { table } from "../ui/table.ts";

export const define: Define = (command, run) => {
  command
    .command("list")
    .description("List the applications that registered themselves, as the operator.")
    .option("--limit <n>", "At most this many", wholeNumber(1, 10_000), 50)
    .addHelpText("after", examples("tool clients list"))
    .action(run(list));
  command
    .command("revoke <clientId>")
    .description("Let an application ask nobody any more, and sign everybody out of it.")
    .addHelpText("after", examples("tool clients revoke dcr_01jd0000000000000000000000"))
    .action(run(revoke));
};

async function list({ client, clock, io }: Context, { limit }: { limit: number }): Promise<Outcome> {
  const page = await collect(limit, (part, call) => client.call("GET /api/v1/clients", part, call));
  const now = clock.now();
  return {
    document: page,
    lines:
      page.items.length === 0
        ? ["No application has registered itself."]
        : table(
            [
              { title: "Application", shrink: true },
              { title: "Id" },
              { title: "Leads back to", shrink: true, minor: true },
              { title: "Made", minor: true },
              { title: "Used" },
            ],
            page.items.map(({ id, name, redirectUris, createdAt, lastUsedAt }) => [
              name,
              id,
              redirectUris[0] ?? "",
              relativeTime(createdAt, now),
              lastUsedAt === undefined ? "never" : relativeTime(lastUsedAt, now),
            ]),
            io.out,
          ),
  };
}

async function revoke({ client, io }: Context, clientId: string): Promise<Outcome> {
  await client.call("DELETE /api/v1/clients/{clientId}", { clientId });
  return {
    document: { revoked: true, clientId },
    lines: [`${io.out.marks.done} Revoked, and everybody is signed out of it.`],
  };
}
