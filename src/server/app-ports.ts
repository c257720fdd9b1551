import type { Catalogue } from "../metering/plans.ts";
import type { Store } from "../store/store.ts";
import type { Clock } from "../system/clock.ts";
import type { Log } from "../system/log.ts";
import type { Random } from "../system/random.ts";
import type { Catalogue as Models } from "../tools/models/catalogue/catalogue.ts";
import type { Exchange } from "./pipeline/exchange.ts";
import type { ServicePorts } from "./service-ports.ts";
import type { Telemetry } from "./telemetry/telemetry.ts";
import type { Registry } from "./tools/registry.ts";
import type { WaysIn } from "./ways-in.ts";

/** What a server is made of. */
export interface AppPorts
  extends Pick<ServicePorts, "clientRegistration" | "privateClients" | "privateWebhooks" | "sendToWebhooks"> {
  store: Store;
  catalogue: Catalogue;
  models: Models;
  registry: Registry;
  clock: Clock;
  random: Random;
  log: Log;
  /** Without a trailing slash; asked for at each use, since a server on port 0 learns it late. */
  baseUrl: () => string;
  verificationUrl: () => string;
  /** How people may come in. */
  ways: WaysIn;
  trustProxy?: string | undefined;
  /** TOOL_OWNER_API_KEY. */
  ownerKey?: string | undefined;
  /** What its user on this machine can prove to know. */
  localSecret?: string | undefined;
  /** Where the telemetry of the users' projects goes. */
  otlpEndpoint?: string | undefined;
  /** Traces and measures the server itself. */
  telemetry?: Telemetry | undefined;
  /** Holds every answer against its declared schema. */
  checkOutputs?: boolean;
  /** Hears of every answered request. */
  onAnswered?: ((exchange: Exchange, status: number) => void) | undefined;
}
