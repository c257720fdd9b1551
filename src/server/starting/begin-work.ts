import { firstStart } from "../../accounts/first-start.ts";
import { noteConfiguration } from "../../metering/configuration.ts";
import type { Catalogue } from "../../metering/plans.ts";
import { ReadOnly, type Store } from "../../store/store.ts";
import type { Clock } from "../../system/clock.ts";
import type { Log } from "../../system/log.ts";
import { OperationalError } from "../../system/operational-error.ts";
import type { Random } from "../../system/random.ts";
import type { Services } from "../services.ts";

/**
 * Does what each start writes, once the server's address is known: the first account and its owner, what the plans file
 * changed, the keys that documents are signed with.
 *
 * @param readOnly why the store is read only, if it is
 * @returns a link that signs the owner in once; undefined if there is another way to sign in
 */
export async function beginWork(
  { audit, links, passwords, signingKeys }: Services,
  {
    store,
    catalogue,
    plan = "team",
    owner,
    readOnly,
    ...ports
  }: {
    store: Store;
    catalogue: Catalogue;
    plan?: string | undefined;
    owner: Parameters<typeof firstStart>[1]["owner"];
    readOnly: string | undefined;
    clock: Clock;
    log: Log;
    random: Random;
  },
): Promise<string | undefined> {
  if (readOnly !== undefined)
    ports.log.warn({ why: readOnly }, "the store is read only, until tool data writable");
  const started = await firstStart(
    { ...ports, store, audit, links, passwords, plans: catalogue.tiers },
    { plan, owner },
  ).catch(rethrowWithRemedy);
  // Where a volume is not mounted, or another directory is named, nothing else tells.
  if (started.isNew)
    ports.log.info({ owner: started.owner.email }, "the store was empty: this is the first start on it");
  // A read-only store leaves this to the next start, which compares with the configuration noted last.
  if (readOnly === undefined) {
    await noteConfiguration({ audit, clock: ports.clock }, catalogue);
    await signingKeys.prepare();
  }
  return started.signInLink;
}

/** Adds the remedy to the error of a read-only store, whose message is written for clients of a running server. */
function rethrowWithRemedy(error: unknown): never {
  if (!(error instanceof ReadOnly)) throw error;
  throw new OperationalError(
    `the store is read only, and this start has something to write: ${error.message} ` +
      "`tool data writable` lets it be written.",
  );
}
