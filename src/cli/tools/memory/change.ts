import type { RouteInput, RouteOutput } from "../../../client/routes.ts";
import type { Outcome } from "../../command.ts";
import type { Context } from "../../context.ts";
import { textOfWords } from "../../terminal/input.ts";

type NewMemory = RouteInput<"POST /api/v1/tools/agent-memory/store">;
type StoreOptions = Omit<NewMemory, "content" | "tags"> & { tag?: string[] };

export async function store(
  { client, io }: Context,
  text: string[],
  { tag, kind, importance, agent, thread, at, expiresAt, metadata }: StoreOptions,
): Promise<Outcome> {
  const content = await textOfWords(io, text);
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
  const what = stored.echo ? "repeats" : stored.merged ? "merged into" : "stored as";
  return { document: stored, lines: linesOf(stored, what, io) };
}

export async function correct(
  { client, io }: Context,
  memoryId: string,
  text: string[],
  { tag, kind, importance }: Pick<StoreOptions, "tag" | "kind" | "importance">,
): Promise<Outcome> {
  const content = text.length === 0 ? undefined : await textOfWords(io, text);
  const change = { content, tags: tag, kind, importance };
  const corrected = await client.call("PATCH /api/v1/tools/agent-memory/{memoryId}", { memoryId, ...change });
  return { document: corrected, lines: linesOf(corrected, "corrected", io) };
}

function linesOf(
  { memory, masked = [] }: RouteOutput<"PATCH /api/v1/tools/agent-memory/{memoryId}">,
  what: string,
  { out: { style, marks } }: Context["io"],
): string[] {
  const { id, keywords, importance } = memory;
  return [
    `${marks.done} ${what} ${style.bold(id)}`,
    style.dim(`importance ${importance}${keywords.length > 0 ? `, keywords ${keywords.join(" ")}` : ""}`),
    ...(masked.length > 0 ? [style.yellow(`Masked before anything was kept: ${masked.join(", ")}`)] : []),
  ];
}

export async function forget({ client, io }: Context, ids: string[]): Promise<Outcome> {
  for (const memoryId of ids) {
    await client.call("DELETE /api/v1/tools/agent-memory/{memoryId}", { memoryId });
  }
  return { document: { forgotten: ids }, lines: ids.map((id) => `${io.out.marks.done} ${id} forgotten`) };
}
