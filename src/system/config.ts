import type { LogLevel } from "./log.ts";

/** What a server is told at its start, complete: defaults are filled in by who reads the flags. */
export interface ServerConfig {
  host: string;
  port: number;
  /** The issuer and the base of every link, without a trailing slash; where unset, the address listened on. */
  baseUrl?: string;
  /** Where a user enters a device code; the base URL where unset. */
  verificationUrl?: string;
  /** A directory for the JSON file store … */
  dataDirectory: string;
  /** … or a PostgreSQL URL, which wins. */
  databaseUrl?: string;
  /** … and one past the pooler in front of the database, where that pools transactions. */
  databaseDirectUrl?: string;
  /** The plan of the account made at first start. */
  plan: string;
  plansFile?: string;
  modelsFile?: string;
  /** MCP servers behind this one, as `--mcp` takes them. */
  upstreams?: readonly string[];
  allowRemote: boolean;
  /** Whether OAuth clients may register themselves; true where unset. */
  clientRegistration?: boolean;
  /** For development: takes OAuth clients whose ids are URLs of this machine or its networks. */
  privateClients?: boolean;
  /** For development: webhooks to this machine and its networks. */
  privateWebhooks?: boolean;
  /** Who may come in whom nobody has invited, as `--sign-up` takes it; `invite` where unset. */
  signUp?: string;
  /** The mail server that takes one-time links to people. */
  mail?: { smtpUrl: string; from: string };
  /** OpenID providers, and GitHub, that people sign in with. */
  providers?: readonly {
    name: string;
    issuer?: string;
    github?: string;
    clientId: string;
    clientSecret: string;
  }[];
  /** Whose forwarding headers name the client's address: a number of hops or CIDRs; none where unset. */
  trustProxy?: string;
  /** Where the users' projects are told to send their OpenTelemetry data … */
  otlpEndpoint?: string;
  /** … and where the server sends its own: OTEL_EXPORTER_OTLP_ENDPOINT. */
  telemetryEndpoint?: string;
  logLevel: LogLevel;
  owner: {
    email: string;
    /** From the environment: set at every start. */
    password?: string;
    /** From the environment: accepted as the owner's operator key, never stored. */
    apiKey?: string;
  };
}

/** The process environment, so that nobody else needs to touch it. */
export function environment(): Readonly<Record<string, string | undefined>> {
  return process.env;
}
