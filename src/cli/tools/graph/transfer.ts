import { Unreachable } from "../../../client/errors.ts";
import type { RouteInput, RouteOutput } from "../../../client/routes.ts";
import { Problem } from "../../../contract/problem.ts";
import { COMPUTE_TIMEOUT_MS } from "../../ask-tool.ts";
import type { Outcome } from "../../command.ts";
import type { Context } from "../../context.ts";
import { describeFailure } from "../../describe-failure.ts";
import { UsageError } from "../../exit-codes.ts";
import { inputName } from "../../terminal/input.ts";
import { Reported } from "../../terminal/present.ts";
import { readJson } from "../../terminal/read-json.ts";
import { count, number } from "../../ui/format.ts";
import { entityCount } from "./arrows.ts";
import { type Part, partsOf } from "./parts.ts";

type Import = RouteInput<"POST /api/v1/tools/knowledge-graph/import">;
/** The content to import, in calls that are as large as possible. */
export type GraphContent = Required<Pick<Import, "entities" | "relationships">>;

type Imported = RouteOutput<"POST /api/v1/tools/knowledge-graph/import">;

/** The member's name in a line of NDJSON. */
const MEMBERS = { entities: "entity", relationships: "relationship" } as const;

export async function importFile(context: Context, file: string): Promise<Outcome> {
  // Of any size, since it is sent in parts.
  const graph = await readJson(context.io, file, Number.POSITIVE_INFINITY);
  return send(context, contentOf(graph, file));
}

/** Imports entities before relationships, which need them. After an error, the whole content can be sent again. */
export async function send(context: Context, content: GraphContent): Promise<Outcome> {
  const { io, progress } = context;
  const total: Imported = {
    entities: { created: 0, updated: 0 },
    relationships: { created: 0, updated: 0 },
  };
  const all = content.entities.length + content.relationships.length;
  let sent = 0;
  for (const kind of ["entities", "relationships"] as const) {
    for (const part of partsOf(MEMBERS[kind], content[kind])) {
      const label = `Importing, ${number(sent)} of ${number(all)} entities and relationships`;
      const imported = await progress
        .during(label, sendPart(context, kind, part))
        .catch((error: unknown) => throwWithStored(error, sent, all));
      sent += part.count;
      for (const each of ["entities", "relationships"] as const) {
        total[each].created += imported[each].created;
        total[each].updated += imported[each].updated;
      }
    }
  }
  const { entities, relationships } = total;
  return {
    document: total,
    lines: [
      `${io.out.marks.done} ${entityCount(entities.created)} added, ${number(entities.updated)} replaced`,
      `${io.out.marks.done} ${count(relationships.created, "relationship")} added, ${number(relationships.updated)} replaced`,
    ],
  };
}

/** Adds to the error of a server that went away how much it has, since the part on its way may have arrived. */
function throwWithStored(error: unknown, sent: number, all: number): never {
  if (!(error instanceof Unreachable) || (sent === 0 && error.delivery === "never")) throw error;
  const stored = `${number(sent)} of ${number(all)} entities and relationships are stored, perhaps more.`;
  const again = "Run it again once the server is back: what is stored already is replaced by the same.";
  throw new Reported({ ...describeFailure(error), next: `${stored} ${again}` });
}

async function sendPart({ client, io }: Context, kind: keyof GraphContent, part: Part): Promise<Imported> {
  await client.credential();
  try {
    const { body } = await client.request("POST", "/api/v1/tools/knowledge-graph/import", {
      body: part.text,
      headers: { "content-type": "application/x-ndjson" },
      timeoutMs: COMPUTE_TIMEOUT_MS,
      signal: io.interrupted,
    });
    return body as Imported;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    // Convert the server's paths, by line, to those of the file.
    const inFile = (text: string) =>
      text.replaceAll(
        new RegExp(`\\blines\\.(\\d+)\\.${MEMBERS[kind]}\\b`, "g"),
        (_, line: string) => `${kind}.${part.start + Number(line)}`,
      );
    const errors = error.extras.errors?.map(({ path, message }) => ({ path: inFile(path), message }));
    throw new Problem(error.error, inFile(error.detail), { ...error.extras, ...(errors && { errors }) });
  }
}

/** Returns the content of a graph, as `show` prints it or as a request has it. */
function contentOf(graph: unknown, file: string): GraphContent {
  const { entities = [], relationships = [] } = (graph ?? {}) as Record<string, unknown>;
  if (!Array.isArray(entities) || !Array.isArray(relationships)) {
    throw new UsageError(`${inputName(file)} must hold { "entities": […], "relationships": […] }.`);
  }
  return { entities, relationships };
}
