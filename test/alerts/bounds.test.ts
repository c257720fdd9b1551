import { expect, it } from "vitest";
import { deliveries, deliveryId, MAX_ALERTS } from "../../src/alerts/model.ts";
import { DelegatingTransaction } from "../../src/store/delegating-transaction.ts";
import { accountSpace, type Collection, type ListOptions, type Store } from "../../src/store/store.ts";
import { callerFor, stranger } from "../accounts/fixture.ts";
import { anAlert, planeOn, startAlerts, startReceiver } from "./fixture.ts";

const HOUR = 60 * 60_000;
const HOOK = { description: "" };

it("alerts of one type are limited to 100 an hour, plus one notice, apart from other types", async () => {
  const receiver = await startReceiver();
  const { alerts, account, by, tell, pass, clock } = await startAlerts();
  await alerts.webhooks.create(by, { url: receiver.url(), ...HOOK });
  for (let index = 0; index < 150; index++) alerts.sink.raise(anAlert(account.id, `s${index}`));
  await alerts.idle();
  await pass(20_000, 1000);
  const types = receiver.received.map(({ body }) => JSON.parse(body).type);
  expect(types.filter((type) => type === "error_group.new")).toHaveLength(100);
  expect(types.filter((type) => type === "alerts.held_back")).toHaveLength(1);
  const data = { upstream: "files", title: "Files" };
  await tell({ type: "upstream.down", accountId: account.id, subject: "u", data });
  expect(receiver.received).toHaveLength(102);
  clock.advance(HOUR);
  await tell(anAlert(account.id, "next hour"));
  expect(JSON.parse(receiver.received.at(-1)?.body ?? "{}").data.group).toBe("next hour");
});

it("the oldest alerts are dropped when too many wait, and the webhook counts them as dropped", async () => {
  const { alerts, account, by, clock } = await startAlerts();
  const { webhook } = await alerts.webhooks.create(by, { url: "http://127.0.0.1:9/", ...HOOK });
  for (let count = 0; count < MAX_ALERTS + 20; count++) {
    if (count % 100 === 0) clock.jump(HOUR);
    alerts.sink.raise(anAlert(account.id, "one subject", String(count)));
    if (count % 50 === 0) await alerts.idle();
  }
  await alerts.idle();
  const known = await alerts.webhooks.get(account.id, webhook.id);
  expect(known.waiting).toBe(MAX_ALERTS);
  expect(known.dropped).toBe(20);
});

it("a page of deliveries reads few at a time, and no more than it needs", async () => {
  const plane = await startAlerts();
  const { account, by, store, clock } = plane;
  const read: number[] = [];
  class Counting extends DelegatingTransaction {
    override async list<T>(collection: Collection<T>, space: string, options?: ListOptions) {
      const found = await super.list(collection, space, options);
      if (collection.name === deliveries.name) read.push(found.length);
      return found;
    }
  }
  const counting: Store = {
    ...store,
    transact: (work, as) => store.transact((tx) => work(new Counting(tx)), as),
  };
  const { alerts } = planeOn(plane, counting);
  const { webhook } = await alerts.webhooks.create(by, { url: "http://127.0.0.1:9/", ...HOOK });
  const ids = Array.from({ length: MAX_ALERTS }, (_, index) => `alt_${String(index).padStart(4, "0")}`);
  await store.transact(async (tx) => {
    for (const id of ids) {
      const state = id === "alt_0000" ? ("delivered" as const) : ("failed" as const);
      const delivery = {
        type: "limit.reached" as const,
        createdAt: clock.now(),
        state,
        attempts: 0,
        last: [],
      };
      await tx.put(deliveries, accountSpace(account.id), deliveryId(webhook.id, id), delivery);
    }
  });
  const page = (question: object) =>
    alerts.deliveries.list(account.id, webhook.id, { limit: 10, ...question });
  const first = await page({});
  expect(first.items.map(({ alertId }) => alertId)).toEqual(ids.toReversed().slice(0, 10));
  const second = await page({ cursor: first.nextCursor });
  expect(second.items.map(({ alertId }) => alertId)).toEqual(ids.toReversed().slice(10, 20));
  expect(read).toEqual([11, 11]);
  const found = await page({ state: "delivered" });
  expect(found).toMatchObject({ items: [{ alertId: "alt_0000" }] });
  expect(found.nextCursor).toBeUndefined();
  expect(Math.max(...read)).toBeLessThanOrEqual(50);
});

it("a webhook that never answers has four requests at most and delays no other account", async () => {
  const dead = await startReceiver();
  const live = await startReceiver();
  const plane = await startAlerts({ timeoutMs: 300_000 });
  const { alerts, account, by } = plane;
  const other = callerFor(await stranger(plane));
  for (let index = 0; index < 3; index++) {
    await alerts.webhooks.create(by, { url: dead.url(`/${index}`), ...HOOK });
  }
  await alerts.webhooks.create(other, { url: live.url(), ...HOOK });
  dead.answer = () => new Promise(() => {});
  for (let index = 0; index < 50; index++) alerts.sink.raise(anAlert(account.id, `s${index}`));
  for (let index = 0; index < 10; index++) alerts.sink.raise(anAlert(other.accountId, `s${index}`));
  const arrived = await soon(() => live.received.length === 10);
  expect(arrived).toBe(true);
  expect(dead.received.length).toBeGreaterThan(0);
  for (const path of ["/0", "/1", "/2"]) {
    expect(dead.received.filter((each) => each.path === path).length).toBeLessThanOrEqual(4);
  }
});

it("deliveries of a server that ended are taken over at once by the next one", async () => {
  const { plane, receiver } = await withDeliveryUnderWay();
  // A new server: the lease of the first belongs to another opening of the store, which is closed.
  const later = { ...plane.store, opening: "another", isOpen: async () => false };
  const next = planeOn(plane, later);
  await next.alerts.idle();
  expect(receiver.received).toHaveLength(2);
  const [first, second] = receiver.received.map(({ headers }) => headers["webhook-id"]);
  expect(second).toBe(first);
  plane.clock.advance(60_000);
  await next.alerts.idle();
  expect(receiver.received).toHaveLength(2);
});

it("deliveries of a server that hangs are taken over by a running one once its lease of 45 s ends", async () => {
  const { plane, receiver } = await withDeliveryUnderWay();
  const beside = { ...plane.store, opening: "another", isOpen: async () => true };
  const other = planeOn(plane, beside);
  await other.pass(44_999);
  expect(receiver.received).toHaveLength(1);
  await other.pass(1_000);
  expect(receiver.received).toHaveLength(2);
  const [first, second] = receiver.received.map(({ headers }) => headers["webhook-id"]);
  expect(second).toBe(first);
  await other.pass(120_000, 1_000);
  expect(receiver.received).toHaveLength(2);
});

/** Starts a server whose one delivery gets no answer. Later ones get 204. */
async function withDeliveryUnderWay() {
  const receiver = await startReceiver();
  const plane = await startAlerts({ timeoutMs: 300_000 });
  const { alerts, account, by } = plane;
  await alerts.webhooks.create(by, { url: receiver.url(), ...HOOK });
  receiver.answer = () => new Promise(() => {});
  alerts.sink.raise(anAlert(account.id, "a"));
  expect(await soon(() => receiver.received.length === 1)).toBe(true);
  receiver.answer = () => 204;
  return { plane, receiver };
}

async function soon(isSo: () => boolean): Promise<boolean> {
  for (let looks = 0; looks < 500 && !isSo(); looks++)
    await new Promise((resolve) => setTimeout(resolve, 20));
  return isSo();
}
