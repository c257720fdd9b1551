import { Option } from "commander";
import { announceLocalServer } from "../../client/sign-in/local-server.ts";
import type { RunningServer } from "../../server/starting/start-server.ts";
import { untilAborted } from "../../system/abort.ts";
import type { ServerConfig } from "../../system/config.ts";
import { withSecretFiles } from "../../system/files/secret-files.ts";
import type { LogLevel } from "../../system/log.ts";
import { type Define, examples } from "../command.ts";
import type { Context } from "../context.ts";
import { describeFailure } from "../describe-failure.ts";
import { EXIT } from "../exit-codes.ts";
import { wholeNumber } from "../options.ts";
import { userDirectories } from "../settings/settings.ts";
import { Reported } from "../terminal/present.ts";
import { serveLines } from "../ui/serve/serve-lines.ts";
import type { ServeView } from "../ui/serve/serve-view.ts";
import { ignoredSettings } from "./ignored-settings.ts";
import { logStream } from "./log-stream.ts";
import { outliveSignals } from "./outlive-signals.ts";
import { databaseNamed, isDatabase, nameOf, storeNamed } from "./where.ts";

interface ServeOptions {
  host: string;
  port: number;
  data?: string;
  database?: string;
  databaseDirectUrl?: string;
  plan: string;
  plans?: string;
  models?: string;
  mcp: string[];
  tools: string[];
  baseUrl?: string;
  verificationUrl?: string;
  allowRemote?: boolean;
  clientRegistration: boolean;
  allowPrivateClients?: boolean;
  allowPrivateWebhooks?: boolean;
  signUp?: string;
  oidc: string[];
  github?: string;
  trustProxy?: string;
  otlpEndpoint?: string;
  logLevel: LogLevel;
}

type Environment = Context["io"]["environment"];

const LEVELS: readonly LogLevel[] = ["debug", "info", "warn", "error", "silent"];

export const define: Define = (command, run) => {
  command
    .option("--host <host>", "The address to listen on", "127.0.0.1")
    .option("--port <n>", "The port to listen on; 0 takes a free one", wholeNumber(0, 65_535), 4242)
    .option("--data <directory>", "Where the JSON file store is (default: your data directory)")
    .option("--database <url>", "A postgres:// URL instead; TOOL_DATABASE_URL keeps it out of process lists")
    .option(
      "--database-direct-url <url>",
      "The same database past PgBouncer, if --database leads to one that pools transactions",
    )
    .option("--plan <plan>", "The plan of the account made at first start", "team")
    .option(
      "--plans <file>",
      "Plans, gates, limits, clients and MCP servers of your own; the built-in ones where it says nothing",
    )
    .option("--models <file>", "A catalogue of models instead of the built-in one")
    .option(
      "--mcp <name=url|name=command...>",
      "MCP servers to put behind this one, at /mcp/<name> (docs/mcp.md)",
      [],
    )
    .option("--tools <module...>", "Modules that export tools of your own (docs/extending.md)", [])
    .option(
      "--base-url <url>",
      "The address that others reach this server at; the issuer and every link's base",
    )
    .option("--verification-url <url>", "Where people enter device codes; the base URL unless given")
    .option("--allow-remote", "Listen on an address that other machines reach")
    .option(
      "--sign-up <rule>",
      "Who may come in uninvited: open, domain:example.com,… or invite (the default; docs/people.md)",
    )
    .option(
      "--oidc <name=issuer,id,env:VARIABLE...>",
      "OpenID providers that people sign in with; the variable holds the client secret",
      [],
    )
    .option("--github <client-id,env:VARIABLE>", "Let people sign in with GitHub")
    .option("--trust-proxy <hops|CIDR>", "Whose forwarding headers name the client's address")
    .option("--no-client-registration", "Let no OAuth client register itself (RFC 7591)")
    .option(
      "--allow-private-clients",
      "For development: OAuth clients with a URL of this network as their id",
    )
    .option("--allow-private-webhooks", "For development: webhooks to this machine and its networks")
    .option("--otlp-endpoint <url>", "Where OpenTelemetry data of the users' projects goes")
    .addOption(new Option("--log-level <level>", "What is logged").choices(LEVELS).default("info"))
    .addHelpText(
      "after",
      `
Environment:
  TOOL_OWNER_EMAIL      the owner made at first start (owner@localhost)
  TOOL_OWNER_PASSWORD   sets the owner's password
  TOOL_OWNER_API_KEY    an operator key of the owner, 32 characters or more, never stored
  TOOL_DATABASE_URL     as --database
  TOOL_DATABASE_DIRECT_URL  as --database-direct-url
  TOOL_DATABASE_PASSWORD  its password, if the URL has none
  TOOL_SIGN_UP          as --sign-up
  TOOL_OIDC             as --oidc, several with spaces between
  TOOL_GITHUB           as --github
  TOOL_SMTP_URL         mails one-time links: smtps://user:password@host
  TOOL_MAIL_FROM        who that mail comes from: Toolplane <sign-in@example.com>
  TOOL_…_FILE           any of these from a file: TOOL_DATABASE_URL_FILE=/run/secrets/database-url
  OTEL_EXPORTER_OTLP_ENDPOINT  where the server's own traces and metrics go, over HTTP
${examples(
  "tool serve",
  "tool serve --port 0 --data ./data --plan pro",
  "tool serve --tools ./glossary.js",
  "tool serve --mcp github=http://127.0.0.1:8000/mcp",
  'tool serve --mcp files="node ./server.js" --plans ./plans.json',
  "tool serve --host 0.0.0.0 --allow-remote --base-url https://control.example.com --trust-proxy 1",
)}`,
    )
    .action(run(serve));
};

async function serve(context: Context, options: ServeOptions): Promise<number> {
  const { io, clock } = context;
  const environment = await started((async () => withSecretFiles(io.environment))());
  const config = configOf(environment, options, await providersOf(environment, options));
  const [{ startServer }, { loadTools }] = await Promise.all([
    import("../../server/starting/start-server.ts"),
    import("../../server/tools/load-tools.ts"),
  ]);
  const tools = await started(loadTools(options.tools, clock));
  const view = await viewOf(context, options.logLevel);
  const store = config.databaseUrl ?? config.dataDirectory;
  const providers = [...options.oidc, options.github ?? ""];
  for (const text of ignoredSettings(environment, { ...options, store, providers })) view.log.warn({}, text);
  const tellStray = (err: unknown) => {
    view.log.error({ err }, "an error that nothing caught ends this server");
    view.end();
  };
  // Before the listener that ends the process: what a tool of somebody's own leaves uncaught does not happen again for
  // whoever starts the server anew to see where.
  process.prependListener("uncaughtException", tellStray);
  const leaveSignals = outliveSignals(view.log);
  try {
    const server = await started(
      startServer({
        config,
        tools,
        clock,
        log: view.log,
        onAnswered: ({ req, path, startedAt, identity, requestId, traceId }, status) =>
          view.served({
            at: clock.now(),
            method: req.method ?? "",
            path,
            status,
            ms: clock.monotonic() - startedAt,
            account: identity?.account.name,
            accountId: identity?.account.id,
            requestId,
            traceId,
          }),
      }),
    );
    const withdraw = announced(server, view);
    view.listening({
      ...server,
      where: nameOf(store),
      measure: async () => {
        const [storeBytes, devicesWaiting] = await Promise.all([
          server.storeBytes(),
          server.devicesWaiting(),
        ]);
        return { storeBytes, devicesWaiting };
      },
    });
    await untilAborted(io.interrupted);
    view.stopping();
    withdraw();
    await server.close();
  } finally {
    process.off("uncaughtException", tellStray);
    leaveSignals();
    view.end();
  }
  // SIGTERM, from a service manager, is the normal end of a server.
  return io.interrupted.reason === "SIGINT" ? EXIT.interrupted : EXIT.done;
}

/** Writes the secret with which `tool login` signs in this machine's user. Returns a function that removes it. */
function announced({ url, localSecret }: RunningServer, { log }: ServeView): () => void {
  if (localSecret !== undefined) {
    try {
      return announceLocalServer(userDirectories().data, { baseUrl: url, secret: localSecret });
    } catch (err) {
      // A service may have no home directory. Signing in by a code still works.
      log.debug({ err }, "the sign-in without a code is not offered");
    }
  }
  return () => {};
}

/** Converts an error at startup, such as a port in use, a wrong setting or a locked store, to a readable failure. */
function started<T>(server: Promise<T>): Promise<T> {
  return server.catch((error) => {
    const { message, next, error: kind } = describeFailure(error);
    // Of any other fault the message alone says what to do.
    const hint = kind === "system" ? next : undefined;
    throw new Reported({ exitCode: EXIT.failed, error: "not_started", message, ...(hint && { next: hint }) });
  });
}

async function providersOf(
  environment: Environment,
  { oidc, github = environment.TOOL_GITHUB }: ServeOptions,
): Promise<NonNullable<ServerConfig["providers"]>> {
  const openIds = oidc.length > 0 ? oidc : (environment.TOOL_OIDC?.split(/\s+/).filter(Boolean) ?? []);
  if (openIds.length === 0 && !github) return [];
  const { parseGithub, parseOidc } = await import("../../providers/settings.ts");
  return started(
    (async () => [
      ...openIds.map((text) => parseOidc(text, environment)),
      ...(github ? [parseGithub(github, environment)] : []),
    ])(),
  );
}

function configOf(
  environment: Environment,
  options: ServeOptions,
  providers: NonNullable<ServerConfig["providers"]>,
): ServerConfig {
  const { TOOL_DATABASE_URL, TOOL_DATABASE_DIRECT_URL } = environment;
  const directUrl = options.databaseDirectUrl ?? TOOL_DATABASE_DIRECT_URL;
  const direct = directUrl ? databaseNamed(directUrl, environment) : undefined;
  // Other commands prefer a directory that is given to a database of the environment. A server does not: the unit
  // always gives one, and serves it unless the environment names a database (docs/operations.md).
  const store = storeNamed(
    { ...options, ...given("database", options.database ?? (TOOL_DATABASE_URL || undefined)) },
    environment,
  );
  return {
    host: options.host,
    port: options.port,
    dataDirectory: isDatabase(store) ? "" : store,
    plan: options.plan,
    allowRemote: options.allowRemote === true,
    clientRegistration: options.clientRegistration,
    privateClients: options.allowPrivateClients === true,
    privateWebhooks: options.allowPrivateWebhooks === true,
    logLevel: options.logLevel,
    ...(options.mcp.length > 0 && { upstreams: options.mcp }),
    owner: {
      email: environment.TOOL_OWNER_EMAIL || "owner@localhost",
      ...given("password", environment.TOOL_OWNER_PASSWORD),
      ...given("apiKey", environment.TOOL_OWNER_API_KEY),
    },
    ...given("baseUrl", options.baseUrl),
    ...given("verificationUrl", options.verificationUrl),
    ...(isDatabase(store) && { databaseUrl: store, ...given("databaseDirectUrl", direct) }),
    ...given("plansFile", options.plans),
    ...given("modelsFile", options.models),
    ...(environment.TOOL_SMTP_URL && {
      mail: { smtpUrl: environment.TOOL_SMTP_URL, from: environment.TOOL_MAIL_FROM ?? "" },
    }),
    ...(providers.length > 0 && { providers }),
    ...given("signUp", options.signUp ?? environment.TOOL_SIGN_UP),
    ...given("trustProxy", options.trustProxy),
    ...given("otlpEndpoint", options.otlpEndpoint),
    ...(environment.OTEL_SDK_DISABLED?.toLowerCase() !== "true" &&
      given("telemetryEndpoint", environment.OTEL_EXPORTER_OTLP_ENDPOINT)),
  };
}

function given<Name extends string>(name: Name, value: string | undefined): { [Key in Name]?: string } {
  // An empty variable counts as unset.
  return value === undefined || value === "" ? {} : ({ [name]: value } as { [Key in Name]?: string });
}

async function viewOf({ io, options, clock }: Context, level: LogLevel): Promise<ServeView> {
  if (!io.out.live || options.json) {
    const { createLog } = await import("../../system/log.ts");
    io.err.outliveReader();
    return serveLines(io.out, clock, level, createLog(level, logStream(io)));
  }
  const { tellLibrariesAboutColour } = await import("../terminal/io.ts");
  tellLibrariesAboutColour(io.out);
  const { serveFrames } = await import("../ui/serve/serve-frames.tsx");
  return serveFrames(io.out, clock, level);
}
