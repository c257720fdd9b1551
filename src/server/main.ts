import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { firstStart } from "../accounts/first-start.ts";
import { loadCatalogue } from "../metering/plans.ts";
import { openStore } from "../store/open.ts";
import { type Clock, systemClock } from "../system/clock.ts";
import type { ServerConfig } from "../system/config.ts";
import { createLog, type Log } from "../system/log.ts";
import { createRandom } from "../system/random.ts";
import { loadModels } from "../tools/models/catalogue.ts";
import { type App, createApp } from "./app.ts";
import { collections } from "./collections.ts";
import type { Exchange } from "./exchange.ts";
import { answerRequests, createHttpServer, TIMEOUTS, type Timeouts } from "./http-server.ts";
import type { Telemetry } from "./telemetry.ts";

export interface RunningServer {
  /** The base URL that links bear. */
  url: string;
  /** Signs the owner in once; only where there is no other way yet. */
  signInUrl?: string;
  app: App;
  /** Bytes on the store's medium. */
  storeBytes(): Promise<number>;
  /** Devices that wait for somebody to decide on their sign-in. */
  devicesWaiting(): Promise<number>;
  /** Stops accepting, finishes what is in flight, makes everything durable. Within 10 s. */
  close(): Promise<void>;
}

export interface ServerOptions {
  config: ServerConfig;
  clock?: Clock;
  log?: Log;
  checkOutputs?: boolean;
  timeouts?: Partial<Timeouts>;
  /** Hears of every answered request. */
  onAnswered?: (exchange: Exchange, status: number) => void;
}

/** What is written and sent after it takes two seconds at most. */
const GRACE_MS = 7_500;

/** Starts the control plane. Rejects with an Error for people where it cannot. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { config, clock = systemClock } = options;
  checkHost(config);
  checkEndpoint("--otlp-endpoint", config.otlpEndpoint);
  checkEndpoint("OTEL_EXPORTER_OTLP_ENDPOINT", config.telemetryEndpoint);
  const log = options.log ?? createLog(config.logLevel);
  const random = createRandom(clock);
  const catalogue = loadCatalogue(config.plansFile);
  const models = loadModels(config.modelsFile);
  const store = await openStore(config.databaseUrl ?? config.dataDirectory, { collections, clock, log });
  const server = createHttpServer({ ...TIMEOUTS, ...options.timeouts }, clock);
  let telemetry: Telemetry | undefined;
  try {
    telemetry = await telemetryOf(config, { clock, log });
    await listen(server, config);
    const url = config.baseUrl ?? addressOf(server, config.host);
    warnOfPlainHttp(config, url, log);
    const app = createApp({
      store,
      catalogue,
      models,
      clock,
      random,
      log,
      baseUrl: () => url,
      verificationUrl: () => config.verificationUrl ?? url,
      trustProxy: config.trustProxy,
      ownerKey: config.owner.apiKey,
      otlpEndpoint: config.otlpEndpoint,
      telemetry,
      checkOutputs: options.checkOutputs ?? false,
      onAnswered: options.onAnswered,
    });
    // It takes a tenth of a second, for which everybody would wait once there is somebody.
    app.openApi();
    const { devices, links } = app.services;
    const ports = { store, clock, random, links, plans: catalogue.tiers };
    // Nothing may be awaited between listening and this, or whoever comes then is never answered.
    const starting = firstStart(ports, { plan: config.plan, owner: config.owner });
    answerRequests(
      server,
      app,
      starting.then(() => {}),
      log,
    );
    const { signInLink } = await starting;
    return {
      url,
      ...(signInLink !== undefined && { signInUrl: signInLink }),
      app,
      storeBytes: () => store.sizeBytes(),
      devicesWaiting: devices.waiting,
      async close() {
        app.endStreams();
        await stop(server, clock);
        await Promise.all([app.close(), telemetry?.close()]);
        await store.close();
      },
    };
  } catch (error) {
    server.close();
    await Promise.all([store.close(), telemetry?.close()]);
    throw error;
  }
}

function checkHost({ host, allowRemote }: ServerConfig): void {
  if (allowRemote || host === "localhost" || host === "::1" || /^127\./.test(host)) return;
  throw new Error(
    `Listening on ${host} would let other machines in. Add --allow-remote if that is meant, with TLS in front and --base-url https://…`,
  );
}

function checkEndpoint(name: string, endpoint: string | undefined): void {
  if (endpoint === undefined || (URL.canParse(endpoint) && /^https?:/i.test(endpoint))) return;
  throw new Error(
    `${name} takes the URL of an OTLP receiver, as http://127.0.0.1:4318; "${endpoint}" is none.`,
  );
}

/** Loaded only where it is asked for. */
async function telemetryOf(
  { telemetryEndpoint }: ServerConfig,
  ports: { clock: Clock; log: Log },
): Promise<Telemetry | undefined> {
  if (telemetryEndpoint === undefined) return undefined;
  const { startTelemetry } = await import("./open-telemetry.ts");
  return startTelemetry(telemetryEndpoint, ports);
}

function warnOfPlainHttp({ allowRemote }: ServerConfig, url: string, log: Log): void {
  if (!allowRemote || url.startsWith("https://")) return;
  log.warn(
    { url },
    "tokens travel unencrypted: put TLS in front of this server and say --base-url https://…",
  );
}

function listen(server: Server, { host, port }: ServerConfig): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) =>
      reject(
        error.code === "EADDRINUSE"
          ? new Error(`Port ${port} on ${host} is taken. Stop what uses it, or choose another with --port.`)
          : error,
      ),
    );
    server.listen(port, host, () => resolve());
  });
}

function addressOf(server: Server, host: string): string {
  const { port } = server.address() as AddressInfo;
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}

/** In-flight requests get their answer; connections that do not end by then are cut. */
async function stop(server: Server, clock: Clock): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  // Those that become idle from now on close, too.
  server.keepAliveTimeout = 1;
  const over = new AbortController();
  const late = clock.sleep(GRACE_MS, over.signal).then(
    () => server.closeAllConnections(),
    () => {},
  );
  await closed;
  over.abort();
  await late;
}
