import { access } from "node:fs/promises";
import { type Define, examples, type Outcome } from "../command.ts";
import type { Context } from "../context.ts";
import { UsageError } from "../exit-codes.ts";
import { counted, intoEmpty, warnings } from "./store-work.ts";
import { isDatabase, withoutPassword } from "./where.ts";

interface CopyOptions {
  from: string;
  to: string;
}

export const define: Define = (command, run) => {
  command
    .command("copy")
    .description("Copy a store between a directory and PostgreSQL, as it is now, and compare the two.")
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

async function copy(context: Context, { from, to }: CopyOptions): Promise<Outcome> {
  const { io, clock } = context;
  if (from === to) throw new UsageError("--from and --to name the same store.", "Name two.");
  if (!isDatabase(from) && !(await exists(from))) {
    throw new UsageError(`There is no ${from}.`, "Name the directory that tool serve --data used.");
  }
  const [{ readStore }, { fillStore }, { registryOf }] = await Promise.all([
    import("../../store/open.ts"),
    import("../../store/fill.ts"),
    import("../../server/tools/registry.ts"),
  ]);
  const options = { clock, log: await warnings(context) };
  const progress = counted(context, "Copying");
  const copying = fillStore(to, readStore(from, options), {
    ...options,
    instant: clock.now(),
    collections: registryOf().collections,
    force: false,
    name: withoutPassword(to),
    onProgress: progress.tell,
  });
  const inventory = await progress.during(intoEmpty(copying, "Copy into an empty directory or database."));
  const { documents, counters, checksum } = inventory;
  const { style, symbols } = io.out;
  return {
    document: { from: withoutPassword(from), to: withoutPassword(to), ...inventory },
    lines: [
      `${style.green(symbols.done)} Copied ${documents} documents and ${counters} counters, and compared them.`,
      style.dim(`  checksum ${checksum}`),
    ],
  };
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
