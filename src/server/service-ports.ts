import type { Outcome } from "../alerts/attempt.ts";
import type { UpstreamHealth } from "../gateway/upstream-health.ts";
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

/** The dependencies of the services. */
export interface ServicePorts extends Pick<BoundsPorts, "openStreams"> {
  /** Keeps the answers of idempotent requests together with their writes. */
  store: Store;
  /** Like `store`, and keeps accounts within their bounds: for whatever users can make grow. */
  boundedStore: Store;
  /** Like `boundedStore`, without the answers of idempotent requests. */
  boundedPlainStore: Store;
  /** Like `boundedPlainStore`, for strangers' writes into an account. */
  anonymousStore: Store;
  /** The store itself, for writes besides the effect of a request. */
  plainStore: Store;
  clock: Clock;
  log: Log;
  random: Random;
  catalogue: Catalogue;
  models: Models;
  ownerKey?: string | undefined;
  localSecret?: string | undefined;
  /** The resources that tokens can be issued for. */
  resources: readonly Resource[];
  /** How people may sign in. */
  ways: WaysIn;
  /** Whether OAuth clients may register themselves. */
  clientRegistration: boolean;
  /** For development: allows OAuth clients whose ids are URLs of this machine and its networks. */
  privateClients: boolean;
  /** For development: allows webhooks to this machine and its networks. */
  privateWebhooks?: boolean | undefined;
  /** Sends alerts to webhooks; by default, refuses private networks. */
  sendToWebhooks?: SendPublic | undefined;
  baseUrl: () => string;
  verificationUrl: () => string;
  otlpEndpoint?: string | undefined;
  registry: Registry;
  /** Called for each entry of the audit log. */
  onAudited: (entry: { action: string; outcome: string }) => void;
  /** Called for each use that was counted. */
  onCounted: (type: string, count: number) => void;
  /** Called with the outcome of each attempt to send a letter. */
  onLetter: (outcome: LetterOutcome) => void;
  /** Called with the outcome of each attempt to send an alert to a webhook. */
  onWebhookAttempt: (outcome: Outcome) => void;
  upstreamHealth: (upstream: string) => UpstreamHealth;
}
