import { describe, expect, it } from "vitest";
import { ACCOUNT_TYPES } from "../../src/alerts/alert.ts";
import { type RequestOptions, signIn, startApp, type TestApp } from "../support/app.ts";
import { fakeClock } from "../support/clock.ts";
import { startReceiver } from "./fixture.ts";

const does = async (app: TestApp, method: string, path: string, options: RequestOptions = {}) => {
  const answer = await app.request(method, path, options);
  expect(answer.status, answer.text).toBeLessThan(300);
  return answer.body;
};

/** Starts a server whose operator has a webhook for alerts about accounts, and an admin's key beside the operator's. */
async function start() {
  const receiver = await startReceiver();
  const clock = fakeClock();
  const app = await startApp({ privateWebhooks: true, clock });
  const body = { url: receiver.url(), types: ACCOUNT_TYPES };
  const hook = `/api/v1/webhooks/${(await does(app, "POST", "/api/v1/webhooks", { body })).webhook.id}`;
  const pass = async (ms: number) => {
    clock.advance(ms);
    await app.app.services.alerts.idle();
  };
  return { app, receiver, hook, pass, admin: await app.key(["read", "write", "admin"]) };
}

const CUSTOMER = { name: "Example Ltd", ownerEmail: "ada@example.test", plan: "free" };

describe("who is no operator", () => {
  it("has nothing sent elsewhere that waits for a webhook which named alerts about accounts before", async () => {
    const { app, receiver, hook, pass, admin } = await start();
    receiver.answer = () => 500;
    await does(app, "POST", "/api/v1/accounts", { body: CUSTOMER });
    await pass(1000);
    await does(app, "PATCH", hook, { body: { types: ["key.refused"] } });
    const body = { url: receiver.url("/elsewhere") };
    expect((await app.request("PATCH", hook, { key: admin, body })).body.error).toBe("insufficient_scope");
    expect((await app.request("DELETE", hook, { key: admin })).status).toBe(403);
    receiver.answer = () => 204;
    await pass(60_000);
    expect(receiver.received.map(({ path }) => path)).toEqual(["/hook", "/hook"]);
    await does(app, "PATCH", hook, { key: admin, body });
  });

  it("does not see what a receiver answered to alerts about accounts", async () => {
    const { app, receiver, hook, pass, admin } = await start();
    receiver.answer = ({ body }) => ({ status: 500, body });
    await does(app, "POST", "/api/v1/accounts", { body: CUSTOMER });
    await does(app, "POST", `${hook}/test`, { body: {} });
    await pass(1000);
    const answers = async (key?: string) =>
      (await does(app, "GET", `${hook}/deliveries`, { ...(key !== undefined && { key }) })).items.map(
        ({ type, lastAttempt: { status, answer } }: never) => [type, status, answer],
      );
    const test = ["webhook.test", 500, expect.stringContaining("whk_")];
    expect(await answers(admin)).toEqual([test, ["account.created", 500, undefined]]);
    expect(await answers()).toEqual([test, ["account.created", 500, expect.stringContaining("ada@")]]);
  });

  it("gets nothing of other accounts with the export of the operator's", async () => {
    const { app, receiver, pass, hook } = await start();
    receiver.answer = ({ body }) => ({ status: 500, body });
    await does(app, "POST", "/api/v1/accounts", { body: CUSTOMER });
    await does(app, "POST", `${hook}/test`, { body: {} });
    await pass(1000);
    const { id } = (await does(app, "GET", "/api/v1/account")).account;
    const invited = { email: "second@example.test", role: "owner" };
    const { signInLink } = await does(app, "POST", "/api/v1/users", { body: invited });
    const key = await signIn(app, id, signInLink);
    const { items } = await does(app, "GET", "/api/v1/account/export", { key });
    const text = JSON.stringify(items);
    expect(text).toContain("webhook.test");
    expect(text).not.toContain(CUSTOMER.name);
    expect(text).not.toContain(CUSTOMER.ownerEmail);
  });
});
