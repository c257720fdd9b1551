import type { Outcome } from "../../command.ts";
import type { Context } from "../../context.ts";
import { EXIT } from "../../exit-codes.ts";
import { arrows } from "./arrows.ts";
import { fileNamed, orNoFile, repositoryHere, requireSignIn } from "./here.ts";
import { isNotFollowed } from "./not-followed.ts";
import { pathInRecorded, type Ways } from "./recorded-ways.ts";

/** Shows a shortest path between two files of this repository, or between two recorded entities. */
export async function path(context: Context, from: string, to: string, ways: Ways): Promise<Outcome> {
  const repository = await repositoryHere(context);
  const files = repository && [
    await fileNamed(context, repository, from),
    await fileNamed(context, repository, to),
  ];
  const [first, last] = files ?? [];
  if (!repository || first === undefined || last === undefined) {
    const unknown = first === undefined ? from : to;
    await requireSignIn(context, repository, unknown);
    return pathInRecorded(context, from, to, ways).catch((error) => {
      throw orNoFile(error, repository, unknown);
    });
  }
  const { wayBetween } = await import("../../../repository/reach.ts");
  const { direction = "both" } = ways;
  const { notFollowedLanguage } = await import("../../../repository/not-followed.ts");
  const way = wayBetween(repository.edges, first, last, direction);
  const id = (file: string) => `${repository.name}:${file}`;
  const steps = way?.map((edge) => ({ type: "imports", from: edge.from, to: edge.to }));
  const unknown = [...new Set([first, last].flatMap((file) => notFollowedLanguage(repository, file) ?? []))];
  const none = [
    `No path leads from ${first} to ${last}.`,
    ...unknown.map((each) => `${isNotFollowed(each)}.`),
  ];
  return {
    document: {
      from: id(first),
      to: id(last),
      direction,
      distance: way?.length ?? null,
      path: steps?.map((step) => ({ ...step, from: id(step.from), to: id(step.to) })) ?? null,
      notFollowed: unknown,
    },
    lines: steps ? [arrows(first, steps, context.io.out)] : none,
    exitCode: steps ? EXIT.done : EXIT.negative,
    isRecorded: false,
  };
}
