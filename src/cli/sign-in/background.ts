import { queueDirectory } from "../../client/telemetry/telemetry-queue.ts";
import { runSender } from "../../client/telemetry/telemetry-sender.ts";
import type { Define } from "../command.ts";
import type { Context } from "../context.ts";
import { EXIT } from "../exit-codes.ts";
import { giveQueueToCurrent } from "./queue-of-account.ts";

/** Defines the command of the child process that accesses the secret store. */
export const defineKeyring: Define = (command, run) => {
  command.action(
    run(async () => {
      await (await import("../credentials/keyring-process.ts")).runKeyringProcess();
      return EXIT.done;
    }),
  );
};

export const defineSender: Define = (command, run) => {
  command.action(run(send));
};

export const defineLogin: Define = (command, run) => {
  command
    .requiredOption("--scope <scopes>")
    .action(
      run(async (context, { scope }: { scope: string }) =>
        (await import("./background-login.ts")).runBackgroundLogin(context, scope),
      ),
    );
};

async function send(context: Context): Promise<number> {
  const { client, clock, random, entitlements, settings, io } = context;
  await giveQueueToCurrent(context);
  await runSender({
    directory: queueDirectory(settings.directories.data, client.baseUrl),
    api: client,
    clock,
    random,
    entitlements,
    signal: io.interrupted,
  });
  return EXIT.done;
}
