import { describe, expect, it } from "vitest";
import { ACCOUNT_TYPES } from "../../src/alerts/alert.ts";
import { createAuthenticator } from "../support/accounts/authenticator.ts";
import { type RequestOptions, signIn, startApp, type TestApp } from "../support/app.ts";
import { type FakeClock, fakeClock } from "../support/clock.ts";
import { freePort } from "../support/free-port.ts";
import { linkOf, startMailServer } from "../support/services/mail-server.ts";
import { createDatabase } from "../support/services/shared-postgres.ts";
import { startReceiver } from "./fixture.ts";

const DAY = 24 * 60 * 60_000;
const VISITOR = { address: "127.0.0.1", userAgent: "test", requestId: "req_test" };

/** Starts a server whose operator has a webhook for alerts about accounts. */
async function start(options: Parameters<typeof startApp>[0] = {}) {
  const receiver = await startReceiver();
  const clock = fakeClock();
  const app = await startApp({ privateWebhooks: true, clock, ...options });
  const made = await app.request("POST", "/api/v1/webhooks", {
    body: { url: receiver.url(), types: [...ACCOUNT_TYPES, "alerts.held_back"] },
  });
  expect(made.status).toBe(201);
  const told = async () => {
    await settle(app, clock);
    return receiver.received.splice(0).map(({ body }) => JSON.parse(body));
  };
  return { app, clock, receiver, told, hook: `/api/v1/webhooks/${made.body.webhook.id}` };
}

async function settle(app: TestApp, clock: FakeClock): Promise<void> {
  clock.advance(1000);
  await app.app.services.alerts.idle();
}

const does = async (app: TestApp, method: string, path: string, options: RequestOptions = {}) => {
  const answer = await app.request(method, path, options);
  expect(answer.status, answer.text).toBeLessThan(300);
  return answer.body;
};

describe("an operator's webhook", () => {
  it("is told of an account from beginning to end", async () => {
    const { app, clock, told } = await start();
    const body = { name: "Example Ltd", ownerEmail: "ada@example.test", plan: "free" };
    const { account, signInLink } = await does(app, "POST", "/api/v1/accounts", { body });
    const here = { id: account.id, name: "Example Ltd", plan: "free" };
    const operator = (await does(app, "GET", "/api/v1/account")).account.id;
    const created = { accountId: operator, account: here, ownerEmail: "ada@example.test" };
    expect(await told()).toMatchObject([{ type: "account.created", data: created }]);

    const change = (changed: object) =>
      does(app, "PATCH", `/api/v1/accounts/${account.id}`, { body: changed });
    await change({ plan: "team", limits: { requestsPerMinute: 7 } });
    await change({ plan: "team" });
    await change({ limits: {} });
    const changed = { ...here, plan: "team" };
    expect((await told()).map(({ type, data }) => [type, data.account, data.changed])).toEqual([
      ["account.updated", changed, ["plan", "limits"]],
      ["account.updated", changed, ["limits"]],
    ]);

    await change({ suspended: true });
    await change({ suspended: false });
    const key = await signIn(app, account.id, signInLink);
    await does(app, "POST", "/api/v1/account/close", { key, body: { name: "Example Ltd" } });
    await does(app, "POST", "/api/v1/account/keep", { key, body: {} });
    const closed = await does(app, "POST", "/api/v1/account/close", { key, body: { name: "Example Ltd" } });
    const lives = (await told()).map(({ type, data }) => [type, data.account, data.deletedAfter]);
    expect(lives).toEqual([
      ["account.suspended", changed, undefined],
      ["account.resumed", changed, undefined],
      ["account.closed", changed, expect.any(String)],
      ["account.kept", changed, undefined],
      ["account.closed", changed, closed.deletedAfter],
    ]);

    clock.advance(31 * DAY);
    const isGone = async () =>
      !JSON.stringify(await does(app, "GET", "/api/v1/accounts")).includes(account.id);
    await expect.poll(isGone).toBe(true);
    const [deleted] = await told();
    expect([deleted.type, deleted.data.account]).toEqual(["account.deleted", changed]);
  });

  it("is told who signed up, and who owns an account from then on", async () => {
    const mail = await startMailServer();
    const sends = { smtpUrl: mail.url, from: "sign-in@plane.example" };
    const { app, told } = await start({ signUp: "open", mail: sends });
    const { linkMail, signIn: ways, users } = app.app.services;
    const arriving = mail.next();
    await linkMail?.request({ email: "grace@example.test", next: "/" }, VISITOR);
    const link = new URL(linkOf(await arriving)).searchParams.get("link") ?? "";
    const session = await ways.consumeLink(link, VISITOR);
    const [signedUp] = await told();
    expect(signedUp).toMatchObject({
      type: "account.signed_up",
      data: { account: { plan: "free" }, ownerEmail: "grace@example.test" },
    });
    const grace = await ways.lookUp(session?.secret ?? "");
    const accountId: string = signedUp.data.account.id;
    expect(grace?.account.id).toBe(accountId);
    const by = { accountId, userId: grace?.user.id ?? "", ...VISITOR };
    const arrivesToo = mail.next();
    const { user } = await users.invite(by, { email: "hedy@example.test", role: "admin" });
    const invitation = new URL(linkOf(await arrivesToo)).searchParams.get("link") ?? "";
    await ways.consumeLink(invitation, VISITOR);
    await users.transfer(by, user.id);
    expect(await told()).toMatchObject([
      { type: "account.transferred", data: { account: { id: accountId }, ownerEmail: "hedy@example.test" } },
    ]);
  });

  it("is told no address of somebody who signs up with a passkey and a name", async () => {
    const port = await freePort();
    const baseUrl = `http://localhost:${port}`;
    const { app, told } = await start({ signUp: "open", port, baseUrl });
    const { passkeys } = app.app.services;
    const options = await passkeys.askForNew("cookie", VISITOR, { name: "Ada" });
    const answer = createAuthenticator().create(options, { origin: baseUrl });
    await passkeys.signUp(answer, "cookie", VISITOR);
    const [{ type, data }] = await told();
    expect([type, data.account.name, data.ownerEmail]).toEqual(["account.signed_up", "Ada", undefined]);
  });

  it("is told of a plan that changed along with a suspension as of any other", async () => {
    const { app, told } = await start();
    const { accountId } = await app.account("free");
    await told();
    const body = { plan: "team", suspended: true };
    await does(app, "PATCH", `/api/v1/accounts/${accountId}`, { body });
    expect((await told()).map(({ type, data }) => [type, data.account.plan, data.changed])).toEqual([
      ["account.updated", "team", ["plan"]],
      ["account.suspended", "team", undefined],
    ]);
  });

  it("is told of a plan that ends three days before, and of the one that follows", async () => {
    const { app, clock, told } = await start();
    const { accountId } = await app.account("pro");
    const nextPlan = { plan: "free", at: new Date(clock.now() + 10 * DAY).toISOString() };
    await does(app, "PATCH", `/api/v1/accounts/${accountId}`, { body: { nextPlan } });
    await told();
    const types = [];
    for (let hour = 0; hour < 11 * 24; hour++) {
      clock.advance(DAY / 24);
      types.push(...(await told()));
    }
    const here = { id: accountId, name: "pro" };
    expect(types.map(({ type, data }) => [type, data.account, data.changed])).toEqual([
      ["account.plan_ending", { ...here, plan: "pro", nextPlan }, undefined],
      ["account.updated", { ...here, plan: "free" }, ["plan", "nextPlan"]],
    ]);
  });

  it("is told 20 alerts of a type about one account in an hour, which take no room from others", async () => {
    const { app, clock, told } = await start();
    const { accountId } = await app.account("free");
    const other = await app.account("free");
    await told();
    const rename = (id: string, name: string) =>
      does(app, "PATCH", `/api/v1/accounts/${id}`, { body: { name } });
    for (let index = 0; index < 25; index++) await rename(accountId, `Name ${index}`);
    await rename(other.accountId, "Another");
    const types = [];
    for (let seconds = 0; seconds < 5; seconds++) types.push(...(await told()));
    expect(types.filter(({ data }) => data.account?.id === accountId)).toHaveLength(20);
    expect(types.filter(({ data }) => data.account?.id === other.accountId)).toHaveLength(1);
    const data = expect.objectContaining({ heldBack: "account.updated", about: accountId });
    expect(types.filter(({ type }) => type === "alerts.held_back")).toEqual([
      expect.objectContaining({ data }),
    ]);
    clock.advance(60 * 60_000);
    await rename(accountId, "Next hour");
    expect(await told()).toMatchObject([
      { type: "account.updated", data: { account: { name: "Next hour" } } },
    ]);
  });

  it.each(["a directory", "PostgreSQL"])(
    "is told of 110 accounts that are made at once on %s",
    async (on) => {
      const databaseUrl = on === "PostgreSQL" ? await createDatabase() : undefined;
      const { app, told } = await start(databaseUrl === undefined ? {} : { databaseUrl });
      const names = Array.from({ length: 110 }, (_, index) => `Customer ${index}`);
      const make = (name: string, index: number) =>
        does(app, "POST", "/api/v1/accounts", {
          body: { name, ownerEmail: `${index}@example.test`, plan: "free" },
        });
      await Promise.all(names.map(make));
      const named = (await told()).map(({ data }) => data.account.name);
      expect(named.toSorted()).toEqual(names.toSorted());
    },
  );
});

describe("who is no operator", () => {
  it("neither makes nor changes such a webhook, nor reads what it was sent", async () => {
    const { app, clock, receiver, hook } = await start();
    await app.account("team");
    await settle(app, clock);
    expect(receiver.received).toHaveLength(1);
    const [{ alertId }] = (await does(app, "GET", `${hook}/deliveries`)).items;
    const admin = await app.key(["read", "write", "admin"]);
    const { token } = await app.account("team");
    const url = receiver.url("/elsewhere");
    const types = ["account.signed_up"];
    const own = (await does(app, "POST", "/api/v1/webhooks", { key: admin, body: { url } })).webhook.id;
    for (const [method, path, body, key = admin] of [
      ["POST", "/api/v1/webhooks", { url, types }],
      ["POST", "/api/v1/webhooks", { url, types }, token],
      ["PATCH", `/api/v1/webhooks/${own}`, { types }],
      ["PATCH", hook, { url }],
      ["PATCH", hook, { types: null }],
      ["DELETE", hook],
      ["POST", `${hook}/rotate`, {}],
      ["GET", `${hook}/deliveries/${alertId}`],
      ["POST", `${hook}/deliveries/${alertId}/redeliver`, {}],
    ] as const) {
      const refused = await app.request(method, path, { key, ...(body && { body }) });
      expect([method, path, refused.status, refused.body.error]).toEqual([
        method,
        path,
        403,
        "insufficient_scope",
      ]);
    }
    // What it was sent before stays the operator's when it gets other alerts, at another address.
    await does(app, "PATCH", hook, { body: { types: ["key.refused"] } });
    await settle(app, clock);
    await does(app, "PATCH", hook, { key: admin, body: { url } });
    const again = `${hook}/deliveries/${alertId}`;
    expect((await app.request("GET", again, { key: admin })).status).toBe(403);
    expect((await app.request("POST", `${again}/redeliver`, { key: admin, body: {} })).status).toBe(403);
  });

  it("is told nothing of other accounts by a webhook for all alerts, nor by mail", async () => {
    const mail = await startMailServer();
    const { app, clock, receiver } = await start({ mail: { smtpUrl: mail.url, from: "a@plane.example" } });
    const all = receiver.url("/all");
    await does(app, "POST", "/api/v1/webhooks", { body: { url: all } });
    const body = { name: "Example Ltd", ownerEmail: "ada@example.test", plan: "free" };
    const inviting = mail.next();
    await does(app, "POST", "/api/v1/accounts", { body });
    expect((await inviting).to).toBe("ada@example.test");
    const key = await app.key(["read"]);
    const [{ id }] = (await does(app, "GET", "/api/v1/keys")).items;
    await does(app, "DELETE", `/api/v1/keys/${id}`);
    expect((await app.request("GET", "/api/v1/account", { key })).status).toBe(401);
    const arriving = mail.next();
    await settle(app, clock);
    clock.advance(60_000);
    await settle(app, clock);
    const letter = await arriving;
    expect(letter.to).toBe("owner@localhost");
    expect(letter.text).toContain("The API key test was used");
    expect(letter.text).not.toContain("Example Ltd");
    const sent = receiver.received.map(({ path, body }) => [path, JSON.parse(body).type]);
    expect(sent).toEqual([
      ["/hook", "account.created"],
      ["/all", "key.refused"],
    ]);
  });
});
