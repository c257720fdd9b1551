import type { RouteInput, RouteOutput } from "../../../client/routes.ts";
import type { Outcome } from "../../command.ts";
import type { Context } from "../../context.ts";
import { relativeTime, spaced } from "../../ui/format.ts";

type RecallOptions = Omit<RouteInput<"GET /api/v1/tools/agent-memory/recall">, "q">;
type Recalled = RouteOutput<"GET /api/v1/tools/agent-memory/recall">["items"][number];

export async function recall(
  context: Context,
  words: string[],
  { limit, tag, kind, minImportance, order }: RecallOptions,
): Promise<Outcome> {
  const q = words.join(" ");
  // Counting uses would create the project.
  const uses: RecallOptions["uses"] = (await context.projectGuard.isThere()) ? undefined : "keep";
  const options = { limit, tag, kind, minImportance, order, uses };
  const found = await context.client.call("GET /api/v1/tools/agent-memory/recall", { q, ...options });
  if (found.items.length > 0) {
    return { document: found, lines: spaced(found.items.map((item) => linesOf(item, context))) };
  }
  return {
    document: found,
    lines: [q === "" ? "Nothing is remembered. Begin with: tool memory store <text>" : "Nothing matches."],
  };
}

type ListOptions = RouteInput<"GET /api/v1/tools/agent-memory">;

export async function list(context: Context, options: ListOptions): Promise<Outcome> {
  const found = await context.client.call("GET /api/v1/tools/agent-memory", options);
  const lines = spaced(found.items.map((item) => linesOf(item, context)));
  const more = found.nextCursor === undefined ? [] : ["", `There are more: --cursor "${found.nextCursor}"`];
  return {
    document: found,
    lines:
      lines.length === 0
        ? ["No memory matches. Store one with: tool memory store <text>"]
        : [...lines, ...more],
  };
}

export async function show(context: Context, memoryId: string): Promise<Outcome> {
  const found = await context.client.call("GET /api/v1/tools/agent-memory/{memoryId}", { memoryId });
  return { document: found, lines: linesOf(found, context) };
}

/** Returns the text, then its metadata in dim lines. */
function linesOf(
  {
    memory,
    why = [],
    replaced = [],
    supersededBy,
  }: Pick<Recalled, "memory" | "replaced" | "supersededBy"> & Partial<Pick<Recalled, "why">>,
  { io, clock }: Context,
): string[] {
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
