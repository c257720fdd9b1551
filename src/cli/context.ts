import { type ApiClient, createApiClient } from "../client/api-client.ts";
import { startInBackground } from "../client/background-process.ts";
import { createEntitlements, type EntitlementsClient } from "../client/entitlements/entitlements.ts";
import type { CredentialSource, StoredCredential } from "../client/sign-in/credential.ts";
import {
  createTelemetryQueue,
  queueDirectory,
  type TelemetryQueue,
} from "../client/telemetry/telemetry-queue.ts";
import { once } from "../system/caching.ts";
import { type Clock, systemClock } from "../system/clock.ts";
import { createRandom, type Random } from "../system/random.ts";
import { deviceBytes } from "../system/random-device.ts";
import { type Credentials, createCredentials } from "./credentials/credentials.ts";
import type { CommonOptions } from "./options.ts";
import { createProjectGuard, type ProjectGuard } from "./settings/project-guard.ts";
import { readSettings, type Settings, userDirectories } from "./settings/settings.ts";
import { inMemory } from "./sign-in/in-memory-credential.ts";
import { canAsk } from "./terminal/can-ask.ts";
import type { Io } from "./terminal/io.ts";
import { createTrust, onceTrusted, type Trust } from "./trust/trust.ts";
import { duration } from "./ui/format.ts";
import { createProgress, type Progress } from "./ui/progress.ts";
import { USER_AGENT } from "./version.ts";

/** The services that a command works with. Each is created on first use. */
export interface Context {
  readonly io: Io;
  readonly clock: Clock;
  readonly random: Random;
  readonly options: CommonOptions;
  readonly settings: Settings;
  readonly client: ApiClient;
  /** Returns a client of the same server for a credential that is not stored yet. */
  clientWith(credential: StoredCredential): ApiClient;
  /** The credentials, which are only read for a trusted server: one that only a project names needs confirmation. */
  readonly credentials: Credentials;
  /** Returns the credentials of another server that the user is signed in to. */
  credentialsOf(baseUrl: string): Credentials;
  readonly trust: Trust;
  readonly projectGuard: ProjectGuard;
  readonly entitlements: EntitlementsClient;
  readonly queue: TelemetryQueue;
  readonly progress: Progress;
  /** Opens a browser. Returns false if there is none. */
  openBrowser(url: string): Promise<boolean>;
  /** Starts a detached process that sends the queued events, if one is due. */
  sendInBackground(): void;
}

export function createContext(io: Io, options: CommonOptions): Context {
  const clock = systemClock;
  const random = createRandom(clock, deviceBytes);
  const progress = createProgress(io, clock);
  const settings = once(() =>
    readSettings({
      flags: { baseUrl: options.baseUrl, project: options.project },
      environment: io.environment,
      workingDirectory: io.workingDirectory,
      directories: userDirectories(),
    }),
  );
  const baseUrl = () => settings().baseUrl.value;
  const trust = createTrust({ settings, io, clock, progress, canAsk: () => canAsk(io, options) });
  const projectGuard = createProjectGuard({
    settings,
    client: () => client(),
    io,
    progress,
    create: options.createProject === true,
    canAsk: () => canAsk(io, options),
  });
  const tellOfPrompt = (storeName: string) => {
    const isSeen = io.err.terminal && io.input.terminal;
    if (isSeen) progress.note(`Waiting for ${storeName}, which may be asking for its password.`);
    return isSeen;
  };
  const keptFor = (server: string) =>
    createCredentials({
      baseUrl: server,
      token: settings().token,
      directory: settings().directories.data,
      keyringCommand: [...io.program, "_keyring"],
      environment: io.environment,
      onPrompt: tellOfPrompt,
    });
  const kept = once(() => keptFor(baseUrl()));
  const credentials = once(() => onceTrusted(kept(), trust));
  const clientOf = (source: CredentialSource) =>
    createApiClient({
      baseUrl: baseUrl(),
      credentials: source,
      clock,
      random,
      projectId: settings().project.value,
      beforeProjectWrite: () => projectGuard.ensure(),
      userAgent: USER_AGENT,
      onWait: ({ seconds, reason }) =>
        progress.note(
          `${reason === "rate_limited" ? "Rate limited." : "The server cannot answer now."} Trying again in ${duration(seconds * 1000)}.`,
        ),
      log: options.verbose ? (line) => progress.note(io.err.style.dim(line)) : undefined,
    });
  const client = once(() => clientOf(credentials()));
  const entitlements = once(() =>
    createEntitlements({
      api: client(),
      // They are only compared with the offline cache and never sent, so no trust is needed.
      credentials: kept(),
      clock,
      cacheDirectory: settings().directories.cache,
      onPolicy: (policy) => queue().adopt(policy.telemetry),
    }),
  );
  const queue = once(() =>
    createTelemetryQueue({
      directory: queueDirectory(settings().directories.data, baseUrl()),
      clock,
      random,
      projectId: settings().project.value,
      off: telemetryOff(settings()),
    }),
  );
  return {
    io,
    clock,
    random,
    options,
    progress,
    get settings() {
      return settings();
    },
    get client() {
      return client();
    },
    get credentials() {
      return credentials();
    },
    credentialsOf: keptFor,
    trust,
    projectGuard,
    get entitlements() {
      return entitlements();
    },
    get queue() {
      return queue();
    },
    clientWith: (credential) => clientOf(inMemory(credential)),
    openBrowser: async (url) => (await import("./sign-in/browser.ts")).openBrowser(url, io),
    sendInBackground: () => {
      if (trust.refusal() || !queue().senderNeeded()) return;
      // The sender runs in another directory, so it gets the settings that were resolved in this one.
      const settled = { TOOL_BASE_URL: baseUrl(), TOOL_TOKEN: settings().token };
      // A failure is ignored: a later sender sends the events.
      startInBackground([...io.program, "_sender"], { ...io.environment, ...settled });
    },
  };
}

function telemetryOff({ telemetry }: Settings): "DO_NOT_TRACK" | "settings" | undefined {
  if (telemetry.value === "on") return undefined;
  const { origin } = telemetry;
  return origin.kind === "environment" && origin.name === "DO_NOT_TRACK" ? "DO_NOT_TRACK" : "settings";
}
