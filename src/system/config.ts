import type { LogLevel } from "./log.ts";

/** The complete configuration of a server. The reader of the flags fills in the defaults. */
export interface ServerConfig {
  host: string;
  port: number;
  /** The issuer and the base of every link, without a trailing slash; by default the address listened on. */
  baseUrl?: string;
  /** Where a user enters a device code; by default at the base URL. */
  verificationUrl?: string;
  /** A directory for the JSON file store. Ignored if `databaseUrl` is set. */
  dataDirectory: string;
  /** A PostgreSQL URL. Takes precedence over `dataDirectory`. */
  databaseUrl?: string;
  /** A URL of the same database that bypasses a pooler in transaction mode. */
  databaseDirectUrl?: string;
  /** The plan of the account created at first start. */
  plan: string;
  plansFile?: string;
  modelsFile?: string;
  /** MCP servers behind this one, as `--mcp` takes them. */
  upstreams?: readonly string[];
  allowRemote: boolean;
  /** Whether OAuth clients may register themselves; true by default. */
  clientRegistration?: boolean;
  /** For development: accepts OAuth clients whose ids are URLs of this machine or its networks. */
  privateClients?: boolean;
  /** For development: allows webhooks to this machine and its networks. */
  privateWebhooks?: boolean;
  /** Who may sign up without an invitation, as `--sign-up` takes it; `invite` by default. */
  signUp?: string;
  /** The mail server that sends one-time links. */
  mail?: { smtpUrl: string; from: string };
  /** The OpenID providers, and GitHub, that people can sign in with. */
  providers?: readonly {
    name: string;
    issuer?: string;
    github?: string;
    clientId: string;
    clientSecret: string;
  }[];
  /** The proxies whose forwarding headers name the client's address: a number of hops or CIDRs; none by default. */
  trustProxy?: string;
  /** Where users' projects are told to send their OpenTelemetry data. */
  otlpEndpoint?: string;
  /** Where the server sends its own OpenTelemetry data (OTEL_EXPORTER_OTLP_ENDPOINT). */
  telemetryEndpoint?: string;
  logLevel: LogLevel;
  owner: {
    email: string;
    /** From the environment; set again at every start. */
    password?: string;
    /** From the environment; accepted as the owner's operator key and never stored. */
    apiKey?: string;
  };
}

/** Returns the process environment. Server code reads it only through this function. */
export function environment(): Readonly<Record<string, string | undefined>> {
  return process.env;
}
