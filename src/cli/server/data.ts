import { access } from "node:fs/promises";
import { type Define, examples, type Outcome } from "../command.ts";
import type { Context } from "../context.ts";
import { UsageError } from "../exit-codes.ts";
import { isDatabase, withoutPassword } from "./where.ts";

interface CopyOptions {
  from: string;
  to: string;
}

export const define: Define = (command, run) => {
  command
    .command("copy")
    .description(
      "Copy a store between a directory and PostgreSQL, and compare the two. Stop the server first.",
    )
    .requiredOption("--from <directory|url>", "The store to read: a data directory or a postgres:// URL")
    .requiredOption("--to <directory|url>", "The store to fill, which must be empty")
    .addHelpText(
      "after",
      examples(
        "tool data copy --from ./data --to postgres://localhost/toolplane",
        "tool data copy --from postgres://localhost/toolplane --to ./backup",
      ),
    )
    .action(run(copy));
};

async function copy({ io, clock, progress }: Context, { from, to }: CopyOptions): Promise<Outcome> {
  if (from === to) throw new UsageError("--from and --to name the same store.", "Name two.");
  if (!isDatabase(from) && !(await exists(from))) {
    throw new UsageError(`There is no ${from}.`, "Name the directory that tool serve --data used.");
  }
  const [{ openStore }, { copyStore, TargetNotEmpty }, { registryOf }, { createLog }] = await Promise.all([
    import("../../store/open.ts"),
    import("../../store/copy.ts"),
    import("../../server/tools/registry.ts"),
    import("../../system/log.ts"),
  ]);
  // Both stores are read at one instant, so that nothing expires between copy and comparison.
  const startedAt = clock.now();
  const options = {
    collections: registryOf().collections,
    clock: { ...clock, now: () => startedAt },
    log: createLog("warn", io.err.jsonStream),
  };
  const source = await openStore(from, options);
  try {
    const target = await openStore(to, options);
    try {
      const names = { target: withoutPassword(to) };
      const copying = copyStore(source, target, names).catch((error) => {
        if (!(error instanceof TargetNotEmpty)) throw error;
        throw new UsageError(
          `${names.target} holds data already.`,
          "Copy into an empty directory or database.",
        );
      });
      const inventory = await progress.during("Copying", copying);
      const { documents, counters, checksum } = inventory;
      const { style, symbols } = io.out;
      return {
        document: { from: withoutPassword(from), to: withoutPassword(to), ...inventory },
        lines: [
          `${style.green(symbols.done)} Copied ${documents} documents and ${counters} counters, and compared them.`,
          style.dim(`  checksum ${checksum}`),
        ],
      };
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
