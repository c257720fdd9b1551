import type { Server } from "node:http";
import { firstStart } from "../accounts/first-start.ts";
import { noteConfiguration } from "../metering/configuration.ts";
import { type Catalogue, loadCatalogue, parseCatalogue } from "../metering/plans.ts";
import { openStore, readOnlyReason, type StoreOptions } from "../store/open.ts";
import { ReadOnly, type Store } from "../store/store.ts";
import { type Clock, systemClock } from "../system/clock.ts";
import { createLog, type Log } from "../system/log.ts";
import type { SendPublic } from "../system/network/public-request.ts";
import { OperationalError } from "../system/operational-error.ts";
import { createRandom } from "../system/random.ts";
import { loadModels } from "../tools/models/catalogue/catalogue.ts";
import { type App, createApp } from "./app.ts";
import { boundConnections } from "./bound-connections.ts";
import { addressIn } from "./check-options.ts";
import type { ControlPlane, ServerOptions } from "./control-plane.ts";
import { withUpstreams } from "./gateway/named-upstreams.ts";
import { addressOf, checkAddress, checkHost, listen, stop, warnOfWhatIsInFront } from "./listening.ts";
import { trustsEverybody } from "./pipeline/client-address.ts";
import type { Exchange } from "./pipeline/exchange.ts";
import { answerRequests, createHttpServer, TIMEOUTS, type Timeouts } from "./pipeline/http-server.ts";
import type { Telemetry } from "./telemetry/telemetry.ts";
import { registryOf } from "./tools/registry.ts";
import { waysIn } from "./ways-in.ts";

/** Options that only this package itself uses. */
export interface InternalOptions extends ServerOptions, Pick<StoreOptions, "directUrl"> {
  timeouts?: Partial<Timeouts>;
  /** A secret by which the user of this machine who runs the server can prove who they are; none by default. */
  localSecret?: string | undefined;
  /** Sends alerts to webhooks; by default, a request that refuses private networks. */
  sendToWebhooks?: SendPublic | undefined;
  /** Whether to build the OpenAPI document before it is first requested; true by default. */
  warmsUp?: boolean;
  /** Called after every answered request. */
  onAnswered?: ((exchange: Exchange, status: number) => void) | undefined;
}

export interface InternalControlPlane extends ControlPlane {
  readonly app: App;
  /** Bytes on the store's medium. */
  storeBytes(): Promise<number>;
}

/** Delay until the OpenAPI document is built. Built on demand, it would delay the requests of that moment. */
const WARM_UP_MS = 1_000;
const DEFAULT_DIRECTORY = "./toolplane-data";

export async function assembleServer(given: InternalOptions): Promise<InternalControlPlane> {
  const options = {
    ...given,
    baseUrl: withoutSlash(given.baseUrl),
    verificationUrl: withoutSlash(given.verificationUrl),
    trustProxy: given.trustProxy?.toString(),
  };
  const { clock = systemClock, owner = { email: "owner@localhost" } } = options;
  checkAddress("baseUrl or --base-url", options.baseUrl);
  checkAddress("verificationUrl or --verification-url", options.verificationUrl);
  checkEndpoint("otlpEndpoint or --otlp-endpoint", options.otlpEndpoint);
  checkEndpoint("telemetryEndpoint or OTEL_EXPORTER_OTLP_ENDPOINT", options.telemetryEndpoint);
  const { log = "warn" } = options;
  const ports = { clock, log: typeof log === "string" ? createLog(log) : log, random: createRandom(clock) };
  const catalogue = withUpstreams(catalogueOf(options.catalogue), options.upstreams);
  const models = loadModels(options.modelsFile);
  const ways = waysIn(options);
  const registry = registryOf(options.tools);
  const store = await storeOf(options.store, {
    ...ports,
    collections: registry.collections,
    directUrl: options.directUrl,
  });
  let url = options.baseUrl;
  let signInUrl: string | undefined;
  let warmUp: NodeJS.Timeout | undefined;
  let listening: Server | undefined;
  /** Why it may not begin to listen: a second server would be left open by `close`. */
  let cannotListen: string | undefined;
  let telemetry: Telemetry | undefined;

  const baseUrl = (): string => {
    if (url !== undefined) return url;
    throw new Error("Say createServer({ baseUrl }): what does not listen by itself cannot know its address.");
  };

  async function assemble(): Promise<App> {
    if (options.privateClients) {
      ports.log.warn(
        {},
        "OAuth client ids may be URLs of this machine and its networks: for development alone",
      );
    }
    if (options.privateWebhooks) {
      ports.log.warn({}, "webhooks may lead to this machine and its networks: for development alone");
    }
    if (options.baseUrl !== undefined && new URL(options.baseUrl).pathname !== "/") {
      ports.log.warn(
        { baseUrl: options.baseUrl },
        "under a path only the API works, since pages, sign-in and metadata lie at the root of a host: give this server a host name of its own, and a base URL without a path",
      );
    }
    if (trustsEverybody(options.trustProxy)) {
      ports.log.warn(
        { trustProxy: options.trustProxy },
        "everybody is believed about their address, so limits bind nobody: trust the proxies' own addresses, or their number",
      );
    }
    telemetry = await telemetryOf(options.telemetryEndpoint, ports);
    return createApp({
      ...ports,
      store,
      catalogue,
      models,
      registry,
      baseUrl,
      verificationUrl: () => options.verificationUrl ?? baseUrl(),
      ways,
      trustProxy: options.trustProxy,
      clientRegistration: options.clientRegistration ?? true,
      privateClients: options.privateClients ?? false,
      privateWebhooks: options.privateWebhooks,
      sendToWebhooks: options.sendToWebhooks,
      ownerKey: owner.apiKey,
      localSecret: options.localSecret,
      otlpEndpoint: options.otlpEndpoint,
      telemetry,
      checkOutputs: options.checkOutputs ?? false,
      onAnswered: options.onAnswered,
    });
  }

  async function start(): Promise<void> {
    const { audit, links, passwords } = app.services;
    const plans = catalogue.tiers;
    const { plan = "team" } = options;
    const why = await readOnlyReasonOf(options);
    if (why !== undefined) ports.log.warn({ why }, "the store is read only, until tool data writable");
    const started = await firstStart(
      { ...ports, store, audit, links, passwords, plans },
      { plan, owner },
    ).catch(rethrowWithRemedy);
    signInUrl = started.signInLink;
    // Where a volume is not mounted, or another directory is named, nothing else tells.
    if (started.isNew)
      ports.log.info({ owner: started.owner.email }, "the store was empty: this is the first start on it");
    // A read-only store leaves this to the next start, which compares with the configuration noted last.
    if (why === undefined) {
      await noteConfiguration(audit, catalogue);
      await app.services.signingKeys.prepare();
    }
    if (options.warmsUp ?? true) warmUp = setTimeout(app.openApi, WARM_UP_MS).unref();
  }

  async function release(): Promise<void> {
    await telemetry?.close();
    await store.close();
  }

  const app = await assemble().catch(async (error) => {
    await release();
    throw error;
  });
  if (url !== undefined) {
    await start().catch(async (error) => {
      await app.close();
      await release();
      throw error;
    });
  }

  return {
    app,
    get url() {
      return baseUrl();
    },
    get signInUrl() {
      return signInUrl;
    },
    openApi: app.openApi,
    storeBytes: () => store.sizeBytes(),
    handler(req, res, next) {
      // Without one it has not been started, and no answer could name it. Whoever mounted it finds out at once.
      baseUrl();
      app.handle(req, res, next);
    },
    async listen(given = {}) {
      const address = { host: "127.0.0.1", port: 4242, allowRemote: false, ...addressIn(given) };
      checkHost(address);
      if (cannotListen !== undefined) throw new Error(cannotListen);
      cannotListen = "This server listens already: createServer() makes another.";
      const hasConfiguredUrl = url !== undefined;
      const server = createHttpServer({ ...TIMEOUTS, ...options.timeouts }, clock);
      boundConnections(server, ports);
      const started = listen(server, address).then(async () => {
        listening = server;
        url ??= addressOf(server, address.host);
        warnOfWhatIsInFront(address, { url, trustProxy: options.trustProxy }, ports.log);
        if (!hasConfiguredUrl) await start();
        return { url };
      });
      answerRequests(server, app, clock, started);
      return started.catch((error) => {
        listening = undefined;
        cannotListen = undefined;
        server.close();
        throw error;
      });
    },
    async close() {
      cannotListen = "This server was closed: createServer() makes another.";
      clearTimeout(warmUp);
      app.endStreams();
      if (listening) await stop(listening, clock);
      // At the same time: what is in flight has taken most of the ten seconds that a stop may take.
      await Promise.all([app.close(), telemetry?.close()]);
      await store.close();
    },
  };
}

/** Paths are appended to it, and clients compare it character by character. */
function withoutSlash(address: string | undefined): string | undefined {
  return address?.replace(/\/+$/, "");
}

function catalogueOf(given: ServerOptions["catalogue"]): Catalogue {
  return typeof given === "object" ? parseCatalogue(given) : loadCatalogue(given);
}

async function storeOf(given: ServerOptions["store"], options: StoreOptions): Promise<Store> {
  if (given === undefined || typeof given === "string") return openStore(given ?? DEFAULT_DIRECTORY, options);
  if (typeof given !== "function") {
    throw new Error(
      "store takes a directory, a postgres:// URL or a function that opens a store: createServer({ store: (options) => openStore(where, options) }).",
    );
  }
  const store: Partial<Store> | undefined = await given(options);
  if (!store) throw new Error("The function that createServer() has as its store returns no store.");
  const missing = STORE_METHODS.filter((name) => typeof store[name] !== "function");
  if (missing.length === 0) return withOwnMethods(store as Store);
  throw new Error(`The store that createServer() was given lacks ${missing.join("(), ")}().`);
}

const STORE_METHODS = [
  "transact",
  "admit",
  "isOpen",
  "ping",
  "probe",
  "storageOf",
  "sizeBytes",
  "close",
] as const satisfies readonly (keyof Store)[];

async function readOnlyReasonOf({ store, directUrl }: InternalOptions): Promise<string | undefined> {
  if (typeof store === "function") return undefined;
  return readOnlyReason(directUrl ?? store ?? DEFAULT_DIRECTORY);
}

/** Adds the remedy to the error of a read-only store, whose message is written for clients of a running server. */
function rethrowWithRemedy(error: unknown): never {
  if (!(error instanceof ReadOnly)) throw error;
  throw new OperationalError(
    `the store is read only, and this start has something to write: ${error.message} ` +
      "`tool data writable` lets it be written.",
  );
}

/** Copies the methods of a store: wrappers spread it, which would lose those on a class's prototype. */
function withOwnMethods(store: Store): Store {
  return {
    transact: (work, as) => store.transact(work, as),
    admit: (windows) => store.admit(windows),
    opening: store.opening,
    isOpen: (opening) => store.isOpen(opening),
    ping: () => store.ping(),
    probe: () => store.probe(),
    storageOf: (account) => store.storageOf(account),
    sizeBytes: () => store.sizeBytes(),
    headroom: store.headroom,
    ...(store.connections && { connections: () => store.connections?.() ?? [] }),
    close: () => store.close(),
  };
}

function checkEndpoint(name: string, endpoint: string | undefined): void {
  if (endpoint === undefined || (URL.canParse(endpoint) && /^https?:/i.test(endpoint))) return;
  throw new Error(
    `${name} takes the URL of an OTLP receiver, as http://127.0.0.1:4318; "${endpoint}" is none.`,
  );
}

/** Starts the telemetry, whose modules are loaded only if an endpoint is configured. */
async function telemetryOf(
  endpoint: string | undefined,
  ports: { clock: Clock; log: Log },
): Promise<Telemetry | undefined> {
  if (endpoint === undefined) return undefined;
  const { startTelemetry } = await import("./telemetry/open-telemetry.ts");
  return startTelemetry(endpoint, ports);
}
