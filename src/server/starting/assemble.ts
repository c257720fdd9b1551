import type { Server } from "node:http";
import { type Catalogue, loadCatalogue, parseCatalogue } from "../../metering/plans.ts";
import type { StoreOptions } from "../../store/open.ts";
import { type Clock, systemClock } from "../../system/clock.ts";
import { createLog, type Log } from "../../system/log.ts";
import type { SendPublic } from "../../system/network/public-request.ts";
import { createRandom } from "../../system/random.ts";
import { loadModels } from "../../tools/models/catalogue/catalogue.ts";
import { type App, createApp } from "../app.ts";
import type { ControlPlane, ServerOptions } from "../control-plane.ts";
import { withUpstreams } from "../gateway/named-upstreams.ts";
import type { Exchange } from "../pipeline/exchange.ts";
import { answerRequests, createHttpServer, TIMEOUTS, type Timeouts } from "../pipeline/http-server.ts";
import type { Telemetry } from "../telemetry/telemetry.ts";
import { registryOf } from "../tools/registry.ts";
import { checkAddress, checkReceiver, withoutSlash } from "./addresses.ts";
import { beginWork } from "./begin-work.ts";
import { boundConnections } from "./bound-connections.ts";
import { addressIn } from "./check-options.ts";
import { openGivenStore, whyReadOnly } from "./given-store.ts";
import { addressOf, checkHost, listen, stop } from "./listening.ts";
import { warnOfSettings, warnOfWhatIsInFront } from "./warnings.ts";
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

export async function assembleServer(given: InternalOptions): Promise<InternalControlPlane> {
  const options = checked(given);
  const { owner = { email: "owner@localhost" }, trustProxy, log = "warn", clock = systemClock } = options;
  const ports = { clock, log: typeof log === "string" ? createLog(log) : log, random: createRandom(clock) };
  const catalogue = withUpstreams(catalogueOf(options.catalogue), options.upstreams);
  const models = loadModels(options.modelsFile);
  const ways = waysIn(options);
  const registry = registryOf(options.tools);
  const store = await openGivenStore(options.store, {
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
    warnOfSettings(options, ports.log);
    telemetry = await telemetryOf(options.telemetryEndpoint, ports);
    const { privateWebhooks, sendToWebhooks, localSecret, otlpEndpoint, checkOutputs, onAnswered } = options;
    return createApp({
      ...{ ...ports, store, catalogue, models, registry, baseUrl, ways, trustProxy, telemetry },
      ...{ privateWebhooks, sendToWebhooks, localSecret, otlpEndpoint, checkOutputs, onAnswered },
      verificationUrl: () => options.verificationUrl ?? baseUrl(),
      clientRegistration: options.clientRegistration ?? true,
      privateClients: options.privateClients ?? false,
      ownerKey: owner.apiKey,
    });
  }

  async function start(): Promise<void> {
    const readOnly = await whyReadOnly(options.store, options);
    const { plan } = options;
    signInUrl = await beginWork(app.services, { ...ports, store, catalogue, plan, owner, readOnly });
    if (options.warmsUp ?? true) warmUp = setTimeout(app.openApi, WARM_UP_MS).unref();
  }

  async function close(): Promise<void> {
    cannotListen = "This server was closed: createServer() makes another.";
    clearTimeout(warmUp);
    app.endStreams();
    if (listening) await stop(listening, clock);
    // At the same time: what is in flight has taken most of the ten seconds that a stop may take.
    await Promise.all([app.close(), telemetry?.close()]);
    await store.close();
  }

  const app = await assemble().catch(async (error) => {
    await telemetry?.close();
    await store.close();
    throw error;
  });
  if (url !== undefined) {
    await start().catch(async (error) => {
      await close();
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
        warnOfWhatIsInFront({ ...address, url, trustProxy }, ports.log);
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
    close,
  };
}

/** Returns the options with addresses without a slash at the end. Throws an `Error` that names the one that is no address. */
function checked(given: InternalOptions) {
  const options = {
    ...given,
    baseUrl: withoutSlash(given.baseUrl),
    verificationUrl: withoutSlash(given.verificationUrl),
    trustProxy: given.trustProxy?.toString(),
  };
  checkAddress("baseUrl or --base-url", options.baseUrl);
  checkAddress("verificationUrl or --verification-url", options.verificationUrl);
  checkReceiver("otlpEndpoint or --otlp-endpoint", options.otlpEndpoint);
  checkReceiver("telemetryEndpoint or OTEL_EXPORTER_OTLP_ENDPOINT", options.telemetryEndpoint);
  return options;
}

function catalogueOf(given: ServerOptions["catalogue"]): Catalogue {
  return typeof given === "object" ? parseCatalogue(given) : loadCatalogue(given);
}

/** Starts the telemetry, whose modules are loaded only if an endpoint is configured. */
async function telemetryOf(
  endpoint: string | undefined,
  ports: { clock: Clock; log: Log },
): Promise<Telemetry | undefined> {
  if (endpoint === undefined) return undefined;
  const { startTelemetry } = await import("../telemetry/open-telemetry.ts");
  return startTelemetry(endpoint, ports);
}
