import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startServer } from "../../src/server/starting/start-server.ts";
import type { ServerConfig } from "../../src/system/config.ts";
import { createLog } from "../../src/system/log.ts";
import { OWNER_KEY } from "./start.ts";

/** Starts a server in this process on a new directory, which is removed when the server is closed. */
export async function startInProcess(more: Partial<ServerConfig> = {}) {
  const dataDirectory = mkdtempSync(join(tmpdir(), "toolplane-bench-"));
  const server = await startServer({
    config: {
      host: "127.0.0.1",
      port: 0,
      dataDirectory,
      plan: "enterprise",
      allowRemote: false,
      logLevel: "error",
      owner: { email: "owner@localhost", apiKey: OWNER_KEY },
      ...more,
    },
    log: createLog("error"),
  });
  return {
    url: server.url,
    async close() {
      await server.close();
      rmSync(dataDirectory, { recursive: true });
    },
  };
}
