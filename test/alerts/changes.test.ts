import { expect, it } from "vitest";
import type { Alert } from "../../src/alerts/alert.ts";
import { alertsCollections } from "../../src/alerts/model.ts";
import type { Post } from "../../src/mail/post.ts";
import { createRandom } from "../../src/system/random.ts";
import { callerFor, startServices, stranger } from "../accounts/fixture.ts";
import { startApp } from "../support/app.ts";
import { fakeClock } from "../support/clock.ts";
import { anAlert, planeOn, startAlerts, startReceiver } from "./fixture.ts";

const DAY = 24 * 60 * 60_000;
const HOOK = { description: "" };

it("a webhook with a new URL ignores the Retry-After of its earlier URL", async () => {
  const receiver = await startReceiver();
  const { alerts, account, by, tell } = await startAlerts();
  const { webhook } = await alerts.webhooks.create(by, { url: receiver.url(), ...HOOK });
  receiver.answer = () => ({ status: 503, body: "", headers: { "Retry-After": "3600" } });
  await tell(anAlert(account.id, "a"), anAlert(account.id, "b"));
  expect(receiver.received).toHaveLength(1);
  receiver.answer = () => 204;
  await alerts.webhooks.update(by, webhook.id, { url: receiver.url("/other") });
  await tell(anAlert(account.id, "c"));
  expect(receiver.received.at(-1)?.path).toBe("/other");
});

it("alerts about one subject keep their order when servers with different clocks raise them", async () => {
  const receiver = await startReceiver();
  const ahead = await startAlerts();
  const clock = fakeClock(ahead.clock.now() - 5000);
  const behind = planeOn({ ...ahead, clock, random: createRandom(clock) }, ahead.store);
  await ahead.alerts.webhooks.create(ahead.by, { url: receiver.url(), ...HOOK });
  receiver.answer = () => 500;
  await ahead.tell(anAlert(ahead.account.id, "one", "first"));
  await behind.tell(anAlert(ahead.account.id, "one", "second"));
  await ahead.tell(anAlert(ahead.account.id, "one", "third"));
  receiver.received.length = 0;
  receiver.answer = () => 204;
  await ahead.pass(60_000);
  const told = receiver.received.map(({ body }) => JSON.parse(body));
  expect(told.map(({ data }) => data.group)).toEqual(["first", "second", "third"]);
  const times = told.map(({ timestamp }) => timestamp);
  expect(times).toEqual(times.toSorted());
});

it("a webhook that is turned off gives up its pending deliveries", async () => {
  const receiver = await startReceiver();
  const { alerts, account, by, tell, pass } = await startAlerts();
  const { webhook } = await alerts.webhooks.create(by, { url: receiver.url(), ...HOOK });
  receiver.answer = () => 500;
  await tell(anAlert(account.id, "a"));
  await alerts.webhooks.update(by, webhook.id, { enabled: false });
  await pass(1000);
  const { items } = await alerts.deliveries.list(account.id, webhook.id, { limit: 10 });
  expect(items).toMatchObject([{ state: "failed", reason: "disabled", attempts: 1 }]);
});

it("a webhook that is turned on again is not turned off within a day by old failures", async () => {
  const receiver = await startReceiver();
  const { alerts, account, by, tell, clock } = await startAlerts();
  const { webhook } = await alerts.webhooks.create(by, { url: receiver.url(), ...HOOK });
  receiver.answer = () => 500;
  const isOn = async () => (await alerts.webhooks.get(account.id, webhook.id)).enabled;
  for (let day = 0; day <= 5; day++) {
    expect(await isOn()).toBe(true);
    await tell(anAlert(account.id, `day ${day}`));
    clock.advance(DAY);
  }
  expect(await isOn()).toBe(false);
  await alerts.webhooks.update(by, webhook.id, { enabled: true });
  clock.advance(DAY);
  await tell(anAlert(account.id, "c"));
  expect(await isOn()).toBe(true);
});

it("a closed account raises no alerts", async () => {
  const receiver = await startReceiver();
  const plane = await startAlerts();
  const { alerts, closing, tell } = plane;
  const theirs = await stranger(plane);
  await alerts.webhooks.create(callerFor(theirs), { url: receiver.url(), ...HOOK });
  await closing.close(callerFor(theirs), "Elsewhere");
  await tell(anAlert(theirs.accountId, "a"));
  expect(receiver.received).toEqual([]);
});

it("a return to normal is reported once, and only after the opposite was reported", async () => {
  const receiver = await startReceiver();
  const { alerts, account, by, tell } = await startAlerts();
  await alerts.webhooks.create(by, { url: receiver.url(), ...HOOK });
  const about = { accountId: account.id, subject: "u", data: { upstream: "files", title: "Files" } };
  const up: Alert = { type: "upstream.up", ...about, change: { of: "u", to: "up", from: "down" } };
  await tell(up, { type: "upstream.down", ...about, change: { of: "u", to: "down" } }, up, up);
  const types = receiver.received.map(({ body }) => JSON.parse(body).type);
  expect(types).toEqual(["upstream.down", "upstream.up"]);
});

it("an alert by mail waits while the mail queue has no room for all recipients that it may have", async () => {
  const services = await startServices({ collections: alertsCollections });
  let room = 19;
  const letters: unknown[] = [];
  const post: Post = {
    takesMore: (letters = 1) => letters <= room,
    send: (write) => letters.push(write) > 0,
    underWay: () => ({ letters: 0, oldestMs: 0 }),
    idle: async () => {},
    close() {},
  };
  const { account, tell, pass } = planeOn({ ...services, post }, services.store);
  await tell(anAlert(account.id, "a"));
  await pass(30_000, 1000);
  expect(letters).toEqual([]);
  room = 20;
  await pass(60_000, 1000);
  expect(letters).toHaveLength(1);
});

it("webhooks are listed in pages, each once", async () => {
  const app = await startApp({ privateWebhooks: true });
  for (const url of ["http://127.0.0.1:9/a", "http://127.0.0.1:9/b"]) {
    expect((await app.request("POST", "/api/v1/webhooks", { body: { url } })).status).toBe(201);
  }
  const { items, nextCursor } = (await app.request("GET", "/api/v1/webhooks?limit=1")).body;
  const rest = (await app.request("GET", `/api/v1/webhooks?limit=1&cursor=${nextCursor}`)).body;
  expect([...items, ...rest.items].map(({ url }) => new URL(url).pathname)).toEqual(["/a", "/b"]);
  expect(rest).not.toHaveProperty("nextCursor");
});
