import { type Define, examples, type Outcome } from "../command.ts";
import type { Context } from "../context.ts";
import { relativeTime } from "../ui/format.ts";
import { table } from "../ui/table.ts";

export const define: Define = (command, run) => {
  command
    .command("list")
    .description("List the key that signs entitlements and identities, and those before it, as the operator.")
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
      [{ title: "Key" }, { title: "Made" }, { title: "Use" }],
      items.map(({ kid, createdAt, current }) => [
        kid,
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
