import type { Repository } from "../../../repository/repository.ts";
import { isOperational } from "../../../system/operational-error.ts";
import type { Outcome } from "../../command.ts";
import type { Context } from "../../context.ts";
import { EXIT, UsageError } from "../../exit-codes.ts";
import { fileNamed, orNoFile, repositoryHere, requireFile, requireSignIn } from "./here.ts";
import { type ImpactDocument, impactDocument } from "./impact-document.ts";
import { type Found, foundFrom, type ImpactOptions } from "./impact-found.ts";
import { impactLines } from "./impact-lines.ts";
import { impactOfRecorded } from "./recorded-ways.ts";

/** Shows what a change of a file, or the changes since a commit, affect: in this repository or the recorded graph. */
export async function impact(
  context: Context,
  name: string | undefined,
  options: ImpactOptions,
): Promise<Outcome> {
  if (options.diff !== undefined) {
    if (name !== undefined)
      throw new UsageError("Name a file, or --diff for all that was changed; not both.");
    const { repository, starts } = await changedHere(context, options.diff);
    return report(context, await foundFrom(repository, starts, options), options);
  }
  if (name === undefined) throw new UsageError("Name a file, or --diff for all that was changed.");
  const repository = await repositoryHere(context);
  const path = repository && (await fileNamed(context, repository, name));
  if (repository && path !== undefined)
    return report(context, await foundFrom(repository, [path], options), options);
  await requireSignIn(context, repository, name);
  return impactOfRecorded(context, name, options).catch((error) => {
    throw orNoFile(error, repository, name);
  });
}

/** Returns the document of `tool graph impact` for a file of this repository, or for its uncommitted changes. */
export async function impactHere(context: Context, name: string | undefined): Promise<ImpactDocument> {
  const repository = name === undefined ? undefined : await repositoryHere(context);
  if (name === undefined) {
    const changed = await changedHere(context, true);
    const found = await foundFrom(changed.repository, changed.starts, { diff: true });
    return impactDocument(found, { diff: true });
  }
  if (!repository) throw await noRepository(context);
  return impactDocument(await foundFrom(repository, [await requireFile(context, repository, name)], {}), {});
}

async function noRepository({ io }: Context): Promise<UsageError> {
  const { requireWorkTree } = await import("../../../repository/files/work-tree.ts");
  requireWorkTree(io.workingDirectory);
  return new UsageError("There is no repository here.", "Start it in one.");
}

async function changedHere(
  context: Context,
  diff: string | true,
): Promise<{ repository: Repository; starts: readonly string[] }> {
  const { io } = context;
  const { changesSince, remedyForShallow } = await import("../../../repository/changes.ts");
  const commit = diff === true ? undefined : diff;
  const changes = await changesSince(io.workingDirectory, commit, io.interrupted).catch(async (error) => {
    io.interrupted.throwIfAborted();
    if (isOperational(error)) throw error;
    throw new UsageError(
      commit === undefined ? "There is no git repository here." : `git knows no commit ${commit} here.`,
      commit === undefined
        ? "Name a file instead."
        : await remedyForShallow(io.workingDirectory, io.interrupted),
    );
  });
  const repository = await repositoryHere(context, { gone: changes.gone });
  if (!repository) throw new UsageError("There is no git repository here.", "Name a file instead.");
  return { repository, starts: changes.changed };
}

function report(context: Context, found: Found, options: ImpactOptions): Outcome {
  const isKnown = found.unknown === undefined || options.diff !== undefined;
  return {
    document: impactDocument(found, options),
    lines: impactLines(context, found, options),
    exitCode: isKnown ? EXIT.done : EXIT.negative,
    isRecorded: false,
  };
}
