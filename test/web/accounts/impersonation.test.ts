import { describe, expect, it, vi } from "vitest";
import { endpoints } from "../../../src/api.ts";
import { CALLBACK, requestOf } from "../../oauth/redirect.ts";
import { startApp, type TestApp } from "../../support/app.ts";
import { linkOn } from "../../support/browsing.ts";
import { type FakeClock, fakeClock } from "../../support/clock.ts";
import { startForgingProvider } from "../../support/services/forging-provider.ts";
import { createDatabase } from "../../support/services/shared-postgres.ts";
import { STORES } from "../../support/store.ts";
import { hiddenFields, type Visitor, visitor } from "../support/visitor.ts";

const NOW = Date.UTC(2026, 2, 31, 12, 30);
const MINUTE = 60_000;

describe.each(STORES)("impersonation in %s", (on) => {
  it("shows the user's pages under a banner, with a new secret at start and end, and is logged in both accounts", async () => {
    const { app, operator, bob } = await start(on);
    const before = operator.cookie();
    await signInAs(operator, bob);
    const during = operator.cookie();
    expect(during).not.toBe(before);
    const page = await operator.get("/");
    expect(page.text).toContain(`You see what ${bob.email} sees in ${bob.account} , until 13:30 UTC`);
    expect(page.text).not.toMatch(/Sign out|Instance/);
    for (const path of ["/usage", "/keys", "/people", "/docs", "/people?user=nobody", "/security"])
      expect((await operator.get(path)).text).toContain("Be yourself again");
    expect((await operator.get("/server/accounts")).status).toBe(404);
    const back = await operator.send(page, "/sign-in-as/end");
    expect(back.location).toBe(`/server/accounts?id=${bob.accountId}`);
    expect(new Set([before, during, operator.cookie()]).size).toBe(3);
    expect((await operator.get(back.location ?? "")).text).not.toContain("Be yourself again");
    for (const secret of [before, during]) {
      const other = await fetch(`${app.url}/usage`, { headers: { cookie: secret }, redirect: "manual" });
      expect(other.status).toBe(303);
    }
    for (const of of [bob.accountId, await ownAccount(app)])
      expect(await logOf(app, of)).toEqual([
        `user.impersonation_started ${bob.email} by owner@localhost`,
        `user.impersonation_ended ${bob.email} by owner@localhost`,
      ]);
  });

  it("ends after an hour, or when the impersonated account is suspended", async () => {
    const { app, operator, bob, clock } = await start(on);
    await signInAs(operator, bob);
    clock.advance(59 * MINUTE);
    expect((await operator.get("/usage")).text).toContain("Be yourself again");
    const stale = await operator.get("/keys");
    clock.advance(2 * MINUTE);
    // A form of another account's page must not act on the operator's own account.
    const late = await operator.send(stale, "/keys", { do: "create", name: "late", may: "read" });
    expect(late.status).toBe(403);
    const own = await operator.get("/usage");
    expect(own.text).toContain("owner@localhost");
    expect(own.text).not.toContain("Be yourself again");
    await signInAs(operator, bob);
    await app.app.services.accounts.update(SYSTEM, bob.accountId, { suspended: true });
    expect((await operator.get("/usage")).text).toContain("owner@localhost");
    expect((await logOf(app, bob.accountId)).filter((entry) => entry.includes("_ended"))).toHaveLength(2);
    expect((await app.request("GET", "/api/v1/keys")).body.items).toEqual([]);
  });
});

describe("an impersonating operator", () => {
  it("is still signed in where the first page after the hour fails", async () => {
    const { app, operator, bob, clock } = await start("a directory");
    await signInAs(operator, bob);
    clock.advance(61 * MINUTE);
    vi.spyOn(app.app.services.projects, "list").mockRejectedValueOnce(new Error("inside"));
    expect((await operator.get("/usage")).status).toBe(500);
    expect((await operator.get("/usage")).text).toContain("owner@localhost");
  });

  it("gets nothing more on an open event stream after the hour", async () => {
    const { app, operator, bob, clock } = await start("a directory");
    await signInAs(operator, bob);
    clock.advance(59 * MINUTE);
    const headers = { cookie: operator.cookie(), accept: "text/event-stream" };
    const { body } = await fetch(`${app.url}/usage`, { headers });
    clock.advance(2 * MINUTE);
    expect(await body?.getReader().read()).toMatchObject({ done: true });
  });

  it("cannot submit any form, not even in the reference", async () => {
    const { app, operator, bob } = await start("a directory");
    await signInAs(operator, bob);
    const { form_token = "" } = hiddenFields((await operator.get("/")).html, "/sign-in-as/end");
    const forms: [string, Record<string, string>][] = [
      ["/keys", { do: "create", name: "k", may: "admin" }],
      ["/people", { do: "invite", email: "eve@example.com", role: "owner" }],
      ["/account", { do: "leave" }],
      ["/security", {}],
      ["/password", { password: "correct horse battery staple" }],
      ["/accounts", { account: bob.accountId }],
      ["/sign-out", {}],
      ["/sign-in", { email: "owner@localhost", password: "x" }],
      ["/sign-in-as", { account: bob.accountId, user: bob.userId }],
      ["/server/accounts", { do: "plan", id: bob.accountId, plan: "free" }],
      ["/docs/keys.create", { body: '{"name":"k","scopes":["read"]}' }],
      ["/docs/usage.show", {}],
    ];
    const count = async () =>
      (await app.request("GET", `/api/v1/audit-log?accountId=all&limit=200`)).body.items.length;
    const noted = await count();
    for (const path of ["/security/export", "/account/export"])
      expect((await operator.get(path)).status).toBe(403);
    for (const [path, fields] of forms) {
      const answer = await operator.post(path, new URLSearchParams({ form_token, ...fields }).toString());
      expect([path, answer.status]).toEqual([path, 403]);
      expect(answer.text).toContain("You only look here Nothing was done.");
      expect(answer.text).toContain("Be yourself again");
    }
    expect(await count()).toBe(noted);
  });

  it("cannot obtain a key, approve a device, authorize an application, connect a provider or use the API", async () => {
    const { issuer } = await startForgingProvider();
    const corp = { name: "corp", issuer, clientId: "toolplane", clientSecret: "a secret of the test" };
    const { app, operator, bob } = await start("a directory", { providers: [corp] });
    const device = await app.request("POST", "/auth/device/code", {
      key: "",
      body: { client_id: "tool-cli" },
    });
    const { client_id } = (
      await app.request("POST", "/auth/register", { key: "", body: { redirect_uris: [CALLBACK] } })
    ).body;
    const begun = await operator.get(`/auth/authorize?${new URLSearchParams(requestOf({ client_id }))}`);
    const consent = begun.location ?? "";
    const { request_uri = "" } = Object.fromEntries(new URL(consent, app.url).searchParams);
    const pages = [`/device?user_code=${device.body.user_code}`, consent, "/keys/export", "/accounts"];
    const looked = async () =>
      Promise.all(pages.map(async (path) => [path, (await operator.get(path)).status]));
    expect(await looked()).toEqual(pages.map((path) => [path, 200]));
    await signInAs(operator, bob);
    const { form_token = "" } = hiddenFields((await operator.get("/")).html, "/sign-in-as/end");
    const forms: [string, Record<string, string>][] = [
      ["/keys", { do: "create", name: "k", may: "read" }],
      ["/device", { user_code: device.body.user_code, decision: "approve" }],
      ["/auth/authorize", { client_id, request_uri, decision: "approve" }],
      ["/sign-in/with/corp", {}],
    ];
    const send = async ([path, fields]: (typeof forms)[number]) =>
      (await operator.post(path, new URLSearchParams({ form_token, ...fields }).toString())).status;
    for (const form of forms) expect([form[0], await send(form)]).toEqual([form[0], 403]);
    expect(await looked()).toEqual(pages.map((path) => [path, 403]));
    expect((await app.request("GET", "/api/v1/keys", { key: bob.token })).body.items).toEqual([]);
    const secret = operator.cookie().split("=")[1] ?? "";
    const bearers: Record<string, string>[] = [
      { cookie: operator.cookie() },
      { authorization: `Bearer ${secret}` },
    ];
    for (const headers of bearers)
      expect((await fetch(`${app.url}/api/v1/account`, { headers })).status).toBe(401);
  });
});

describe("starting an impersonation", () => {
  it("is for operators only, and for active users of other open accounts", async () => {
    const { app, operator, bob } = await start("a directory");
    const { email } = bob;
    const mine = await ownAccount(app);
    const page = async (id: string) => (await operator.get(`/server/accounts?id=${id}`)).text;
    expect(await page(bob.accountId)).toContain(`Sign in as ${email}`);
    expect(await page(mine)).not.toContain("Sign in as");
    const asOf = async (browser: Visitor, fields: Record<string, string>) => {
      const { form_token = "" } = hiddenFields((await browser.get("/")).html, "/sign-out");
      const body = new URLSearchParams({ form_token, ...fields }).toString();
      return (await browser.post("/sign-in-as", body)).status;
    };
    const them = { account: bob.accountId, user: bob.userId };
    const invited = await app.request("POST", "/api/v1/users", {
      key: bob.token,
      body: { email: "cy@example.com", role: "admin" },
    });
    expect(await asOf(operator, { ...them, user: invited.body.user.id })).toBe(404);
    const admin = visitor(app.url);
    await admin.send(await admin.get(invited.body.signInLink), "/sign-in");
    expect(await asOf(admin, them)).toBe(404);
    const owner = (await app.request("GET", "/api/v1/account")).body.user.id;
    expect(await asOf(operator, { account: mine, user: owner })).toBe(404);
    expect(await asOf(operator, { account: bob.accountId, user: "usr_nobody" })).toBe(404);
    const { users, accounts } = app.app.services;
    await users.update({ ...SYSTEM, accountId: bob.accountId, userId: bob.userId }, invited.body.user.id, {
      suspended: true,
    });
    expect(await asOf(operator, { ...them, user: invited.body.user.id })).toBe(404);
    await accounts.update(SYSTEM, bob.accountId, { suspended: true });
    expect(await asOf(operator, them)).toBe(404);
    expect(await page(bob.accountId)).not.toContain("Sign in as");
  });

  it("has no API endpoint", () => {
    expect(Object.values(endpoints).filter(({ path }) => /sign-in-as|imperson/.test(path))).toEqual([]);
  });
});

const SYSTEM = { address: "", requestId: "req_test" };

/** Starts a server with its operator's browser and a user in another account. */
async function start(on: (typeof STORES)[number], options: Parameters<typeof startApp>[0] = {}) {
  const clock: FakeClock = fakeClock(NOW);
  const databaseUrl = on === "PostgreSQL" ? await createDatabase() : undefined;
  const app = await startApp({ clock, ...options, ...(databaseUrl && { databaseUrl }) });
  const operator = visitor(app.url);
  await operator.send(await operator.get(await linkOn(app)), "/sign-in");
  const { accountId, token } = await app.account("team");
  const { account, user } = (await app.request("GET", "/api/v1/account", { key: token })).body;
  return {
    ...{ app, operator, clock },
    bob: {
      accountId,
      token,
      userId: user.id as string,
      email: user.email as string,
      account: account.name as string,
    },
  };
}

async function signInAs(operator: Visitor, { accountId, userId }: { accountId: string; userId: string }) {
  const page = await operator.get(`/server/accounts?id=${accountId}`);
  const done = await operator.send(page, "/sign-in-as", { user: userId });
  expect(done).toMatchObject({ status: 303, location: "/" });
}

async function ownAccount(app: TestApp): Promise<string> {
  return (await app.request("GET", "/api/v1/account")).body.account.id;
}

/** Returns the impersonation entries of an account's log, oldest first. */
async function logOf(app: TestApp, accountId: string): Promise<string[]> {
  const { items } = (await app.request("GET", `/api/v1/audit-log?accountId=${accountId}&limit=200`)).body;
  return items
    .filter(({ action }: { action: string }) => action.includes("impersonation"))
    .map((entry: { action: string; target: { name: string }; actor: { name: string } }) => {
      return `${entry.action} ${entry.target.name} by ${entry.actor.name}`;
    })
    .reverse();
}
