import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { firstStart } from "../../src/accounts/first-start.ts";
import { loadCatalogue } from "../../src/metering/plans.ts";
import { createApp } from "../../src/server/app.ts";
import { answerRequests, createHttpServer, TIMEOUTS } from "../../src/server/pipeline/http-server.ts";
import { waysIn } from "../../src/server/starting/ways-in.ts";
import { registryOf } from "../../src/server/tools/registry.ts";
import { openJsonFileStore } from "../../src/store/json-file/json-file-store.ts";
import type { Store } from "../../src/store/store.ts";
import { systemClock } from "../../src/system/clock.ts";
import { createLog, type Log } from "../../src/system/log.ts";
import { createRandom } from "../../src/system/random.ts";
import { loadModels } from "../../src/tools/models/catalogue/catalogue.ts";
import { faultyFiles } from "../store/json-file/faulty-files.ts";
import { OWNER_KEY } from "../support/app.ts";
import { openTestStore, temporaryDirectory } from "../support/store.ts";

export interface FailingApp {
  url: string;
  signInUrl: string;
  /** Makes store operations fail with the error that `fault` returns, if any. Undefined ends the faults. */
  failWith(fault: (() => Error | undefined) | undefined): void;
}

/** Starts the whole app on a new store that can be made to fail. */
export async function startOnFailingStore(log?: Log): Promise<FailingApp> {
  const store = await openTestStore({ clock: systemClock, collections: registryOf().collections });
  let fault: (() => Error | undefined) | undefined;
  const failing = <A extends unknown[], R>(work: (...args: A) => Promise<R>) => {
    return async (...args: A): Promise<R> => {
      const error = fault?.();
      if (error) throw error;
      return work(...args);
    };
  };
  const app = await startOnStore(
    {
      ...store,
      transact: failing(store.transact) as Store["transact"],
      admit: failing(store.admit),
      isOpen: failing(store.isOpen),
      ping: failing(store.ping),
      probe: failing(store.probe),
      storageOf: failing(store.storageOf),
      sizeBytes: failing(store.sizeBytes),
    },
    { log },
  );
  return {
    ...app,
    failWith(next) {
      fault = next;
    },
  };
}

/** Starts the whole app on a directory whose disk faults the test controls. */
export async function startOnFaultyDisk() {
  const files = faultyFiles();
  const store = await openJsonFileStore(temporaryDirectory(), {
    clock: systemClock,
    log: createLog("silent"),
    openFile: files.open,
  });
  return { files, store, app: await startOnStore(store) };
}

/** Starts the whole app on a store of the caller's. */
export async function startOnStore(
  store: Store,
  { log = createLog("silent"), checkOutputs = false }: { log?: Log | undefined; checkOutputs?: boolean } = {},
): Promise<{ url: string; signInUrl: string; close(): Promise<void> }> {
  const clock = systemClock;
  const random = createRandom(clock);
  const catalogue = loadCatalogue();
  const server = createHttpServer(TIMEOUTS, clock);
  await once(server.listen(0, "127.0.0.1"), "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const app = await createApp({
    store,
    catalogue,
    models: loadModels(),
    registry: registryOf(),
    clock,
    random,
    log,
    baseUrl: () => url,
    verificationUrl: () => url,
    ways: waysIn({}),
    clientRegistration: true,
    privateClients: false,
    ownerKey: OWNER_KEY,
    checkOutputs,
  });
  answerRequests(server, app, clock, Promise.resolve());
  const close = async () => {
    server.close().closeAllConnections();
    await app.close();
  };
  onTestFinished(close);
  const { audit, links, passwords } = app.services;
  const owner = { email: "owner@localhost" };
  const ports = { store, audit, clock, random, links, passwords, plans: catalogue.tiers };
  const { signInLink = "" } = await firstStart(ports, { plan: "enterprise", owner });
  return { url, signInUrl: signInLink, close };
}
