import type { ServerConfig } from "../system/config.ts";
import { assembleServer, type InternalControlPlane, type InternalOptions } from "./assemble.ts";
import { checkHost } from "./listening.ts";

export interface RunningServer extends Pick<InternalControlPlane, "app" | "url" | "storeBytes" | "close"> {
  /** Signs the owner in once; only where there is no other way yet. */
  signInUrl?: string;
  /** Devices that wait for somebody to decide on their sign-in. */
  devicesWaiting(): Promise<number>;
}

export interface StartOptions
  extends Pick<InternalOptions, "clock" | "log" | "checkOutputs" | "timeouts" | "onAnswered" | "tools"> {
  config: ServerConfig;
}

/** Starts what `tool serve` is told to. Rejects with an `Error` for people where it cannot. */
export async function startServer({ config, ...options }: StartOptions): Promise<RunningServer> {
  const { databaseUrl, dataDirectory, plansFile, logLevel, ...rest } = config;
  checkHost(config);
  const server = await assembleServer({
    ...rest,
    log: logLevel,
    ...options,
    store: databaseUrl ?? dataDirectory,
    ...(plansFile !== undefined && { catalogue: plansFile }),
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
    ...(signInUrl !== undefined && { signInUrl }),
    storeBytes,
    devicesWaiting: waiting,
    close,
  };
}
