import type { IncomingMessage, ServerResponse } from "node:http";
import type { Catalogue } from "../metering/plans.ts";
import type { StoreOptions } from "../store/open.ts";
import type { Store } from "../store/store.ts";
import type { Clock } from "../system/clock.ts";
import type { Log, LogLevel } from "../system/log.ts";
import type { AnyTool, ToolPorts } from "../tools/define-tool.ts";
import type { Address } from "./starting/listening.ts";

/*
 * The server's part of the package's public API. It refers to no internal types, since those would end up in the
 * declarations that others compile against.
 */

export interface ServerOptions {
  /**
   * A directory for the JSON file store, a `postgres://` URL, or a function that opens a store of your own.
   * The function receives every collection that will be used. `./toolplane-data` by default.
   */
  store?: string | ((options: StoreOptions) => Promise<Store>) | undefined;
  /** Plans, gates, limits and OAuth clients: a catalogue, or the JSON file that holds one. */
  catalogue?: Catalogue | string | undefined;
  /**
   * Further upstreams beside the catalogue's: `github=https://host/mcp`, `files=node server.js`. One that the catalogue
   * names, too, is reached at the address given here and keeps its other settings.
   */
  upstreams?: readonly string[] | undefined;
  /** Tools in addition to the built-in ones. */
  tools?: readonly AnyTool<ToolPorts>[] | undefined;
  /**
   * The URL at which people reach the server, without a trailing slash. Required if it is mounted in another server.
   */
  baseUrl?: string | undefined;
  /** The URL at which a person enters a device code; the base URL by default. */
  verificationUrl?: string | undefined;
  /** The plan of the account that the first start creates; `team` by default. */
  plan?: string | undefined;
  /** The owner of that account; by default, `owner@localhost` with a sign-in link. */
  owner?: { email: string; password?: string | undefined; apiKey?: string | undefined } | undefined;
  /** Whether OAuth clients may register themselves (RFC 7591); true by default. */
  clientRegistration?: boolean | undefined;
  /** For development: accepts OAuth clients whose ids are URLs of this machine or its networks. */
  privateClients?: boolean | undefined;
  /** For development: allows webhooks to this machine and its networks, also over plain http. */
  privateWebhooks?: boolean | undefined;
  /** Who may sign up without an invitation: `open`, `domain:example.com,example.org` or `invite`, the default. */
  signUp?: string | undefined;
  /** The mail server that delivers one-time links (`smtps://…`), and their sender address; none by default. */
  mail?: { smtpUrl: string; from: string } | undefined;
  /** Providers to sign in with: each has an OpenID `issuer`, or the URL of a GitHub (`https://github.com`). */
  providers?:
    | readonly {
        name: string;
        issuer?: string | undefined;
        github?: string | undefined;
        clientId: string;
        clientSecret: string;
      }[]
    | undefined;
  /** Whose forwarding headers may name the client's address: a number of hops or CIDRs; nobody's by default. */
  trustProxy?: string | number | undefined;
  /** The OTLP endpoint to which the users' projects send their OpenTelemetry data. */
  otlpEndpoint?: string | undefined;
  /** The OTLP endpoint to which the server sends its own telemetry. */
  telemetryEndpoint?: string | undefined;
  /** A level, or a logger that is called as pino's is, `log.warn({ port }, "…")`; `warn`, on stderr, by default. */
  log?: Log | LogLevel | undefined;
  /** Whether answers that do not match their declared schema fail: for tests and development. */
  checkOutputs?: boolean | undefined;
  clock?: Clock | undefined;
  /** The JSON file of a catalogue of models that replaces the built-in one. */
  modelsFile?: string | undefined;
}

export interface ControlPlane {
  /**
   * Handles a request of `node:http`, Express or any server with middleware of this form. Pages and paths that it
   * does not know go to `next`, if it is given. Throws if no `baseUrl` was configured and it does not listen.
   */
  handler(req: IncomingMessage, res: ServerResponse, next?: (error?: unknown) => void): void;
  /** Listens on an address of its own, by default port 4242 of 127.0.0.1. Rejects with a user-facing `Error` if it cannot. */
  listen(address?: { [Part in keyof Address]?: Address[Part] | undefined }): Promise<{ url: string }>;
  /** The URL at which people reach the server. Throws if none was configured and it does not listen. */
  readonly url: string;
  /** A link that signs the owner in once; set only if there is no other way to sign in yet. */
  readonly signInUrl: string | undefined;
  /** The OpenAPI document. */
  openApi(): Record<string, unknown>;
  /** Stops accepting, finishes what is in flight and makes everything durable, within 10 s. */
  close(): Promise<void>;
}
