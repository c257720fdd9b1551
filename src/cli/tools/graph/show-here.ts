import type { NotFollowed } from "../../../repository/not-followed.ts";
import type { Edge, Repository } from "../../../repository/repository.ts";
import type { Outcome } from "../../command.ts";
import type { Context } from "../../context.ts";
import { UsageError } from "../../exit-codes.ts";
import { count, number } from "../../ui/format.ts";
import { table } from "../../ui/table.ts";
import { jsonText } from "../../ui/terminal-text.ts";
import { contentOf } from "./content.ts";
import { leftOutWords, repositoryHere, requireFile, requireSignIn } from "./here.ts";
import { notFollowedLine, nothingFollowed } from "./not-followed.ts";
import { type Format, showRecorded } from "./show.ts";
import { showFile } from "./show-file.ts";

const MAX_LISTED = 10;

interface Options {
  format?: Format;
  recorded?: boolean;
}

/** Shows this repository or one of its files; the recorded graph if there is no repository or it is asked for. */
export async function show(
  context: Context,
  file: string | undefined,
  { format, recorded }: Options,
): Promise<Outcome> {
  const repository = recorded ? undefined : await repositoryHere(context);
  if (file !== undefined) {
    if (!repository) throw new UsageError("There is no repository here, so no file of one.");
    return showFile(context, repository, await requireFile(context, repository, file));
  }
  if (!repository) {
    if (!recorded) await requireSignIn(context, undefined);
    return showRecorded(context, format);
  }
  const { tooLong: _, ...graph } = contentOf({ ...repository, prefix: "" });
  const counts = { entities: graph.entities.length, relationships: graph.relationships.length };
  const { notFollowedIn } = await import("../../../repository/not-followed.ts");
  const notFollowed = notFollowedIn(repository);
  const document = { repository: repository.name, ...graph, counts, notFollowed };
  if (format === "json") return { document, raw: `${jsonText(document, 2)}\n`, isRecorded: false };
  if (format) {
    const raw = await drawn(graph, format);
    return { document: { format, text: raw }, raw, isRecorded: false };
  }
  return { document, lines: summaryOf(repository, notFollowed, context), isRecorded: false };
}

type Drawn = Pick<ReturnType<typeof contentOf>, "entities" | "relationships">;

/** Draws the graph as a server does. */
async function drawn(graph: Drawn, format: Exclude<Format, "json" | undefined>): Promise<string> {
  const { drawGraph } = await import("../../../tools/knowledge-graph/formats/draw-graph.ts");
  return drawGraph(format, graph);
}

function summaryOf(repository: Repository, notFollowed: readonly NotFollowed[], context: Context): string[] {
  const { io } = context;
  const { name, files, edges, leftOut } = repository;
  const languages = new Map<string, { files: number; tests: number; definitions: number }>();
  for (const { language, isTest, definitions } of files.values()) {
    if (language === undefined) continue;
    const counted = languages.get(language) ?? { files: 0, tests: 0, definitions: 0 };
    languages.set(language, counted);
    counted.files++;
    counted.tests += isTest ? 1 : 0;
    counted.definitions += definitions.length;
  }
  const unknown = notFollowed.length > 0 ? [notFollowedLine(notFollowed)] : [];
  if (languages.size === 0) return [nothingFollowed(name), ...unknown];
  const rows = [...languages]
    .sort(([, left], [, right]) => right.files - left.files)
    .map(([language, each]) => [language, number(each.files), number(each.tests), number(each.definitions)]);
  const right = { align: "right" } as const;
  const out = Object.entries(leftOut).flatMap(([why, paths]) =>
    paths.length > 0 ? leftOutWords(why, paths.length) : [],
  );
  return [
    `${io.out.style.bold(name)}: ${count(files.size, "file")}, ${count(edges.length, "import")} between them`,
    "",
    ...table(
      [
        { title: "Language" },
        { title: "Files", ...right },
        { title: "Tests", ...right },
        { title: "Definitions", ...right },
      ],
      rows,
      io.out,
    ),
    "",
    ...(edges.length > 0 ? [...importedTable(edges, context), ""] : []),
    ...unknown.map((line) => io.out.style.yellow(line)),
    ...(out.length > 0 ? [io.out.style.dim(`Not read: ${out.join(", ")}`)] : []),
    io.out.style.dim(
      "What depends on a file: tool graph impact <file>. What the project recorded: tool graph show --recorded",
    ),
  ];
}

function importedTable(edges: readonly Edge[], { io }: Context): string[] {
  return table(
    [
      { title: "Most imported", shrink: true },
      { title: "By", align: "right" },
    ],
    mostImported(edges),
    io.out,
  );
}

function mostImported(edges: readonly Edge[]): string[][] {
  const counts = new Map<string, number>();
  for (const { to } of edges) counts.set(to, (counts.get(to) ?? 0) + 1);
  return [...counts]
    .sort(([, left], [, right]) => right - left)
    .slice(0, MAX_LISTED)
    .map(([path, amount]) => [path, number(amount)]);
}
