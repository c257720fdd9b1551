import type { Command } from "commander";
import { withSecretFiles } from "../../system/files/secret-files.ts";
import type { Log } from "../../system/log.ts";
import type { Context } from "../context.ts";
import { UsageError } from "../exit-codes.ts";
import { number } from "../ui/format.ts";
import { logStream } from "./log-stream.ts";
import { placeNamed, type StoreFlags, storeNamed } from "./where.ts";

/** Adds the options that name a server's store, as `tool serve` has them. */
export function storeOptions(command: Command): Command {
  return command
    .option("--data <directory>", "The directory of the server (default: your data directory)")
    .option("--database <url>", "A postgres:// URL instead; TOOL_DATABASE_URL keeps it out of process lists");
}

/** Returns the store that flags and the environment name, whose secrets may be in files. */
export function storeOf({ io }: Pick<Context, "io">, flags: StoreFlags): string {
  return storeNamed(flags, withSecretFiles(io.environment));
}

/** Returns the directory or database that `--from` or `--to` names. */
export function placeOf({ io }: Pick<Context, "io">, where: string): string {
  return placeNamed(where, withSecretFiles(io.environment));
}

/** Returns a spinner that shows the number of items so far. */
export function counted({ progress }: Pick<Context, "progress">, doing: string) {
  let items = 0;
  return {
    tell: (count: number): void => {
      items = count;
    },
    during: <T>(work: Promise<T>): Promise<T> =>
      progress.during(() => (items === 0 ? doing : `${doing} ${number(items)}`), work),
  };
}

/** Converts the error about a target that is not empty to a `UsageError`. */
export function intoEmpty<T>(work: Promise<T>, next: string): Promise<T> {
  return work.catch(async (error) => {
    const { TargetNotEmpty } = await import("../../store/copy.ts");
    if (!(error instanceof TargetNotEmpty)) throw error;
    throw new UsageError(error.message.replace(/ Copy into.*/, ""), next);
  });
}

/** Returns a log that prints warnings on stderr. */
export async function warnings({ io }: Pick<Context, "io">): Promise<Log> {
  const { createLog } = await import("../../system/log.ts");
  return createLog("warn", logStream(io));
}
