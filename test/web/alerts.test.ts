import { expect, it } from "vitest";
import { startReceiver } from "../alerts/fixture.ts";
import { startApp } from "../support/app.ts";
import { fakeClock } from "../support/clock.ts";
import { OWNER, openAs } from "./support/tool-pages.ts";
import { hiddenFields, type Page, signedInVisitor, type Visitor } from "./support/visitor.ts";

const EVERY = { "type:key.refused": "on", "type:limit.reached": "on" };

/** Posts fields as a form of the page would. */
async function submit(browser: Visitor, fields: Record<string, string>, at = "/alerts"): Promise<Page> {
  const { form_token = "" } = hiddenFields((await browser.get(at)).html, "/alerts");
  return browser.post("/alerts", new URLSearchParams({ form_token, ...fields }).toString());
}

async function open() {
  const clock = fakeClock();
  const app = await startApp({ owner: OWNER, privateWebhooks: true, clock });
  return { app, clock, browser: await signedInVisitor(app.url, OWNER) };
}

it("a webhook is created, tested, redelivered, disabled, rotated, changed and deleted by forms", async () => {
  const receiver = await startReceiver();
  const { app, browser } = await open();
  const url = receiver.url("/hook?<b>");
  const made = await submit(browser, { do: "create", url, description: "<i>ops</i>", ...EVERY });
  const secret = /whsec_[A-Za-z0-9+/=]{44}/.exec(made.html)?.[0] ?? "";
  expect(secret).not.toBe("");
  const [webhook] = (await app.request("GET", "/api/v1/webhooks")).body.items;
  expect(webhook).toMatchObject({ description: "<i>ops</i>", types: ["limit.reached", "key.refused"] });
  const at = `/alerts?webhook=${webhook.id}`;
  for (const path of ["/alerts", at]) {
    const { html, status } = await browser.get(path);
    expect(status).toBe(200);
    expect(html).not.toContain("<i>ops");
    expect(html).not.toContain(secret);
  }
  const tested = await submit(browser, { do: "test", webhook: webhook.id }, at);
  expect(tested.status).toBeLessThan(400);
  await app.app.services.alerts.idle();
  expect(receiver.received.map(({ body }) => JSON.parse(body).type)).toEqual(["webhook.test"]);
  const [sent] = (await app.request("GET", `/api/v1/webhooks/${webhook.id}/deliveries`)).body.items;
  expect((await browser.get(at)).text).toContain("webhook.test");
  const shown = await browser.get(`${at}&alert=${sent.alertId}`);
  expect(shown.text).toMatch(/204 in \d+ ms/);
  expect(shown.text).toContain(sent.alertId);
  await submit(browser, { do: "redeliver", webhook: webhook.id, alert: sent.alertId }, at);
  await app.app.services.alerts.idle();
  expect(receiver.received.map(({ headers }) => headers["webhook-id"])).toEqual([sent.alertId, sent.alertId]);

  await submit(browser, { do: "off", webhook: webhook.id }, at);
  const refused = await submit(browser, { do: "test", webhook: webhook.id }, at);
  expect(refused.status).toBe(409);
  const rotated = await submit(browser, { do: "rotate", webhook: webhook.id }, at);
  expect(rotated.html).toMatch(/whsec_/);
  expect(rotated.html).not.toContain(secret);
  await submit(browser, { do: "change", webhook: webhook.id, url, description: "", ...EVERY }, at);
  const after = (await app.request("GET", `/api/v1/webhooks/${webhook.id}`)).body.webhook;
  expect(after).toMatchObject({ description: "", enabled: false });
  expect(after.previousSecretEndsAt).toBeDefined();
  await submit(browser, { do: "delete", webhook: webhook.id }, at);
  expect((await app.request("GET", "/api/v1/webhooks")).body.items).toEqual([]);
});

it("an admin chooses alert mails by a form, and a member is refused the alerts page", async () => {
  const { app, browser } = await open();
  await submit(browser, { do: "mail-user", ...EVERY });
  const { body } = await app.request("GET", "/api/v1/alert-mail");
  expect(body).toMatchObject({ available: false, accountOff: [] });
  expect(body.userOff).toContain("limit.warning");
  expect(body.userOff).not.toContain("key.refused");
  const member = await openAs(app, "member");
  const page = await member.get("/alerts");
  expect(page.text).toContain("An administrator of the account manages its alerts.");
  expect(page.text).not.toContain("Make the webhook");
  expect((await member.post("/alerts", "do=create&url=https://a.example/")).status).toBe(403);
});

it("an operator has alerts about accounts sent by a form, which another admin is not shown", async () => {
  const receiver = await startReceiver();
  const { app, browser } = await open();
  const asked = { do: "create", url: receiver.url(), description: "", "type:account.signed_up": "on" };
  expect((await submit(browser, asked)).text).toContain("The webhook is made");
  const [webhook] = (await app.request("GET", "/api/v1/webhooks")).body.items;
  expect(webhook.types).toEqual(["account.signed_up"]);
  const at = `/alerts?webhook=${webhook.id}`;
  expect((await browser.get(at)).html).toMatch(/name="type:account\.signed_up" checked=""/);

  const admin = await openAs(app, "admin");
  expect((await admin.get("/alerts")).text).not.toContain("About accounts of this server");
  const sends = { do: "change", webhook: webhook.id, url: receiver.url("/elsewhere"), description: "" };
  expect((await submit(admin, { ...sends, ...EVERY }, at)).status).toBe(403);
  expect((await app.request("GET", `/api/v1/webhooks/${webhook.id}`)).body.webhook).toMatchObject({
    url: receiver.url(),
    types: ["account.signed_up"],
  });
});

it("a refused webhook form keeps its input, and other forms on the page do not change", async () => {
  const { browser } = await open();
  const refused = await submit(browser, { do: "create", url: "nowhere", description: "ops", ...EVERY });
  expect(refused.status).toBe(400);
  expect(refused.html).toMatch(/<input id="url"[^>]*aria-invalid="true"[^>]* value="nowhere"/);
  const ticked = [...refused.html.matchAll(/name="(type:[^"]*)" checked=""/g)].map(([, name]) => name);
  const [form = ""] = /<form (?:(?!<\/form>).)*id="url".*?<\/form>/s.exec(refused.html) ?? [];
  const own = [...form.matchAll(/name="(type:[^"]*)" checked=""/g)].map(([, name]) => name);
  expect(own).toEqual(["type:limit.reached", "type:key.refused"]);
  expect(ticked.length).toBeGreaterThan(own.length);
});

it("a refused form for a new account shows the error at its field", async () => {
  const { browser } = await open();
  const page = await browser.get("/server/accounts");
  const sent = { do: "create", name: "Ada Ltd", owner: "ada", plan: "team" };
  const refused = await browser.send(page, "/server/accounts", sent);
  expect(refused.status).toBe(400);
  expect(refused.text).toContain("Its first owner's e-mail: must be an e-mail address");
  expect(refused.html).toMatch(/<details open=""><summary>Add an account/);
  expect(refused.html).toMatch(/<input id="owner"[^>]* value="ada"/);
  expect(refused.html).toContain('<option value="team" selected="">');
});
