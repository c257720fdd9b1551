import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import type { RouteInput } from "../../client/routes.ts";
import type { Outcome } from "../command.ts";
import type { Context } from "../context.ts";
import { UsageError } from "../exit-codes.ts";
import { count, number } from "../ui/format.ts";
import { jsonText } from "../ui/terminal-text.ts";
import { entityCount } from "./arrows.ts";
import { partsOf } from "./parts.ts";

type Import = RouteInput<"POST /api/v1/tools/knowledge-graph/import">;
/** What is to be imported, in calls as large as they may be. */
export type GraphContent = { [Kind in keyof Import]-?: NonNullable<Import[Kind]> };

const TIMEOUT_MS = 120_000;

export async function importFile(context: Context, file: string): Promise<Outcome> {
  const { io } = context;
  const text =
    file === "-" ? await io.input.text() : await readFile(resolve(io.workingDirectory, file), "utf8");
  return send(context, contentOf(text, file));
}

export async function scan(
  context: Context,
  directory: string | undefined,
  { dryRun }: { dryRun?: boolean },
): Promise<Outcome> {
  const { scanRepository } = await import("./scan/scan.ts");
  const { io, progress } = context;
  const root = resolve(io.workingDirectory, directory ?? ".");
  const { files, unresolved, ...content } = await progress.during("Reading files", scanRepository(root));
  if (dryRun) return { document: content, raw: `${jsonText(content, 2)}\n` };
  if (files === 0) throw new UsageError(`${root} has no JavaScript, TypeScript or Python files.`);
  const { document, lines = [] } = await send(context, content);
  return {
    document: { files, unresolved, ...(document as object) },
    lines: [
      ...lines,
      `${count(files, "file")} read${unresolved.length > 0 ? `, ${count(unresolved.length, "import")} of files that are not there` : ""}`,
      io.out.style.dim("Look at it: tool graph impact <file> --direction in"),
    ],
  };
}

/** Entities first, so that all ends are there; each call is all or nothing, the whole is not. */
async function send({ client, progress, io }: Context, content: GraphContent): Promise<Outcome> {
  const total = { entities: { created: 0, updated: 0 }, relationships: { created: 0, updated: 0 } };
  const parts = [
    ...partsOf(content.entities).map((entities) => ({ entities })),
    ...partsOf(content.relationships).map((relationships) => ({ relationships })),
  ];
  for (const [index, part] of parts.entries()) {
    const call = client.call("POST /api/v1/tools/knowledge-graph/import", part, {
      timeoutMs: TIMEOUT_MS,
      signal: io.interrupted,
    });
    const imported = await progress.during(`Importing, call ${index + 1} of ${parts.length}`, call);
    for (const kind of ["entities", "relationships"] as const) {
      total[kind].created += imported[kind].created;
      total[kind].updated += imported[kind].updated;
    }
  }
  const { entities, relationships } = total;
  const mark = io.out.style.green(io.out.symbols.done);
  return {
    document: total,
    lines: [
      `${mark} ${entityCount(entities.created)} added, ${number(entities.updated)} replaced`,
      `${mark} ${count(relationships.created, "relationship")} added, ${number(relationships.updated)} replaced`,
    ],
  };
}

/** Takes what `show` gave too: what the server adds to it is left out. */
function contentOf(text: string, file: string): GraphContent {
  let graph: unknown;
  try {
    graph = JSON.parse(text);
  } catch (error) {
    throw new UsageError(`${file} is not valid JSON: ${(error as Error).message}`);
  }
  const { entities = [], relationships = [] } = (graph ?? {}) as Record<string, unknown>;
  if (!Array.isArray(entities) || !Array.isArray(relationships)) {
    throw new UsageError(`${file} must hold { "entities": […], "relationships": […] }.`);
  }
  return { entities: entities.map(withoutTimes), relationships: relationships.map(withoutTimes) };
}

function withoutTimes<T>(item: T): T {
  if (typeof item !== "object" || item === null) return item;
  const { createdAt: _, updatedAt: __, ...rest } = item as T & { createdAt?: unknown; updatedAt?: unknown };
  return rest as T;
}
