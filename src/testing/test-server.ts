import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Scope } from "../contract/caller.ts";
import type { ServerOptions } from "../server/control-plane.ts";
import { createServer } from "../server/create-server.ts";
import type { Log } from "../system/log.ts";
import { requestsTo, type TestRequest } from "./request.ts";

/** The owner's API key, which grants every scope. */
const OWNER_KEY = "owner-key-of-a-test-server-0123456789abcdef";

export type TestServerOptions = Omit<ServerOptions, "baseUrl" | "checkOutputs" | "log" | "owner">;

export interface TestServer {
  url: string;
  /**
   * Sends a request, as the owner by default. Rejects with the server's error if the server failed or its answer is
   * not declared by the endpoint.
   */
  request: TestRequest;
  /** Creates an API key in the owner's account, and returns its secret. */
  key(scopes: readonly Scope[], more?: { projectId?: string | undefined }): Promise<string>;
  openApi(): Record<string, unknown>;
  /** Stops the server and deletes its temporary directory, if it has one. */
  close(): Promise<void>;
}

/**
 * Starts a whole server for a test on a free local port, by default over a new directory and on the largest plan. It
 * is strict: it fails on an answer or problem that an endpoint does not declare, and on an effect that a crash could
 * separate from the answer kept for its `Idempotency-Key`.
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
    const told = failures.size;
    const response = await send(method, path, given).catch((cutOff) => {
      // An answer that fails halfway, as a stream does, is cut off. What ended it says more.
      throw failures.size > told ? failureOf(method, path, [...failures.values()].at(-1)) : cutOff;
    });
    const id = response.headers.get("x-request-id") ?? "";
    if (!failures.has(id)) return response;
    throw failureOf(method, path, failures.get(id));
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

/** Returns a log that records the errors of requests by request id. */
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

function failureOf(method: string, path: string, cause: unknown): Error {
  return new Error(`${method} ${path}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
}
