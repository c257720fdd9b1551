import { type Define, examples, type Outcome } from "../command.ts";
import type { Context } from "../context.ts";
import { relativeTime } from "../ui/format.ts";
import { table } from "../ui/table.ts";

export const define: Define = (command, run) => {
  command
    .command("list")
    .description(
      "List the keys that sign entitlements and identities, and those before them, as the operator.",
    )
    .addHelpText("after", examples("tool signing-keys list"))
    .action(run(list));
  command
    .command("rotate")
    .description("Have another key sign from now on, as after a leak; it happens by itself every 90 days.")
    .addHelpText("after", examples("tool signing-keys rotate"))
    .action(run(rotate));
};

async function list({ client, clock, io }: Context): Promise<Outcome> {
  const { items } = await client.call("GET /api/v1/signing-keys", {});
  return {
    document: { items },
    lines: table(
      [{ title: "Key" }, { title: "Algorithm" }, { title: "Made" }, { title: "Use" }],
      items.map(({ kid, alg, createdAt, current }) => [
        kid,
        alg,
        relativeTime(createdAt, clock.now()),
        current ? "signs" : "only verifies",
      ]),
      io.out,
    ),
  };
}

async function rotate({ client, io }: Context): Promise<Outcome> {
  const key = await client.call("POST /api/v1/signing-keys/rotate", {});
  return {
    document: key,
    lines: [
      `${io.out.marks.done} ${key.kid} signs from now on.`,
      "What the one before signed is verified until it has expired.",
    ],
  };
}
