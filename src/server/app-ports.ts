import type { Catalogue } from "../metering/plans.ts";
import type { Store } from "../store/store.ts";
import type { Clock } from "../system/clock.ts";
import type { Log } from "../system/log.ts";
import type { SendPublic } from "../system/network/public-request.ts";
import type { Random } from "../system/random.ts";
import type { Catalogue as Models } from "../tools/models/catalogue/catalogue.ts";
import type { Exchange } from "./pipeline/exchange.ts";
import type { WaysIn } from "./starting/ways-in.ts";
import type { Telemetry } from "./telemetry/telemetry.ts";
import type { Registry } from "./tools/registry.ts";

/** The dependencies and settings of the app. */
export interface AppPorts {
  store: Store;
  catalogue: Catalogue;
  models: Models;
  registry: Registry;
  clock: Clock;
  random: Random;
  log: Log;
  /** Returns the base URL without a trailing slash. Called at each use: a server on port 0 learns its address late. */
  baseUrl: () => string;
  verificationUrl: () => string;
  /** How people may sign in. */
  ways: WaysIn;
  trustProxy?: string | undefined;
  /** Whether OAuth clients may register themselves. */
  clientRegistration: boolean;
  /** For development: allows OAuth clients whose ids are URLs of this machine and its networks. */
  privateClients: boolean;
  /** For development: allows webhooks to this machine and its networks. */
  privateWebhooks?: boolean | undefined;
  /** Sends alerts to webhooks; by default, refuses private networks. */
  sendToWebhooks?: SendPublic | undefined;
  /** TOOL_OWNER_API_KEY. */
  ownerKey?: string | undefined;
  /** A secret by which the user of this machine who runs the server can prove who they are. */
  localSecret?: string | undefined;
  /** Where the users' projects send their telemetry. */
  otlpEndpoint?: string | undefined;
  /** Traces and measures the server itself. */
  telemetry?: Telemetry | undefined;
  /** Whether to check every answer against its declared schema. */
  checkOutputs?: boolean;
  /** Called after every answered request. */
  onAnswered?: ((exchange: Exchange, status: number) => void) | undefined;
}
