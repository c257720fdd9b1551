import type { Outcome } from "../../command.ts";
import type { Context } from "../../context.ts";
import { collect } from "../../pages.ts";
import { number, relativeTime } from "../../ui/format.ts";
import { table } from "../../ui/table.ts";

export async function list(
  { client, clock, io }: Context,
  { limit, state }: { limit: number; state?: "active" | "ended" },
): Promise<Outcome> {
  const page = await collect(limit, (query, call) =>
    client.call("GET /api/v1/tools/pair/session", { state, ...query }, call),
  );
  if (page.items.length === 0) {
    return { document: page, lines: ["No sessions. Start one: tool pair start <files> --with <who>"] };
  }
  const rows = page.items.map(({ session, files }) => [
    session.id,
    session.title ?? "",
    session.state,
    session.participants.map(({ id }) => id).join(" "),
    number(files),
    number(session.sequence),
    relativeTime(session.updatedAt, clock.now()),
  ]);
  const columns = [
    { title: "Id" },
    { title: "Title", shrink: true },
    { title: "State" },
    { title: "Who", shrink: true },
    { title: "Files", align: "right" as const },
    { title: "Changes", align: "right" as const },
    { title: "Updated", minor: true },
  ];
  return { document: page, lines: table(columns, rows, io.out) };
}
