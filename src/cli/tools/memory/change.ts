import type { RouteInput } from "../../../client/routes.ts";
import type { Outcome } from "../../command.ts";
import type { Context } from "../../context.ts";

type NewMemory = RouteInput<"POST /api/v1/tools/agent-memory/store">;
type StoreOptions = Omit<NewMemory, "content" | "tags"> & { tag?: string[] };

export async function store(
  { client, io }: Context,
  text: string[],
  { tag, kind, importance, agent, thread, at, expiresAt, metadata }: StoreOptions,
): Promise<Outcome> {
  const content = text.join(" ") === "-" ? await io.input.text() : text.join(" ");
  const stored = await client.call("POST /api/v1/tools/agent-memory/store", {
    content,
    tags: tag,
    kind,
    importance,
    agent,
    thread,
    at,
    expiresAt,
    metadata,
  });
  const { style, symbols } = io.out;
  const { id, keywords, importance: scored } = stored.memory;
  const what = stored.echo ? "repeats" : stored.merged ? "merged into" : "stored as";
  const masked = stored.masked?.length
    ? [`Masked before anything was kept: ${stored.masked.join(", ")}`]
    : [];
  return {
    document: stored,
    lines: [
      `${style.green(symbols.done)} ${what} ${style.bold(id)}`,
      style.dim(`importance ${scored}${keywords.length > 0 ? `, keywords ${keywords.join(" ")}` : ""}`),
      ...masked.map((line) => style.yellow(line)),
    ],
  };
}

export async function forget({ client, io }: Context, ids: string[]): Promise<Outcome> {
  for (const memoryId of ids) {
    await client.call("DELETE /api/v1/tools/agent-memory/{memoryId}", { memoryId });
  }
  const mark = io.out.style.green(io.out.symbols.done);
  return { document: { forgotten: ids }, lines: ids.map((id) => `${mark} ${id} forgotten`) };
}
