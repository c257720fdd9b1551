import { ownerIn } from "../../client/telemetry/aside.ts";
import { giveQueueTo } from "../../client/telemetry/queue-owner.ts";
import { queueDirectory } from "../../client/telemetry/telemetry-queue.ts";
import type { Context } from "../context.ts";
import { signIns } from "../credentials/records.ts";
import { count } from "../ui/format.ts";

/**
 * Enters an account of a server, whose queue is then its own; none to sign out. Returns a line about the events that wait
 * for the account before.
 */
export async function enterWithQueue(
  { settings, clock, random }: Context,
  {
    baseUrl,
    account,
    before,
  }: { baseUrl: string; account: { id: string } | undefined; before: { id: string } | undefined },
  enter: () => Promise<unknown>,
): Promise<string[]> {
  const directory = queueDirectory(settings.directories.data, baseUrl);
  const waiting = await giveQueueTo(account?.id, { directory, before: before?.id, clock, random }, enter);
  if (waiting === 0) return [];
  return [`  ${count(waiting, "event")} of the account before will be sent once you are in it again.`];
}

/** Gives the queue to the current account, where a process that entered it was killed before it could do that. */
export async function giveQueueToCurrent({ settings, client, credentials, clock, random }: Context) {
  if (credentials.fixed) return;
  const { data } = settings.directories;
  const now = signIns(data).find(
    ({ baseUrl, current, ended }) => current && !ended && baseUrl === client.baseUrl,
  );
  const directory = queueDirectory(data, client.baseUrl);
  if (!now?.account || [undefined, now.account.id].includes(ownerIn(directory))) return;
  await giveQueueTo(now.account.id, { directory, clock, random });
}
