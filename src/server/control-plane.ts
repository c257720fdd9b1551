import type { IncomingMessage, ServerResponse } from "node:http";
import type { Catalogue } from "../metering/plans.ts";
import type { StoreOptions } from "../store/open.ts";
import type { Store } from "../store/store.ts";
import type { Clock } from "../system/clock.ts";
import type { Log, LogLevel } from "../system/log.ts";
import type { AnyTool, ToolPorts } from "../tools/define-tool.ts";
import { assembleServer } from "./assemble.ts";
import type { Address } from "./listening.ts";

/*
 * What the package exports of the server. It names nothing of its inside, which would come with it into the
 * declarations that others compile with.
 */

export interface ServerOptions {
  /**
   * A directory for the JSON file store, a `postgres://` URL, or a function that opens a store of your own
   * and is told every collection that will be used; `./toolplane-data` unless said.
   */
  store?: string | ((options: StoreOptions) => Promise<Store>);
  /** Plans, gates, limits and OAuth clients: a catalogue, or the JSON file that holds one. */
  catalogue?: Catalogue | string;
  /** MCP servers behind this one, beside the catalogue's: `github=https://host/mcp`, `files=node server.js`. */
  upstreams?: readonly string[];
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
  /** Whether OAuth clients may register themselves (RFC 7591); true unless said. */
  clientRegistration?: boolean | undefined;
  /** For development: takes OAuth clients whose ids are URLs of this machine or its networks. */
  privateClients?: boolean | undefined;
  /** For development: webhooks to this machine and its networks, over plain http, too. */
  privateWebhooks?: boolean | undefined;
  /** Who may come in whom nobody has invited: `open`, `domain:example.com,example.org` or `invite`, unless said. */
  signUp?: string | undefined;
  /** The mail server that takes one-time links to people (`smtps://…`), and who they come from; none unless said. */
  mail?: { smtpUrl: string; from: string } | undefined;
  /** Providers that people sign in with: each an OpenID `issuer`, or GitHub where it is (`https://github.com`). */
  providers?: readonly {
    name: string;
    issuer?: string;
    github?: string;
    clientId: string;
    clientSecret: string;
  }[];
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

export interface ControlPlane {
  /**
   * Answers a request of `node:http`, Express or whatever calls its middleware so. Pages and paths that
   * it does not know go to `next`, where there is one.
   */
  handler(req: IncomingMessage, res: ServerResponse, next?: (error?: unknown) => void): void;
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

/**
 * The whole control plane, to listen by itself or to be mounted in another server. Rejects with an `Error` for
 * people where what it was told does not fit together or the store cannot be opened.
 */
export function createServer(options: ServerOptions = {}): Promise<ControlPlane> {
  return assembleServer(options);
}
