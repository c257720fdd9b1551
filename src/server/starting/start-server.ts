import { systemClock } from "../../system/clock.ts";
import type { ServerConfig } from "../../system/config.ts";
import { defined } from "../../system/defined.ts";
import { createRandom } from "../../system/random.ts";
import { assembleServer, type InternalControlPlane, type InternalOptions } from "./assemble.ts";
import { checkHost } from "./listening.ts";

export interface RunningServer extends Pick<InternalControlPlane, "app" | "url" | "storeBytes" | "close"> {
  /** A link that signs the owner in once; set only if there is no other way to sign in yet. */
  signInUrl?: string;
  /** Lets the user who runs the server sign in as its owner; set only if the server is for this machine alone. */
  localSecret?: string;
  /** Returns the number of devices whose sign-in waits for a decision. */
  devicesWaiting(): Promise<number>;
}

export interface StartOptions
  extends Pick<InternalOptions, "clock" | "log" | "checkOutputs" | "timeouts" | "onAnswered" | "tools"> {
  config: ServerConfig;
}

/** Starts the server that `tool serve` configures. Rejects with a user-facing `Error` if it cannot. */
export async function startServer({ config, ...options }: StartOptions): Promise<RunningServer> {
  const { databaseUrl, databaseDirectUrl, dataDirectory, plansFile, logLevel, ...rest } = config;
  checkHost(config);
  const localSecret = isForThisMachine(config) ? newSecret() : undefined;
  const server = await assembleServer({
    ...rest,
    log: logLevel,
    ...options,
    store: databaseUrl ?? dataDirectory,
    directUrl: databaseDirectUrl,
    ...defined({ catalogue: plansFile }),
    localSecret,
  });
  try {
    await server.listen(config);
  } catch (error) {
    await server.close();
    throw error;
  }
  const { app, url, signInUrl, storeBytes, close } = server;
  const { waiting } = app.services.devices;
  return {
    app,
    url,
    ...defined({ signInUrl, localSecret }),
    storeBytes,
    devicesWaiting: waiting,
    close,
  };
}

/** Whether only this machine reaches the server: it has a data directory of its own and no proxy in front. */
export function isForThisMachine({
  databaseUrl,
  allowRemote,
  trustProxy,
  baseUrl,
  verificationUrl,
}: ServerConfig): boolean {
  return (
    !allowRemote && [databaseUrl, trustProxy, baseUrl, verificationUrl].every((set) => set === undefined)
  );
}

function newSecret(): string {
  return createRandom(systemClock).bytes(32).toString("base64url");
}
