import { type IncomingMessage, request } from "node:http";
import { describe, expect, it } from "vitest";
import { users } from "../../src/accounts/model.ts";
import { localProof } from "../../src/contract/local-proof.ts";
import { createLocalApproval } from "../../src/oauth/device/local-approval.ts";
import { isFromHere } from "../../src/server/pipeline/client-address.ts";
import { isForThisMachine } from "../../src/server/starting/start-server.ts";
import { accountSpace } from "../../src/store/store.ts";
import { BASE_URL, DEVICE, oauthError, startServices } from "../accounts/fixture.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { fakeClock } from "../support/clock.ts";

const MINUTE = 60_000;

async function begin(app: TestApp): Promise<string> {
  const body = { client_id: "tool-cli", scope: "read admin" };
  return (await app.request("POST", "/auth/device/code", { key: null, body })).body.device_code;
}

function poll(app: TestApp, deviceCode: string) {
  return app.request("POST", "/auth/device/token", { key: null, body: { device_code: deviceCode } });
}

/** Approves as a program on this machine would, with headers that HTTP libraries do not allow. */
function approve(
  app: TestApp,
  deviceCode: string,
  {
    proof = proofOf(app, deviceCode),
    headers = {},
  }: { proof?: string; headers?: Record<string, string> } = {},
): Promise<{ status: number; body: { error?: string; proof?: string } }> {
  return new Promise((resolve, reject) => {
    const asked = request(
      `${app.url}/auth/device/local`,
      { method: "POST", headers: { "Content-Type": "application/json", ...headers } },
      (answer) => {
        let text = "";
        answer.setEncoding("utf8").on("data", (piece) => {
          text += piece;
        });
        answer.on("end", () => resolve({ status: answer.statusCode ?? 0, body: JSON.parse(text) }));
      },
    );
    asked.on("error", reject).end(JSON.stringify({ device_code: deviceCode, proof }));
  });
}

function proofOf(app: TestApp, deviceCode: string, address = app.url): string {
  return localProof(app.localSecret ?? "", "command", { address, deviceCode });
}

describe("approving a sign-in as the user who runs the server", () => {
  it("grants the requested scopes as the owner, and returns the server's own proof", async () => {
    const app = await startApp();
    const deviceCode = await begin(app);
    const { status, body } = await approve(app, deviceCode);
    expect(status).toBe(200);
    const signIn = { address: app.url, deviceCode };
    expect(body.proof).toBe(localProof(app.localSecret ?? "", "server", signIn));
    const tokens = (await poll(app, deviceCode)).body;
    const account = await app.request("GET", "/api/v1/account", { key: tokens.access_token });
    expect(account.body).toMatchObject({
      user: { email: "owner@localhost" },
      credential: { scopes: ["read", "admin"] },
    });
  });

  it("is refused while the owner is suspended", async () => {
    const { store, audit, clock, devices, owner } = await startServices();
    const secret = "a secret of this machine";
    const approveLocally = createLocalApproval({ audit, clock, secret, address: () => BASE_URL });
    const { device_code } = await devices.begin({ client_id: "tool-cli" }, DEVICE);
    const signIn = { address: BASE_URL, deviceCode: device_code };
    const parameters = { device_code, proof: localProof(secret, "command", signIn) };
    const by = { address: "127.0.0.1", requestId: "req_1" };
    const space = accountSpace(owner.accountId);
    await store.transact((tx) => tx.put(users, space, owner.id, { ...owner, suspendedAt: 1 }));
    await expect(approveLocally(parameters, by)).rejects.toMatchObject(oauthError("access_denied"));
    await store.transact((tx) => tx.put(users, space, owner.id, owner));
    expect(await approveLocally(parameters, by)).toEqual({ proof: localProof(secret, "server", signIn) });
  });

  it("is recorded in the audit log with the kind of proof", async () => {
    const app = await startApp();
    await approve(app, await begin(app));
    const { body } = await app.request("GET", "/api/v1/audit-log?action=device.approved");
    expect(body.items[0]).toMatchObject({
      actor: { address: "127.0.0.1" },
      target: { kind: "client", id: "tool-cli" },
      after: { scopes: ["read", "admin"], provenBy: "file" },
    });
  });

  it("refuses and logs a proof for another secret, code, address or side", async () => {
    const app = await startApp();
    const deviceCode = await begin(app);
    const address = app.url;
    const wrong = {
      secret: localProof("another", "command", { address, deviceCode }),
      code: proofOf(app, await begin(app)),
      address: proofOf(app, deviceCode, address.replace("127.0.0.1", "localhost")),
      side: localProof(app.localSecret ?? "", "server", { address, deviceCode }),
      none: "x",
    };
    for (const [which, proof] of Object.entries(wrong)) {
      const { status, body } = await approve(app, deviceCode, { proof });
      expect([which, status, body.error]).toEqual([which, 400, "access_denied"]);
    }
    expect((await poll(app, deviceCode)).body.error).toBe("authorization_pending");
    const { body } = await app.request("GET", "/api/v1/audit-log?outcome=refused&accountId=instance");
    expect(body.items.length).toBe(Object.keys(wrong).length);
  });

  it("repeats its answer but yields no second token pair or log entry, and refuses the proof for another code", async () => {
    const app = await startApp();
    const deviceCode = await begin(app);
    const proof = proofOf(app, deviceCode);
    const first = await approve(app, deviceCode, { proof });
    expect(first.status).toBe(200);
    expect(await approve(app, deviceCode, { proof })).toEqual(first);
    expect((await poll(app, deviceCode)).status).toBe(200);
    expect(await approve(app, deviceCode, { proof })).toEqual(first);
    expect((await poll(app, deviceCode)).body.error).toBe("invalid_grant");
    const { body } = await app.request("GET", "/api/v1/audit-log?action=device.approved");
    expect(body.items).toHaveLength(1);
    expect((await approve(app, await begin(app), { proof })).body.error).toBe("access_denied");
  });

  it("refuses an expired and an unknown device code", async () => {
    const clock = fakeClock();
    const app = await startApp({ clock });
    const deviceCode = await begin(app);
    clock.advance(15 * MINUTE);
    expect((await approve(app, deviceCode)).body.error).toBe("invalid_grant");
    expect((await approve(app, "made up")).body.error).toBe("invalid_grant");
  });

  it.each<[string, Record<string, string>]>([
    ["by another name of this machine (DNS rebinding)", { Host: "evil.example:4242" }],
    ["by a name of loopback that is not its own", { Host: "localhost" }],
    ["from a page of another site", { Origin: "https://evil.example" }],
    ["from a page of its own", { Origin: "http://127.0.0.1" }],
    ["from a browser that says so", { "Sec-Fetch-Site": "same-origin" }],
    ["with a cookie", { Cookie: "session=x" }],
    ["through a proxy (X-Forwarded-For)", { "X-Forwarded-For": "127.0.0.1" }],
    ["through a proxy (X-Forwarded-Host)", { "X-Forwarded-Host": "a" }],
    ["through a proxy (Forwarded)", { Forwarded: "for=127.0.0.1" }],
    ["through a proxy (X-Real-IP)", { "X-Real-IP": "127.0.0.1" }],
    ["through a proxy (Via)", { Via: "1.1 proxy" }],
  ])("is not found for a request %s, even with a proof", async (_, headers) => {
    const app = await startApp();
    const deviceCode = await begin(app);
    const answer = await approve(app, deviceCode, { headers });
    expect([answer.status, answer.body.error]).toEqual([404, "invalid_request"]);
    expect((await poll(app, deviceCode)).body.error).toBe("authorization_pending");
  });

  it.each(["192.0.2.1", "::ffff:192.0.2.1", "2001:db8::1", undefined])(
    "is not found for a remote peer at %s",
    (remoteAddress) => {
      expect(isFromHere({ socket: { remoteAddress }, headers: {} } as IncomingMessage)).toBe(false);
    },
  );

  const local = {
    host: "127.0.0.1",
    port: 4242,
    dataDirectory: "data",
    plan: "team",
    allowRemote: false,
    logLevel: "silent",
    owner: { email: "a@example.com" },
  } as const;

  it.each([
    ["with other machines let in", { allowRemote: true }],
    ["behind a proxy", { trustProxy: "1" }],
    ["at an address of its own", { baseUrl: "https://control.example.com" }],
    ["with codes entered elsewhere", { verificationUrl: "https://control.example.com" }],
    ["over PostgreSQL, which is no directory of anybody's", { databaseUrl: "postgres://localhost/a" }],
  ])("is not offered %s", (_, more) => {
    expect(isForThisMachine(local)).toBe(true);
    expect(isForThisMachine({ ...local, ...more })).toBe(false);
  });

  it("answers the same if it is not offered as to a request from a web page", async () => {
    const [here, remote] = [await startApp(), await startApp({ trustProxy: "1" })];
    expect(remote.localSecret).toBeUndefined();
    const missing = await approve(remote, await begin(remote), { proof: "x" });
    const hidden = await approve(here, await begin(here), { headers: { Origin: "https://evil.example" } });
    expect(missing).toEqual(hidden);
  });
});
