import { describe, expect, it } from "vitest";
import { accountSource } from "../../src/accounts/export/account.ts";
import { exportPage } from "../../src/accounts/export/pages.ts";
import { alertsCollections, webhookSecrets } from "../../src/alerts/model.ts";
import type { Collection } from "../../src/store/store.ts";
import { createSendPublic } from "../../src/system/network/public-request.ts";
import { CannotFetch, urlChecker } from "../../src/system/network/public-url.ts";
import { startApp } from "../support/app.ts";
import { anAlert, startAlerts, startReceiver } from "./fixture.ts";

const HOUR = 60 * 60_000;
const DAY = 24 * HOUR;
const HOOK = { description: "" };

describe("a webhook", () => {
  it("refuses private addresses in its URL, and those that its host name resolves to later", async () => {
    const app = await startApp();
    for (const url of [
      "https://127.0.0.1/",
      "https://localhost/",
      "https://localhost./",
      "https://hooks.LOCALHOST/",
      "https://[::1]/",
      "https://169.254.169.254/latest/meta-data",
      "https://10.0.0.1/",
      "https://[::ffff:127.0.0.1]/",
      "https://0x7f000001/",
      "http://hooks.example.com/",
      "https://user:secret@hooks.example.com/",
      "https://hooks.example.com/#fragment",
      "ftp://hooks.example.com/",
    ]) {
      const { status, body } = await app.request("POST", "/api/v1/webhooks", { body: { url } });
      expect([url, status, body.errors?.[0].path]).toEqual([url, 400, "url"]);
    }
    // DNS rebinding: the name resolves to a public address first, and to a private one on the second lookup.
    const answers = [["203.0.114.1"], ["127.0.0.1"]];
    const receiver = await startReceiver();
    const send = createSendPublic({
      timeoutMs: 200,
      userAgent: "test",
      resolve: async () => answers.shift() ?? ["127.0.0.1"],
    });
    const { port } = new URL(receiver.url());
    expect(urlChecker(false)(new URL(`https://rebinding.example:${port}/`))).toBeUndefined();
    for (let times = 0; times < 3; times++) {
      const url = new URL(`https://rebinding.example:${port}/`);
      const sent = send(url, { method: "POST", headers: {}, body: "{}" }, async () => "answered");
      await expect(sent).rejects.toThrow(CannotFetch);
    }
    expect(receiver.received).toEqual([]);
  });

  it("returns its secret once, and never in lists, exports and audit entries", async () => {
    const { alerts, account, by, store } = await startAlerts();
    const { webhook, secret } = await alerts.webhooks.create(by, {
      url: "https://hooks.example.com/?token=t0p",
      ...HOOK,
    });
    const bare = secret.slice("whsec_".length);
    const shown = JSON.stringify([
      await alerts.webhooks.list(account.id),
      await alerts.webhooks.get(account.id, webhook.id),
    ]);
    expect(shown).not.toContain(bare);
    const theirs = alertsCollections.filter((each) => each !== webhookSecrets);
    const exported = JSON.stringify(
      await exportPage(store, accountSource(store, theirs, account.id), undefined),
    );
    expect(exported).toContain(webhook.id);
    expect(exported).not.toContain(bare);
    const log = await dumped(store);
    expect(log).toContain("webhook.created");
    expect(log).not.toContain(bare);
    expect(log).not.toContain("t0p");
  });

  it("leaves its secret out of an account's export", async () => {
    const app = await startApp();
    const body = { url: "https://hooks.example.com/" };
    const { secret } = (await app.request("POST", "/api/v1/webhooks", { body })).body;
    const { text } = await app.request("GET", "/api/v1/account/export");
    expect(text).toContain("hooks.example.com");
    expect(text).not.toContain(secret.slice("whsec_".length));
  });

  it("that answers 410 is turned off and its pending deliveries are given up", async () => {
    const receiver = await startReceiver();
    const other = await startReceiver();
    const { alerts, account, by, tell, pass } = await startAlerts();
    const { webhook } = await alerts.webhooks.create(by, { url: receiver.url(), ...HOOK });
    await alerts.webhooks.create(by, { url: other.url(), ...HOOK });
    receiver.answer = () => 410;
    await tell(anAlert(account.id, "a", "1"), anAlert(account.id, "a", "2"));
    await pass(10_000, 1000);
    expect(receiver.received).toHaveLength(1);
    expect(await alerts.webhooks.get(account.id, webhook.id)).toMatchObject({
      enabled: false,
      disabled: { reason: "gone" },
      waiting: 0,
    });
    const told = other.received.map(({ body }) => JSON.parse(body));
    expect(told.map(({ type }) => type)).toContain("webhook.disabled");
    expect(told.find(({ type }) => type === "webhook.disabled").data).toMatchObject({
      webhookId: webhook.id,
    });
    await expect(alerts.deliveries.test(by, webhook.id)).rejects.toMatchObject({ error: "invalid_state" });
    await alerts.webhooks.update(by, webhook.id, { enabled: true });
    expect(await alerts.webhooks.get(account.id, webhook.id)).not.toHaveProperty("disabled");
  });

  it("is turned off after failing for five days, but not for four days twice", async () => {
    const dead = await startReceiver();
    const { alerts, account, by, tell, pass, clock } = await startAlerts();
    const { webhook } = await alerts.webhooks.create(by, { url: dead.url(), ...HOOK });
    dead.answer = () => 500;
    const enabled = async () => (await alerts.webhooks.get(account.id, webhook.id)).enabled;
    const failFor = async (days: number) => {
      for (const end = clock.now() + days * DAY; clock.now() < end; ) {
        await tell(anAlert(account.id, `day ${clock.now()}`));
        await pass(DAY, 4 * HOUR);
      }
    };
    await failFor(4);
    dead.answer = () => 204;
    await tell(anAlert(account.id, "recovered"));
    await pass(HOUR, 10 * 60_000);
    dead.answer = () => 500;
    await failFor(4);
    expect(await enabled()).toBe(true);
    await failFor(2);
    expect(await enabled()).toBe(false);
  });

  it("is neither turned off nor given up when the clock jumps between two failures", async () => {
    const dead = await startReceiver();
    const { alerts, account, by, tell, pass, clock } = await startAlerts();
    const { webhook } = await alerts.webhooks.create(by, { url: dead.url(), ...HOOK });
    dead.answer = () => 500;
    await tell(anAlert(account.id, "before the jumps"));
    for (const jump of [6 * DAY, -6 * DAY, 12 * DAY, -13 * DAY]) {
      clock.jump(jump);
      await pass(10 * 60_000, 60_000);
      expect(await alerts.webhooks.get(account.id, webhook.id)).toMatchObject({ enabled: true });
    }
    dead.answer = () => 204;
    await pass(2 * HOUR, 60_000);
    const [delivery] = (await alerts.deliveries.list(account.id, webhook.id, { limit: 1 })).items;
    expect(delivery).toMatchObject({ state: "delivered" });
  });

  it("is tried for a day after a clock was put back, and then given up", async () => {
    const dead = await startReceiver();
    const { alerts, account, by, tell, pass, clock } = await startAlerts();
    const { webhook } = await alerts.webhooks.create(by, { url: dead.url(), ...HOOK });
    dead.answer = () => 500;
    clock.jump(20 * DAY);
    await tell(anAlert(account.id, "while the clock was ahead"));
    clock.jump(-20 * DAY);
    await pass(30 * HOUR, HOUR);
    const [delivery] = (await alerts.deliveries.list(account.id, webhook.id, { limit: 1 })).items;
    expect(delivery).toMatchObject({ state: "failed" });
  });

  it("is limited to ten per account and deleted along with its deliveries", async () => {
    const { alerts, account, by, tell, store } = await startAlerts();
    const made = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        alerts.webhooks.create(by, { url: `http://127.0.0.1:9/${index}`, ...HOOK }),
      ),
    );
    await expect(
      alerts.webhooks.create(by, { url: "http://127.0.0.1:9/more", ...HOOK }),
    ).rejects.toMatchObject({ error: "conflict" });
    await tell(anAlert(account.id, "a"));
    for (const { webhook } of made) await alerts.webhooks.delete(by, webhook.id);
    const left = await store.transact((tx) =>
      Promise.all(
        alertsCollections
          .filter(({ name }) => !["alerts", "alert_hours"].includes(name))
          .flatMap((each: Collection<unknown>) => [tx.ids(each, account.id), tx.ids(each, "alerts")]),
      ),
    );
    expect(left.flat()).toEqual([]);
  });
});

/** Returns everything in a store that belongs to audit logs. */
async function dumped(store: Awaited<ReturnType<typeof startAlerts>>["store"]): Promise<string> {
  const { dump } = store as unknown as { dump(): AsyncIterable<{ collection?: string }> };
  const items: object[] = [];
  for await (const item of dump.call(store)) if (item.collection?.startsWith("audit")) items.push(item);
  return JSON.stringify(items);
}
