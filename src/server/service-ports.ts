import type { Outcome } from "../alerts/attempt.ts";
import type { CircuitState } from "../gateway/upstreams/circuit.ts";
import type { LetterOutcome } from "../mail/post.ts";
import type { BoundsPorts } from "../metering/bounds-report.ts";
import type { Catalogue } from "../metering/plans.ts";
import type { Resource } from "../oauth/resources.ts";
import type { Store } from "../store/store.ts";
import type { Clock } from "../system/clock.ts";
import type { Log } from "../system/log.ts";
import type { SendPublic } from "../system/network/public-request.ts";
import type { Random } from "../system/random.ts";
import type { Catalogue as Models } from "../tools/models/catalogue/catalogue.ts";
import type { Registry } from "./tools/registry.ts";
import type { WaysIn } from "./ways-in.ts";

/** What the services are made of. */
export interface ServicePorts extends Pick<BoundsPorts, "openStreams"> {
  /** Keeps the answers of idempotent requests with what they write. */
  store: Store;
  /** The same for what people can make grow: keeps accounts within their bounds. */
  bounded: Store;
  /** Beneath it. */
  boundedPlain: Store;
  /** For what strangers write into an account. */
  boundedForStrangers: Store;
  /** Beneath it: for what a request does beside its own effect. */
  plainStore: Store;
  clock: Clock;
  log: Log;
  random: Random;
  catalogue: Catalogue;
  models: Models;
  ownerKey?: string | undefined;
  localSecret?: string | undefined;
  /** What tokens can be issued for. */
  resources: readonly Resource[];
  /** How people may come in. */
  ways: WaysIn;
  /** Whether OAuth clients may register themselves. */
  clientRegistration: boolean;
  /** For development: OAuth clients whose ids are URLs of this machine and its networks. */
  privateClients: boolean;
  /** For development: webhooks to this machine and its networks. */
  privateWebhooks?: boolean | undefined;
  /** Takes alerts to webhooks; stays out of private networks unless said. */
  sendToWebhooks?: SendPublic | undefined;
  baseUrl: () => string;
  verificationUrl: () => string;
  otlpEndpoint?: string | undefined;
  registry: Registry;
  /** Hears of each entry of the audit log … */
  onAudited: (entry: { action: string; outcome: string }) => void;
  /** … and of each use that was counted. */
  onCounted: (type: string, count: number) => void;
  /** What became of an attempt to send a letter, … */
  onLetter: (outcome: LetterOutcome) => void;
  /** … and one to tell a webhook. */
  onWebhookAttempt: (outcome: Outcome) => void;
  /** Whether an MCP server behind this one is reached. */
  upstreamState: (upstream: string) => CircuitState;
}
