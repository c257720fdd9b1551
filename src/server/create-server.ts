import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { firstStart } from "../accounts/first-start.ts";
import { type Catalogue, loadCatalogue, parseCatalogue } from "../metering/plans.ts";
import { openStore, type StoreOptions } from "../store/open.ts";
import type { Store } from "../store/store.ts";
import { type Clock, systemClock } from "../system/clock.ts";
import { createLog, type Log, type LogLevel } from "../system/log.ts";
import { createRandom } from "../system/random.ts";
import type { AnyTool, ToolPorts } from "../tools/define-tool.ts";
import { loadModels } from "../tools/models/catalogue.ts";
import { type App, createApp } from "./app.ts";
import { type Address, addressOf, checkHost, listen, stop } from "./listening.ts";
import type { Exchange } from "./pipeline/exchange.ts";
import { answerRequests, createHttpServer, TIMEOUTS, type Timeouts } from "./pipeline/http-server.ts";
import type { Next } from "./pipeline/kernel.ts";
import type { Telemetry } from "./telemetry/telemetry.ts";
import { registryOf } from "./tools/registry.ts";

export interface ServerOptions {
  /**
   * A directory for the JSON file store, a `postgres://` URL, or a function that opens a store of your own
   * and is told every collection that will be used; `./toolplane-data` unless said.
   */
  store?: string | ((options: StoreOptions) => Promise<Store>);
  /** Plans, gates, limits and OAuth clients: a catalogue, or the JSON file that holds one. */
  catalogue?: Catalogue | string;
  /** Tools beside the product's own. */
  tools?: readonly AnyTool<ToolPorts>[];
  /** Where people reach the server, without a trailing slash. What is mounted in another server needs it. */
  baseUrl?: string | undefined;
  /** Where a person enters a device code; the base URL unless said. */
  verificationUrl?: string | undefined;
  /** Of the account that the first start makes; `team` unless said. */
  plan?: string;
  /** Of that account; `owner@localhost` with a sign-in link unless said. */
  owner?: { email: string; password?: string; apiKey?: string };
  /** Whose forwarding headers name the client's address: a number of hops or CIDRs; nobody's unless said. */
  trustProxy?: string | undefined;
  /** Where the users' projects are told to send their OpenTelemetry data … */
  otlpEndpoint?: string | undefined;
  /** … and where the server sends its own. */
  telemetryEndpoint?: string | undefined;
  /** A pino logger or a level; `warn`, on stderr, unless said. */
  log?: Log | LogLevel;
  /** Fails answers that their declarations do not allow: for tests and development. */
  checkOutputs?: boolean;
  clock?: Clock;
  /** The JSON file of a catalogue of models instead of the built-in one. */
  modelsFile?: string | undefined;
}

/** What only the program itself asks for. */
export interface InternalOptions extends ServerOptions {
  timeouts?: Partial<Timeouts>;
  /** Hears of every answered request. */
  onAnswered?: ((exchange: Exchange, status: number) => void) | undefined;
}

export interface ControlPlane {
  /**
   * Answers a request of `node:http`, Express or whatever calls its middleware so. Pages and paths that
   * it does not know go to `next`, where there is one.
   */
  handler(req: IncomingMessage, res: ServerResponse, next?: Next): void;
  /** Listens by itself. Rejects with an `Error` for people where it cannot. */
  listen(address?: Partial<Address>): Promise<{ url: string }>;
  /** Where people reach it; throws while it neither listens nor was told. */
  readonly url: string;
  /** Signs the owner in once; only where there is no other way yet. */
  readonly signInUrl: string | undefined;
  /** The OpenAPI document. */
  openApi(): Record<string, unknown>;
  /** Stops accepting, finishes what is in flight, makes everything durable. Within 10 s. */
  close(): Promise<void>;
}

export interface InternalControlPlane extends ControlPlane {
  readonly app: App;
  /** Bytes on the store's medium. */
  storeBytes(): Promise<number>;
}

/** Then the OpenAPI document is made: whoever asked for it first would hold up everybody else. */
const WARM_UP_MS = 1_000;

/**
 * The whole control plane, to listen by itself or to be mounted in another server. Rejects with an `Error` for
 * people where what it was told does not fit together or the store cannot be opened.
 */
export function createServer(options: ServerOptions = {}): Promise<ControlPlane> {
  return assembleServer(options);
}

export async function assembleServer(options: InternalOptions): Promise<InternalControlPlane> {
  const { clock = systemClock, owner = { email: "owner@localhost" } } = options;
  checkEndpoint("otlpEndpoint", options.otlpEndpoint);
  checkEndpoint("telemetryEndpoint", options.telemetryEndpoint);
  const { log = "warn" } = options;
  const ports = { clock, log: typeof log === "string" ? createLog(log) : log, random: createRandom(clock) };
  const catalogue = catalogueOf(options.catalogue);
  const models = loadModels(options.modelsFile);
  const registry = registryOf(options.tools);
  const store = await storeOf(options.store, { ...ports, collections: registry.collections });
  let url = options.baseUrl;
  let signInUrl: string | undefined;
  let listening: Server | undefined;
  let telemetry: Telemetry | undefined;

  const baseUrl = (): string => {
    if (url !== undefined) return url;
    throw new Error("Say createServer({ baseUrl }): what does not listen by itself cannot know its address.");
  };

  async function assemble(): Promise<App> {
    telemetry = await telemetryOf(options.telemetryEndpoint, ports);
    return createApp({
      ...ports,
      store,
      catalogue,
      models,
      registry,
      baseUrl,
      verificationUrl: () => options.verificationUrl ?? baseUrl(),
      trustProxy: options.trustProxy,
      ownerKey: owner.apiKey,
      otlpEndpoint: options.otlpEndpoint,
      telemetry,
      checkOutputs: options.checkOutputs ?? false,
      onAnswered: options.onAnswered,
    });
  }

  async function start(): Promise<void> {
    const { links, passwords } = app.services;
    const plans = catalogue.tiers;
    const { plan = "team" } = options;
    const started = await firstStart({ ...ports, store, links, passwords, plans }, { plan, owner });
    signInUrl = started.signInLink;
    setTimeout(app.openApi, WARM_UP_MS).unref();
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
      app.handle(req, res, next);
    },
    async listen(given = {}) {
      const address = { host: "127.0.0.1", port: 4242, allowRemote: false, ...given };
      checkHost(address);
      const isTold = url !== undefined;
      const server = createHttpServer({ ...TIMEOUTS, ...options.timeouts }, clock);
      const started = listen(server, address).then(async () => {
        listening = server;
        url ??= addressOf(server, address.host);
        warnOfPlainHttp(address, url, ports.log);
        if (!isTold) await start();
        return { url };
      });
      answerRequests(server, app, started);
      return started.catch((error) => {
        server.close();
        throw error;
      });
    },
    async close() {
      app.endStreams();
      if (listening) await stop(listening, clock);
      await app.close();
      await release();
    },
  };
}

function catalogueOf(given: ServerOptions["catalogue"]): Catalogue {
  return typeof given === "object" ? parseCatalogue(given) : loadCatalogue(given);
}

function storeOf(given: ServerOptions["store"], options: StoreOptions): Promise<Store> {
  if (typeof given === "function") return given(options);
  return openStore(given ?? "./toolplane-data", options);
}

function checkEndpoint(name: string, endpoint: string | undefined): void {
  if (endpoint === undefined || (URL.canParse(endpoint) && /^https?:/i.test(endpoint))) return;
  throw new Error(
    `${name} takes the URL of an OTLP receiver, as http://127.0.0.1:4318; "${endpoint}" is none.`,
  );
}

/** Loaded only where it is asked for. */
async function telemetryOf(
  endpoint: string | undefined,
  ports: { clock: Clock; log: Log },
): Promise<Telemetry | undefined> {
  if (endpoint === undefined) return undefined;
  const { startTelemetry } = await import("./telemetry/open-telemetry.ts");
  return startTelemetry(endpoint, ports);
}

function warnOfPlainHttp({ allowRemote }: Address, url: string, log: Log): void {
  if (!allowRemote || url.startsWith("https://")) return;
  log.warn(
    { url },
    "tokens travel unencrypted: put TLS in front of this server and say --base-url https://…",
  );
}
