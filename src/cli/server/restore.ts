import { type Define, examples, type Outcome } from "../command.ts";
import type { Context } from "../context.ts";
import { examined, isReadTwice, readFrom } from "./backup-file.ts";
import { counted, intoEmpty, storeOf, storeOptions, warnings } from "./store-work.ts";
import { type StoreFlags, withoutPassword } from "./where.ts";

interface RestoreFlags extends StoreFlags {
  force?: boolean;
}

export const define: Define = (command, run) => {
  storeOptions(
    command
      .description(
        "Fill an empty directory or database with a backup, of either kind, and compare the two. Stop the server first. Rate limits start afresh.",
      )
      .argument("<file>", 'What tool backup wrote; "-" for stdin'),
  )
    .option("--force", "First move what is there aside, into a directory or a schema whose name is printed")
    .addHelpText(
      "after",
      examples(
        "tool restore toolplane.backup --data /var/lib/toolplane",
        "tool restore toolplane.backup --database postgres://toolplane@db/toolplane --force",
      ),
    )
    .action(run(restore));
};

async function restore(context: Context, file: string, flags: RestoreFlags): Promise<Outcome> {
  const { io, clock } = context;
  const where = storeOf(context, flags);
  const [{ fillStore }, { openBackup }, { registryOf }] = await Promise.all([
    import("../../store/fill.ts"),
    import("../../store/backup/read-backup.ts"),
    import("../../server/tools/registry.ts"),
  ]);
  // Verify the backup first, so that a damaged one leaves nothing behind. A pipe can only be read once.
  if (await isReadTwice(file)) await examined(context, file);
  const { heading, items } = await openBackup(await readFrom(file, io));
  const progress = counted(context, "Restoring");
  const filling = fillStore(where, items, {
    collections: registryOf().collections,
    clock,
    // The instant of the backup, so that no document expires while it is restored.
    instant: Date.parse(heading.at),
    log: await warnings(context),
    force: flags.force === true,
    name: withoutPassword(where),
    onProgress: progress.tell,
  });
  const filled = await progress
    .during(intoEmpty(filling, "Name another, or add --force to move what is there aside."))
    .catch((error) => {
      if (io.interrupted.aborted) {
        const left = flags.force ? "what was there is back" : "nothing is left";
        context.progress.note(`Nothing was restored: ${left} in ${withoutPassword(where)}.`);
      }
      throw error;
    });
  const { style, marks } = io.out;
  return {
    document: { file, to: withoutPassword(where), at: heading.at, ...filled },
    lines: [
      `${marks.done} Restored ${filled.documents} documents and ${filled.counters} counters of ${heading.at}, and compared them.`,
      style.dim(`  checksum ${filled.checksum}`),
      ...(filled.setAside
        ? [`  What was there is in ${filled.setAside}; remove it when you no longer need it.`]
        : []),
    ],
    isRecorded: false,
  };
}
