import { existsSync } from "node:fs";
import { resolve, sep } from "node:path";
import { OperationalError } from "../../system/operational-error.ts";
import { type Define, examples, type Outcome } from "../command.ts";
import type { Context } from "../context.ts";
import { UsageError } from "../exit-codes.ts";
import { unlessInterrupted } from "../terminal/interruption.ts";
import { counted, intoEmpty, placeOf, storeOf, storeOptions, warnings } from "./store-work.ts";
import { isDatabase, type StoreFlags, withoutPassword } from "./where.ts";

const INTO_EMPTY = "Copy into an empty directory or database.";

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
    .action(run((context, options: CopyOptions) => unlessInterrupted(context.io, copy(context, options))));
  storeOptions(
    command
      .command("move")
      .description(
        "Copy the store of a running server, which stops writing; then start the server on the new store. Whoever writes meanwhile gets a 503 and tries again.",
      )
      .requiredOption("--to <directory|url>", "The store to fill, which must be empty"),
  )
    .addHelpText(
      "after",
      examples(
        "tool data move --data /var/lib/toolplane --to postgres://toolplane@localhost/toolplane",
        "tool data move --database postgres://toolplane@localhost/toolplane --to /var/lib/toolplane",
      ),
    )
    .action(run(move));
  storeOptions(
    command
      .command("read-only")
      .description("Stop the servers on a store from writing, for maintenance; reading goes on.")
      .option("--reason <text>", "What writers are told", "maintenance; try again soon."),
  )
    .addHelpText(
      "after",
      examples('tool data read-only --data /var/lib/toolplane --reason "back at noon (UTC)."'),
    )
    .action(run(readOnly));
  storeOptions(command.command("writable").description("Let the servers on a store write again."))
    .addHelpText("after", examples("tool data writable --data /var/lib/toolplane"))
    .action(run(writable));
};

async function move(
  context: Context,
  { to: named, ...flags }: StoreFlags & { to: string },
): Promise<Outcome> {
  const from = storeOf(context, flags);
  const to = placeOf(context, named);
  apart(from, to, "The server is on this store already.");
  const [{ makeReadOnly }, { stopWriting }] = await Promise.all([
    import("../../store/open.ts"),
    import("../../store/stopped-writing.ts"),
  ]);
  const [source, target] = [withoutPassword(from), withoutPassword(to)];
  await free(context, to);
  // Clients whose writes are refused see this text, so it names no host and no path.
  const kind = isDatabase(to) ? "PostgreSQL" : "a directory";
  const stopped = await stopWriting(from, `it is being moved to ${kind}.`, context.clock);
  try {
    await context.progress.during("Waiting for the server", unlessInterrupted(context.io, stopped.done));
    const moved = await unlessInterrupted(context.io, copy(context, { from, to }));
    if (!(await stopped.stands())) {
      throw new OperationalError(
        `Another command has said meanwhile whether ${source} is written to: ${target} may lack what was written since.`,
      );
    }
    await makeReadOnly(from, `it was moved to ${kind}.`, context.clock);
    const next = isDatabase(to) ? "TOOL_DATABASE_URL" : "--data, without TOOL_DATABASE_URL";
    const undo = "tool data writable goes back to the old store.";
    return { ...moved, lines: [...(moved.lines ?? []), `Start the server on it now (${next}); ${undo}`] };
  } catch (error) {
    const left = await stopped.takeBack();
    if (left !== undefined) context.progress.note(`${source} ${left}`);
    throw error;
  }
}

/** Throws `UsageError` if the target of a move holds data, before anybody is kept from writing. */
async function free(context: Context, to: string): Promise<void> {
  const { assertFree } = await import("../../store/fill.ts");
  const options = { name: withoutPassword(to), clock: context.clock, log: await warnings(context) };
  const looking = intoEmpty(assertFree(to, options), INTO_EMPTY);
  await context.progress.during("Looking at the target", unlessInterrupted(context.io, looking));
}

/** Throws `UsageError` if `to` is `from` or inside it. `from` may be inside `to`, as a store that was set aside is. */
function apart(from: string, to: string, isSame: string): void {
  const next = "Name another with --to.";
  if (from === to) throw new UsageError(isSame, next);
  if (isDatabase(from) || isDatabase(to)) return;
  const [source, target] = [from, to].map((where) => resolve(where) + sep) as [string, string];
  if (source === target) throw new UsageError(isSame, next);
  if (target.startsWith(source))
    throw new UsageError(`${to} lies in ${from}, which has files of its own.`, next);
}

async function readOnly(context: Context, flags: StoreFlags & { reason: string }): Promise<Outcome> {
  const where = storeOf(context, flags);
  const { stopWriting } = await import("../../store/stopped-writing.ts");
  const stopped = await stopWriting(where, flags.reason, context.clock);
  try {
    await unlessInterrupted(context.io, stopped.done);
  } catch (error) {
    await stopped.takeBack();
    throw error;
  }
  return said(context, where, "is read only, until tool data writable.", false);
}

async function writable(context: Context, flags: StoreFlags): Promise<Outcome> {
  const where = storeOf(context, flags);
  const { makeWritable } = await import("../../store/open.ts");
  await makeWritable(where);
  return said(context, where, "is written to again.", true);
}

function said({ io }: Context, where: string, what: string, isWritable: boolean): Outcome {
  const store = withoutPassword(where);
  return {
    document: { store, writable: isWritable },
    lines: [`${io.out.marks.done} ${store} ${what}`],
    isRecorded: false,
  };
}

async function copy(context: Context, named: CopyOptions): Promise<Outcome> {
  const { io, clock } = context;
  const [from, to] = [placeOf(context, named.from), placeOf(context, named.to)];
  apart(from, to, "--from and --to name the same store.");
  if (!isDatabase(from) && !existsSync(from)) {
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
  const inventory = await progress.during(intoEmpty(copying, INTO_EMPTY));
  const { documents, counters, checksum } = inventory;
  const { style, marks } = io.out;
  return {
    document: { from: withoutPassword(from), to: withoutPassword(to), ...inventory },
    lines: [
      `${marks.done} Copied ${documents} documents and ${counters} counters, and compared them.`,
      style.dim(`  checksum ${checksum}`),
    ],
  };
}
