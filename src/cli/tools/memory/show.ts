import type { RouteInput, RouteOutput } from "../../../client/routes.ts";
import type { Outcome } from "../../command.ts";
import type { Context } from "../../context.ts";
import { relativeTime, spaced } from "../../ui/format.ts";

type RecallOptions = Omit<RouteInput<"GET /api/v1/tools/agent-memory/recall">, "q">;
type Recalled = RouteOutput<"GET /api/v1/tools/agent-memory/recall">["items"][number];
/** A memory that was recalled, listed or shown. Only recalled ones say why. */
type Found = Pick<Recalled, "memory" | "replaced" | "supersededBy"> & Partial<Pick<Recalled, "why">>;

export async function recall(context: Context, words: string[], options: RecallOptions): Promise<Outcome> {
  const q = words.join(" ");
  // Counting uses would create the project.
  const uses: RecallOptions["uses"] = (await context.projectGuard.isThere()) ? undefined : "keep";
  const found = await context.client.call("GET /api/v1/tools/agent-memory/recall", { q, ...options, uses });
  return { document: found, lines: allOf(found, context) };
}

type ListOptions = RouteInput<"GET /api/v1/tools/agent-memory">;

export async function list(context: Context, options: ListOptions): Promise<Outcome> {
  const found = await context.client.call("GET /api/v1/tools/agent-memory", options);
  const more = found.nextCursor === undefined ? [] : ["", `There are more: --cursor "${found.nextCursor}"`];
  return { document: found, lines: [...allOf(found, context), ...more] };
}

export async function show(context: Context, memoryId: string): Promise<Outcome> {
  const found = await context.client.call("GET /api/v1/tools/agent-memory/{memoryId}", { memoryId });
  return { document: found, lines: linesOf(found, context) };
}

function allOf({ items }: { items: readonly Found[] }, context: Context): string[] {
  if (items.length === 0) return ["No memory matches. Store one with: tool memory store <text>"];
  return spaced(items.map((item) => linesOf(item, context)));
}

/** Returns the text, then its metadata in dim lines. */
function linesOf({ memory, why = [], replaced = [], supersededBy }: Found, { io, clock }: Context): string[] {
  const { content, agent, kind, tags, importance, at, id } = memory;
  const about = [
    id,
    kind,
    relativeTime(at, clock.now()),
    `importance ${importance}`,
    ...(tags.length > 0 ? [tags.join(" ")] : []),
    ...why,
  ];
  const text = content.trimEnd().split(/\r\n|\n|\r/);
  const speaker = agent === undefined ? "" : `${io.out.style.bold(agent)}: `;
  const before = replaced.map(
    (earlier) => `before, ${relativeTime(earlier.at, clock.now())}: ${earlier.content}`,
  );
  if (supersededBy !== undefined) before.push(`no longer in force: ${supersededBy} took its place`);
  const notes = [...before, about.join(` ${io.out.symbols.dot} `)].map((line) => io.out.style.dim(line));
  return [`${speaker}${text[0]}`, ...text.slice(1), ...notes];
}
