import { stat } from "node:fs/promises";
import { iso } from "../../system/clock.ts";
import { type Define, examples, type Outcome } from "../command.ts";
import type { Context } from "../context.ts";
import { EXIT } from "../exit-codes.ts";
import { byteSize } from "../ui/format.ts";
import { VERSION } from "../version.ts";
import { examined, writeTo } from "./backup-file.ts";
import { counted, storeOf, storeOptions, warnings } from "./store-work.ts";
import { type StoreFlags, withoutPassword } from "./where.ts";

export const define: Define = (command, run) => {
  command
    .description("Write everything that a server keeps into one file, or look at such a file.")
    .addHelpText("after", "\ntool backup [file] is short for tool backup create [file].");
  storeOptions(
    command
      .command("create", { isDefault: true })
      .description(
        "Write what a server keeps, running or not, as of one instant, with everything acknowledged before. Nobody can sign in with it, but it holds the key that signs entitlements, the secrets of webhooks, and whatever people stored.",
      )
      .argument("[file]", 'Where to; "-" for stdout; a name with the time in it unless given'),
  )
    .addHelpText(
      "after",
      examples(
        "tool backup --data /var/lib/toolplane",
        "tool backup /backup/$(date +%F).backup --database postgres://toolplane@db/toolplane",
        "tool backup - | ssh backup.example.com 'cat > toolplane.backup'",
        "tool backup verify toolplane.backup",
      ),
    )
    .action(run(backup));
  command
    .command("verify")
    .description("Read a backup to its end, and say what it holds and whether it is whole.")
    .argument("<file>", 'The backup; "-" for stdin')
    .addHelpText("after", examples("tool backup verify toolplane.backup"))
    .action(run(verify));
};

async function backup(
  context: Context,
  given: string | undefined,
  flags: StoreFlags,
): Promise<Outcome | number> {
  const { io, clock } = context;
  const where = storeOf(context, flags);
  const at = iso(clock.now());
  const file = given ?? `toolplane-${at.replaceAll(":", "-").replace(/\.\d+/, "")}.backup`;
  const [{ readStore }, { writeBackup }] = await Promise.all([
    import("../../store/open.ts"),
    import("../../store/backup/write-backup.ts"),
  ]);
  const items = readStore(where, { clock, log: await warnings(context) });
  const progress = counted(context, "Reading");
  let written = { documents: 0, counters: 0, checksum: "" };
  await progress.during(
    writeTo(file, io, async (to) => {
      written = await writeBackup(items, to, { version: VERSION, at, onProgress: progress.tell });
    }),
  );
  if (file === "-") {
    context.progress.note(`Wrote ${written.documents} documents and ${written.counters} counters.`);
    return EXIT.done;
  }
  const { inventory } = await examined(context, file);
  const { size } = await stat(file);
  const { style, marks } = io.out;
  return {
    document: { file, from: withoutPassword(where), at, bytes: size, ...inventory },
    lines: [
      `${marks.done} ${file}: ${inventory.documents} documents and ${inventory.counters} counters, ${byteSize(size)}, read again and compared.`,
      style.dim(`  checksum ${inventory.checksum}`),
    ],
    isRecorded: false,
  };
}

async function verify(context: Context, file: string): Promise<Outcome> {
  const { heading, inventory } = await examined(context, file);
  const { style, marks } = context.io.out;
  return {
    document: { file, at: heading.at, version: heading.version, ...inventory },
    lines: [
      `${marks.done} Whole: ${inventory.documents} documents and ${inventory.counters} counters of ${heading.at}, by version ${heading.version}.`,
      style.dim(`  checksum ${inventory.checksum}`),
    ],
    isRecorded: false,
  };
}
