import * as client from "openid-client";
import { describe, expect, it } from "vitest";
import { startApp, type TestApp } from "../support/app.ts";
import { noBrowser, openPage } from "../support/browser.ts";
import { linkOn } from "../support/browsing.ts";
import { fakeClock } from "../support/clock.ts";

if (noBrowser) console.warn(`skipped: people approving in a browser, since ${noBrowser}`);

async function discover(app: TestApp): Promise<client.Configuration> {
  return client.discovery(new URL(app.url), "acme-tool", undefined, client.None(), {
    algorithm: "oauth2",
    execute: [client.allowInsecureRequests],
  });
}

/** Decides as the owner would on the page, through the API. */
function decide(app: TestApp, userCode: string, decision: "approve" | "deny") {
  return app.request("POST", `/api/v1/device-authorizations/${userCode}`, { body: { decision } });
}

describe("the unmodified openid-client", () => {
  it("discovers the server, signs a device in, refreshes and revokes", async () => {
    const app = await startApp();
    const config = await discover(app);
    expect(config.serverMetadata().device_authorization_endpoint).toBe(`${app.url}/auth/device/code`);
    const begun = await client.initiateDeviceAuthorization(config, { scope: "read write" });
    expect(begun).toMatchObject({ expires_in: 900, interval: 5, verification_uri: `${app.url}/device` });
    expect(begun.user_code).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/);
    expect((await decide(app, begun.user_code, "approve")).status).toBe(200);

    const tokens = await client.pollDeviceAuthorizationGrant(config, { ...begun, interval: 0.01 });
    expect(tokens).toMatchObject({ token_type: "bearer", expires_in: 3600, scope: "read write" });
    const who = await app.request("GET", "/api/v1/account", { key: tokens.access_token });
    expect(who.body.user.email).toBe("owner@localhost");

    const renewed = await client.refreshTokenGrant(config, tokens.refresh_token ?? "");
    expect(renewed.access_token).not.toBe(tokens.access_token);
    expect((await app.request("GET", "/api/v1/account", { key: renewed.access_token })).status).toBe(200);

    await client.tokenRevocation(config, renewed.refresh_token ?? "");
    for (const key of [tokens.access_token, renewed.access_token]) {
      expect((await app.request("GET", "/api/v1/account", { key })).status).toBe(401);
    }
  });

  it("gets access_denied when the person denies", async () => {
    const app = await startApp();
    const config = await discover(app);
    const begun = await client.initiateDeviceAuthorization(config, {});
    await decide(app, begun.user_code, "deny");
    await expect(
      client.pollDeviceAuthorizationGrant(config, { ...begun, interval: 0.01 }),
    ).rejects.toMatchObject({
      error: "access_denied",
    });
  });

  it("gets expired_token when the code has expired", async () => {
    const clock = fakeClock();
    const app = await startApp({ clock });
    const config = await discover(app);
    const begun = await client.initiateDeviceAuthorization(config, {});
    clock.advance(901_000);
    await expect(
      client.pollDeviceAuthorizationGrant(config, { ...begun, interval: 0.01 }),
    ).rejects.toMatchObject({
      error: "expired_token",
    });
  });
});

describe("a device", () => {
  const begin = async (app: TestApp) =>
    (await app.request("POST", "/auth/device/code", { key: null, body: { client_id: "acme-tool" } })).body;
  const poll = (app: TestApp, device_code: string) =>
    app.request("POST", "/auth/device/token", { key: null, body: { device_code } });

  it("gets slow_down when it polls too fast, and can still sign in", async () => {
    const clock = fakeClock();
    const app = await startApp({ clock });
    const { device_code, user_code } = await begin(app);
    expect((await poll(app, device_code)).body.error).toBe("authorization_pending");
    expect((await poll(app, device_code)).body.error).toBe("slow_down");
    await decide(app, user_code, "approve");
    expect((await poll(app, device_code)).body.access_token).toMatch(/^tat_/);
  });

  it("gets one pair of tokens from 50 concurrent polls", async () => {
    const app = await startApp();
    const { device_code, user_code } = await begin(app);
    await decide(app, user_code, "approve");
    const answers = await Promise.all(Array.from({ length: 50 }, () => poll(app, device_code)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const { status, body } of answers) {
      if (status !== 200) expect(["invalid_grant", "slow_down"]).toContain(body.error);
    }
  });
});

describe.skipIf(noBrowser)("a person in a browser", () => {
  it("signs in by the printed link, compares client, scopes and code, and approves", async () => {
    const app = await startApp({ owner: { email: "owner@localhost" } });
    const page = await openPage({ javaScriptEnabled: false });
    await page.goto(app.signInUrl ?? "");
    await page.getByRole("button").filter({ hasText: "Sign in" }).click();

    const begun = (
      await app.request("POST", "/auth/device/code", {
        key: null,
        body: { client_id: "acme-tool", scope: "read write" },
      })
    ).body;
    await page.goto(begun.verification_uri_complete);
    const text = await page.locator("main").innerText();
    expect(text).toContain(begun.user_code);
    expect(text).toContain("acme-tool");
    expect(text.toLowerCase()).toContain("not registered");
    expect(text).toContain("owner@localhost");
    const pending = await app.request("POST", "/auth/device/token", {
      key: null,
      body: { device_code: begun.device_code },
    });
    expect(pending.body.error).toBe("authorization_pending");

    await page.getByRole("button", { name: "Approve" }).click();
    expect(await page.locator("main").innerText()).toContain("Go back to your terminal");
    const { body } = await app.request("POST", "/auth/device/token", {
      key: null,
      body: { device_code: begun.device_code },
    });
    expect(body).toMatchObject({ token_type: "Bearer", scope: "read write" });
  });

  it("gets 429 after ten wrong user codes, typed on the page or sent to the API", async () => {
    const app = await startApp();
    const page = await openPage();
    await page.goto(await linkOn(app));
    await page.getByRole("button").filter({ hasText: "Sign in" }).click();
    const onPage = async (code: string) => (await page.goto(`${app.url}/device?user_code=${code}`))?.status();
    const atApi = (code: string) => app.request("GET", `/api/v1/device-authorizations/${code}`);
    for (let count = 0; count < 10; count++) {
      const code = `BBBB-BBB${"BCDFGHJKLM"[count]}`;
      expect(count % 2 ? (await atApi(code)).status : await onPage(code)).toBe(404);
    }
    expect(await onPage("BBBB-CCCC")).toBe(429);
    expect((await atApi("BBBB-CCCC")).status).toBe(429);
    expect((await decide(app, "BBBB-CCCC", "approve")).status).toBe(429);
  });
});
