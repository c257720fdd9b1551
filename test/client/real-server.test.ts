import { describe, expect, it } from "vitest";
import { createApiClient } from "../../src/client/api-client.ts";
import { SignedOut } from "../../src/client/errors.ts";
import type { CredentialSource } from "../../src/client/sign-in/credential.ts";
import { deviceLogin } from "../../src/client/sign-in/device-login.ts";
import { flushQueue } from "../../src/client/telemetry/flush-queue.ts";
import { createTelemetryQueue } from "../../src/client/telemetry/telemetry-queue.ts";
import { Problem } from "../../src/contract/problem.ts";
import { systemClock } from "../../src/system/clock.ts";
import { createRandom } from "../../src/system/random.ts";
import { OWNER_KEY, startApp, type TestApp } from "../support/app.ts";
import { temporaryDirectory } from "../support/store.ts";
import { hurryingClock } from "./support/clock.ts";
import { storedCredential, tokenFromEnvironment } from "./support/credentials.ts";
import { leave } from "./support/queue.ts";

const random = createRandom(systemClock);

function clientOf(app: TestApp, credentials: CredentialSource) {
  return createApiClient({ baseUrl: app.url, credentials, clock: systemClock, random });
}

/** Signs in as people do, with an approval before the first poll. */
async function signIn(app: TestApp) {
  const credentials = storedCredential();
  const api = clientOf(app, credentials);
  for await (const state of deviceLogin({
    api,
    clock: hurryingClock(),
    clientId: "tool-cli",
    scope: "read write",
  })) {
    if (state.kind === "prompt") {
      const path = `/api/v1/device-authorizations/${state.prompt.userCode}`;
      await app.request("POST", path, { body: { decision: "approve" } });
    }
    if (state.kind === "approved") await credentials.write(state.credential);
  }
  return credentials;
}

describe("the API client with the real server", () => {
  it("signs in, calls, and keeps working when two processes renew the credential at once", async () => {
    const app = await startApp();
    const credentials = await signIn(app);
    expect(credentials.stored).toMatchObject({ clientId: "tool-cli", scope: "read write" });
    credentials.stored = { ...credentials.stored!, expiresAt: systemClock.now() };
    const processes = [clientOf(app, credentials), clientOf(app, credentials)];
    const accounts = await Promise.all(processes.map((api) => api.call("GET /api/v1/account", {})));
    expect(accounts[0]).toMatchObject({ credential: { kind: "access_token", scopes: ["read", "write"] } });
    credentials.stored = { ...credentials.stored!, expiresAt: systemClock.now() };
    expect((await clientOf(app, credentials).call("GET /api/v1/account", {})).account).toEqual(
      accounts[0]?.account,
    );
  });

  it("throws SignedOut once the sign-in was revoked elsewhere", async () => {
    const app = await startApp();
    const credentials = await signIn(app);
    const api = clientOf(app, credentials);
    await api.call("GET /api/v1/account", {});
    await api.form("/auth/revoke", { token: credentials.stored?.refreshToken, client_id: "tool-cli" });
    await expect(api.call("GET /api/v1/account", {})).rejects.toBeInstanceOf(SignedOut);
    expect(credentials.stored).toBeUndefined();
  });

  it("throws the server's problems unchanged", async () => {
    const api = clientOf(await startApp(), tokenFromEnvironment(OWNER_KEY));
    const error = await api
      .call("POST /api/v1/track", { type: "nonsense" as "api_calls" })
      .catch((e: unknown) => e);
    expect(error).toBeInstanceOf(Problem);
    expect(error).toMatchObject({ error: "invalid_request", extras: { errors: [{ path: "type" }] } });
  });

  it("has the server count each queued event once", async () => {
    const app = await startApp();
    const api = clientOf(app, tokenFromEnvironment(OWNER_KEY));
    const options = { directory: temporaryDirectory(), api, clock: systemClock, random };
    const queue = createTelemetryQueue(options);
    await api.call("POST /api/v1/track", { type: "skills_accessed" }, { idempotencyKey: "key-1" });
    leave(queue, "unknown", { idempotencyKey: "key-1", body: { type: "skills_accessed" } });
    leave(queue, "never", { idempotencyKey: "key-2", body: { type: "workflows_started", count: 4 } });
    queue.record({ event: "mcp.tool.call", count: 3, payload: { tool: "recall" } });
    queue.record({ event: "of.no.type" });
    queue.record({ event: "api.call", at: 0 });
    expect(await flushQueue(options)).toEqual({ sent: 4, batches: 2, refused: 1, waiting: 0 });
    expect(queue.contents().refused).toMatchObject([{ events: 1, error: "rejected" }]);
    expect((await api.call("GET /api/v1/usage", {})).totals).toEqual({
      api_calls: 0,
      agents_invoked: 0,
      skills_accessed: 1,
      workflows_started: 4,
      mcp_calls: 3,
    });
  });
});
