import { chmod, readdir, stat } from "node:fs/promises";
import type { Log } from "../../system/log.ts";

/** The names of what the store makes in its directory, and of what a volume of its own may hold besides. */
const OURS =
  /^(store\.json|journal(\.old)?\.jsonl|probe|read-only(\.asked)?|lock\.\d+|lock_draft.*|before-.*|.*\.unfinished|lost\+found)$/;

/**
 * Closes the store's directory to other users. One that holds other things, too, keeps its mode: `--data /tmp`, said by
 * root, would take it away from everybody else. What the store writes there is private all the same.
 */
export async function makePrivate(directory: string, log: Pick<Log, "warn">): Promise<void> {
  try {
    if (((await stat(directory)).mode & 0o077) === 0) return;
    const other = (await readdir(directory)).find((name) => !OURS.test(name));
    if (other === undefined) await chmod(directory, 0o700);
    else {
      log.warn(
        { directory, other },
        "other users can enter the data directory, and it was left so, since it holds other files, too: give the store one of its own",
      );
    }
  } catch (err) {
    log.warn({ err }, `${directory} could not be made private`);
  }
}
