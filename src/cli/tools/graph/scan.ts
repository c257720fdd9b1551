import { statSync } from "node:fs";
import { resolve } from "node:path";
import { SignedOut } from "../../../client/errors.ts";
import { languageOf } from "../../../repository/languages/languages.ts";
import type { NotFollowed } from "../../../repository/not-followed.ts";
import type { Repository } from "../../../repository/repository.ts";
import type { Outcome } from "../../command.ts";
import type { Context } from "../../context.ts";
import { UsageError } from "../../exit-codes.ts";
import type { CommonOptions } from "../../options.ts";
import { UntrustedServer } from "../../trust/trust.ts";
import { count } from "../../ui/format.ts";
import { jsonText } from "../../ui/terminal-text.ts";
import { type Content, contentOf } from "./content.ts";
import { leftOutWords, openAt } from "./here.ts";
import { notFollowedLine, nothingFollowed } from "./not-followed.ts";
import { replaceGraph } from "./replace.ts";

interface Options extends CommonOptions {
  dryRun?: boolean;
  record?: boolean;
}

/** Reads a repository and, if the user is signed in, replaces its part of the project's graph. */
export async function scan(
  context: Context,
  directory: string | undefined,
  options: Options,
): Promise<Outcome> {
  const { io } = context;
  const root = resolve(io.workingDirectory, directory ?? ".");
  if (!statSync(root, { throwIfNoEntry: false })?.isDirectory())
    throw new UsageError(`${root} is no directory.`);
  const repository = await openAt(context, root);
  const { notFollowedIn } = await import("../../../repository/not-followed.ts");
  const notFollowed = notFollowedIn(repository);
  const content = contentOf(repository);
  const { tooLong, ...graph } = content;
  if (options.dryRun) return { document: graph, raw: `${jsonText(graph, 2)}\n`, isRecorded: false };
  const files = [...repository.files.values()].filter(
    ({ path, language }) => language !== undefined && path.startsWith(repository.prefix),
  );
  if (files.length === 0) {
    throw new UsageError(
      nothingFollowed(root),
      notFollowed.length > 0 ? `${notFollowedLine(notFollowed)}.` : undefined,
    );
  }
  const isSent = options.record !== false && (await isSignedIn(context));
  const within = `${repository.name}:${repository.prefix}`;
  const sent = isSent ? await replaceGraph(context, content, within) : undefined;
  return {
    document: {
      repository: repository.name,
      files: files.length,
      definitions: content.relationships.filter(({ type }) => type === "defines").length,
      imports: content.relationships.filter(({ type }) => type === "imports").length,
      unresolved: repository.missing.map(({ from, module }) => ({ file: from, specifier: module })),
      leftOut: repository.leftOut,
      notFollowed,
      tooLong,
      sent: sent?.document ?? null,
    },
    lines: [
      ...summaryOf(context, repository, { ...content, notFollowed, files: files.length }),
      ...(sent?.lines ?? [
        io.out.style.dim(
          "On this machine only; once you are signed in, it also goes into the project's graph.",
        ),
      ]),
      io.out.style.dim("Look at it: tool graph impact <file>"),
    ],
    isRecorded: isSent,
  };
}

function summaryOf(
  { io }: Context,
  repository: Repository,
  {
    relationships,
    tooLong,
    notFollowed,
    files,
  }: Content & { notFollowed: readonly NotFollowed[]; files: number },
): string[] {
  const { missing, leftOut } = repository;
  const countOf = (type: string) => relationships.filter((each) => each.type === type).length;
  // Generated code is read for what it imports and defines.
  const code = leftOut.generated.filter((path) => languageOf(path)).length;
  const left = Object.entries(leftOut).flatMap(([reason, { length }]) => {
    const unread = reason === "generated" ? length - code : length;
    return unread > 0 ? [leftOutWords(reason, unread)] : [];
  });
  return [
    `${io.out.marks.done} ${io.out.style.bold(repository.name)}: ${count(files, "file")}, ${count(countOf("defines"), "definition")}, ${count(countOf("imports"), "import")}`,
    ...(missing.length > 0 ? [`  ${count(missing.length, "import")} of files that are not there`] : []),
    ...(left.length > 0 ? [`  not read: ${left.join(", ")}`] : []),
    ...(code > 0 ? [`  generated, and read for imports alone: ${count(code, "file")}`] : []),
    ...(notFollowed.length > 0 ? [`  ${notFollowedLine(notFollowed)}`] : []),
    ...(tooLong.length > 0
      ? [`  ${count(tooLong.length, "name")} longer than a server takes, left out`]
      : []),
  ];
}

/** Whether the user is signed in. False for a server that is not trusted. */
async function isSignedIn({ client, trust }: Context): Promise<boolean> {
  try {
    if (trust.refusal()) return false;
    await client.credential();
    return true;
  } catch (error) {
    if (error instanceof UntrustedServer || (error instanceof SignedOut && error.reason === "none"))
      return false;
    throw error;
  }
}
