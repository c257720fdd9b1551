import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Scope } from "../contract/caller.ts";
import { createServer, type ServerOptions } from "../server/control-plane.ts";
import type { Log } from "../system/log.ts";
import { requestsTo, type TestRequest } from "./request.ts";

/** The owner's, who may do everything. */
const OWNER_KEY = "owner-key-of-a-test-server-0123456789abcdef";

export type TestServerOptions = Omit<ServerOptions, "baseUrl" | "checkOutputs" | "log" | "owner">;

export interface TestServer {
  url: string;
  /**
   * Asks as the owner unless told otherwise. Where the server failed, or answered what its endpoint does not
   * declare, rejects with what went wrong there.
   */
  request: TestRequest;
  /** A new API key of the owner's account. */
  key(scopes: readonly Scope[], more?: { projectId?: string }): Promise<string>;
  openApi(): Record<string, unknown>;
  /** Stops it and deletes what it kept in a directory of its own. */
  close(): Promise<void>;
}

/**
 * A whole server for a test, on a free port of this machine and, unless told otherwise, over a new directory
 * and on the largest plan. It is strict: an answer or a problem that an endpoint does not declare fails, and so does
 * an effect that a crash could part from the answer which is kept for its `Idempotency-Key`.
 */
export async function createTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const directory = options.store === undefined ? await mkdtemp(join(tmpdir(), "toolplane-")) : undefined;
  const failures = new Map<string, unknown>();
  const server = await createServer({
    plan: "enterprise",
    ...options,
    store: directory ?? options.store ?? "",
    owner: { email: "owner@localhost", apiKey: OWNER_KEY },
    log: noting(failures),
    checkOutputs: true,
  });
  const { url } = await server.listen({ port: 0 });
  const send = requestsTo(url, OWNER_KEY);

  const request: TestRequest = async (method, path, given) => {
    const response = await send(method, path, given);
    const id = response.headers.get("x-request-id") ?? "";
    if (!failures.has(id)) return response;
    throw new Error(`${method} ${path}: ${messageOf(failures.get(id))}`, { cause: failures.get(id) });
  };

  return {
    url,
    request,
    async key(scopes, more = {}) {
      const made = await send("POST", "/api/v1/keys", { body: { name: "test", scopes, ...more } });
      if (made.status === 201) return made.body.secret;
      throw new Error(made.body.detail);
    },
    openApi: server.openApi,
    async close() {
      await server.close();
      if (directory) await rm(directory, { recursive: true, force: true });
    },
  };
}

/** A log that keeps what requests failed with, by their ids. */
function noting(failures: Map<string, unknown>): Log {
  const ignore = (): void => {};
  return {
    debug: ignore,
    info: ignore,
    warn: ignore,
    error(details) {
      const { requestId, err } = details as { requestId?: string; err?: unknown };
      if (requestId !== undefined) failures.set(requestId, err);
    },
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
