import fc from "fast-check";
import { Webhook as StandardWebhook } from "standardwebhooks";
import { describe, expect, it, vi } from "vitest";
import { STORES } from "../support/store.ts";
import { anAlert, type Request, startAlerts, startReceiver } from "./fixture.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Verifies a request as a receiver would at a time. Fakes the clock, since the library reads the system's. */
function verified(secret: string, { body, headers }: Request, now: number): unknown {
  vi.useFakeTimers({ toFake: ["Date"], now });
  try {
    return new StandardWebhook(secret).verify(body, headers as Record<string, string>);
  } finally {
    vi.useRealTimers();
  }
}

describe.each(STORES)("a delivery, on %s", (on) => {
  it("is signed for stock Standard Webhooks libraries, with both secrets during a rotation", async () => {
    const receiver = await startReceiver();
    const { alerts, account, by, clock, tell } = await startAlerts({ on });
    const made = await alerts.webhooks.create(by, { url: receiver.url(), description: "" });
    const rotated = await alerts.webhooks.rotate(by, made.webhook.id, HOUR, ({ secret }) => secret);
    expect(made.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const raisedAt = clock.now();
    await tell(anAlert(account.id, "a"));
    clock.advance(2 * HOUR);
    await tell(anAlert(account.id, "b"));

    const [during, after] = receiver.received;
    if (!during || !after) throw new Error("two were sent");
    expect(verified(made.secret, during, raisedAt)).toEqual({
      type: "error_group.new",
      timestamp: new Date(raisedAt).toISOString(),
      data: expect.objectContaining({ accountId: account.id, group: "a" }),
    });
    verified(rotated, during, raisedAt);
    verified(rotated, after, clock.now());
    expect(() => verified(made.secret, after, clock.now())).toThrow("No matching signature");
    // A forged request, and a replayed one.
    const forged = { ...after, body: after.body.replace('"b"', '"c"') };
    expect(() => verified(rotated, forged, clock.now())).toThrow("No matching signature");
    expect(() => verified(rotated, during, clock.now())).toThrow("timestamp too old");
    const refreshed = { ...during.headers, "webhook-timestamp": after.headers["webhook-timestamp"] };
    expect(() => verified(rotated, { ...during, headers: refreshed }, clock.now())).toThrow(
      "No matching signature",
    );
  });

  it("is retried through an hour of outage with the same id and body, and arrives once", async () => {
    const receiver = await startReceiver();
    const { alerts, account, by, clock, tell, pass } = await startAlerts({ on });
    const { webhook } = await alerts.webhooks.create(by, { url: receiver.url(), description: "" });
    const until = clock.now() + HOUR;
    receiver.answer = () => (clock.now() < until ? 503 : 200);
    await tell(anAlert(account.id, "a"));
    await pass(3 * HOUR, 10 * MINUTE);
    const { received } = receiver;
    expect(received.length).toBeGreaterThan(4);
    expect(new Set(received.map(({ headers, body }) => `${headers["webhook-id"]} ${body}`)).size).toBe(1);
    const [delivery] = (await alerts.deliveries.list(account.id, webhook.id, { limit: 10 })).items;
    expect(delivery).toMatchObject({ state: "delivered", attempts: received.length });
    expect(delivery?.last.at(-1)).toMatchObject({ status: 200 });
    expect(delivery?.last[0]).toMatchObject({ status: 503 });
    const shown = await alerts.deliveries.get(by, webhook.id, delivery?.alertId ?? "");
    expect(shown.body).toBe(received[0]?.body);
    await pass(DAY, HOUR);
    expect(receiver.received).toHaveLength(received.length);
    expect(await alerts.webhooks.get(account.id, webhook.id)).toMatchObject({ waiting: 0, dropped: 0 });
  });

  it("is retried soon after a clock that was days ahead is corrected", async () => {
    const receiver = await startReceiver();
    const { alerts, account, by, clock, tell, pass } = await startAlerts({ on });
    await alerts.webhooks.create(by, { url: receiver.url(), description: "" });
    clock.jump(3 * DAY);
    receiver.answer = () => ({ status: 503, body: "", headers: { "Retry-After": "60" } });
    await tell(anAlert(account.id, "a"), anAlert(account.id, "b"));
    expect(receiver.received).toHaveLength(1);
    clock.jump(-3 * DAY);
    receiver.answer = () => 204;
    await pass(3 * MINUTE, MINUTE);
    expect(receiver.received).toHaveLength(3);
  });

  it.each([
    ["in seconds", (_now: number) => "3600"],
    ["as a date", (now: number) => new Date(now + HOUR).toUTCString()],
  ])("waits as long as Retry-After says (%s), along with later deliveries", async (_, retryAfter) => {
    const receiver = await startReceiver();
    const { alerts, account, by, clock, tell, pass } = await startAlerts({ on });
    const { webhook } = await alerts.webhooks.create(by, { url: receiver.url(), description: "" });
    receiver.answer = () => ({ status: 429, body: "", headers: { "Retry-After": retryAfter(clock.now()) } });
    const asked = clock.now();
    await tell(anAlert(account.id, "a"));
    receiver.answer = () => 200;
    await tell(anAlert(account.id, "b"));
    await pass(HOUR - 2 * MINUTE, 2 * MINUTE);
    expect(receiver.received).toHaveLength(1);
    const { items } = await alerts.deliveries.list(account.id, webhook.id, { limit: 10 });
    for (const { nextAttemptAt } of items) {
      expect(nextAttemptAt).toBeGreaterThanOrEqual(asked + HOUR - 1000);
      expect(nextAttemptAt).toBeLessThanOrEqual(asked + HOUR);
    }
    await pass(4 * MINUTE, 2 * MINUTE);
    expect(receiver.received).toHaveLength(3);
  });

  it("ignores a Retry-After for a test delivery, a redelivery or a new URL", async () => {
    const receiver = await startReceiver();
    const { alerts, account, by, tell } = await startAlerts({ on });
    const { webhook } = await alerts.webhooks.create(by, { url: receiver.url(), description: "" });
    const busy = { status: 503, body: "", headers: { "Retry-After": "3600" } };
    receiver.answer = () => busy;
    await tell(anAlert(account.id, "a"));
    expect(receiver.received).toHaveLength(1);
    await alerts.deliveries.test(by, webhook.id);
    await alerts.idle();
    expect(receiver.received).toHaveLength(2);
    const { items } = await alerts.deliveries.list(account.id, webhook.id, { limit: 10 });
    receiver.answer = () => 200;
    await alerts.webhooks.update(by, webhook.id, { url: receiver.url("/other") });
    for (const { alertId } of items) await alerts.deliveries.redeliver(by, webhook.id, alertId);
    await alerts.idle();
    expect(receiver.received.slice(2).map(({ path }) => path)).toEqual(["/other", "/other"]);
  });

  it("has a next attempt in the future while its webhook is paused", async () => {
    const receiver = await startReceiver();
    const { alerts, account, by, clock, tell, pass } = await startAlerts({ on });
    const { webhook } = await alerts.webhooks.create(by, { url: receiver.url(), description: "" });
    receiver.answer = () => 500;
    await tell(anAlert(account.id, "a"), anAlert(account.id, "b"), anAlert(account.id, "c"));
    for (let minute = 0; minute < 20; minute++) {
      const { items } = await alerts.deliveries.list(account.id, webhook.id, { limit: 10 });
      for (const { nextAttemptAt } of items) expect(nextAttemptAt).toBeGreaterThan(clock.now());
      await pass(MINUTE);
    }
  });

  it("is given up after a day and can be sent again", async () => {
    const receiver = await startReceiver();
    const { alerts, account, by, tell, pass } = await startAlerts({ on });
    const { webhook } = await alerts.webhooks.create(by, { url: receiver.url(), description: "" });
    receiver.answer = () => 500;
    await tell(anAlert(account.id, "a"));
    await pass(30 * HOUR, HOUR);
    const [given] = (await alerts.deliveries.list(account.id, webhook.id, { limit: 10 })).items;
    expect(given?.state).toBe("failed");
    receiver.answer = () => 204;
    const again = await alerts.deliveries.redeliver(by, webhook.id, given?.alertId ?? "");
    expect(again.state).toBe("waiting");
    await alerts.idle();
    const [delivered] = (
      await alerts.deliveries.list(account.id, webhook.id, { limit: 10, state: "delivered" })
    ).items;
    expect(delivered?.alertId).toBe(given?.alertId);
  });
});

describe("a delivery", () => {
  it("reports the outcome of each attempt, and how late its queue is if no server runs", async () => {
    const receiver = await startReceiver();
    const { alerts, account, by, clock, tell, pass, attempts } = await startAlerts();
    await alerts.webhooks.create(by, { url: receiver.url(), description: "" });
    await tell(anAlert(account.id, "a"));
    expect(await alerts.overdue()).toEqual({ queues: 0, oldestMs: 0 });
    receiver.answer = () => 503;
    await tell(anAlert(account.id, "b"));
    await pass(10 * MINUTE, MINUTE);
    receiver.answer = () => 410;
    await pass(HOUR, 10 * MINUTE);
    expect(attempts).toEqual(["delivered", ...attempts.slice(1, -1).map(() => "failed"), "gone"]);
    expect(attempts.length).toBeGreaterThan(2);
    expect(await alerts.overdue()).toEqual({ queues: 0, oldestMs: 0 });
    await alerts.webhooks.create(by, { url: receiver.url("/other"), description: "" });
    receiver.answer = () => 503;
    await tell(anAlert(account.id, "c"));
    await alerts.close();
    clock.advance(DAY);
    const { queues, oldestMs } = await alerts.overdue();
    expect(queues).toBe(1);
    expect(oldestMs).toBeGreaterThan(DAY - HOUR);
    expect(oldestMs).toBeLessThanOrEqual(DAY);
  });

  it("keeps the order within its subject, regardless of the answers", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(2), fc.array(fc.constantFrom(500, 200, 301), { maxLength: 3 })), {
          minLength: 1,
          maxLength: 12,
        }),
        async (plan) => {
          const receiver = await startReceiver();
          const { alerts, account, by, tell, pass } = await startAlerts();
          await alerts.webhooks.create(by, { url: receiver.url(), description: "" });
          const answers = plan.map(([, statuses]) => [...statuses, 200]);
          const numberOf = ({ body }: { body: string }) => Number(JSON.parse(body).data.group);
          const log: [number: number, status: number][] = [];
          receiver.answer = (request) => {
            const number = numberOf(request);
            const status = answers[number]?.shift() ?? 200;
            log.push([number, status]);
            return status;
          };
          for (const [index, [subject]] of plan.entries()) {
            await tell(anAlert(account.id, `subject ${subject}`, String(index)));
          }
          await pass(10 * MINUTE, 20_000);
          for (const subject of [0, 1, 2]) {
            const mine = plan.flatMap(([each], index) => (each === subject ? [index] : []));
            const delivered = log.filter(
              ([number, status]) => status === 200 && plan[number]?.[0] === subject,
            );
            expect(delivered.map(([number]) => number)).toEqual(mine);
            const tried = log.flatMap(([number]) => (plan[number]?.[0] === subject ? [number] : []));
            expect(tried).toEqual([...tried].sort((one, other) => one - other));
          }
        },
      ),
      { numRuns: 15 },
    );
  });

  it("follows no redirect and stores 1,000 characters of a long answer", async () => {
    const receiver = await startReceiver();
    const { alerts, account, by, tell } = await startAlerts();
    const { webhook } = await alerts.webhooks.create(by, { url: receiver.url("/a"), description: "" });
    receiver.answer = () => ({
      status: 302,
      body: "x".repeat(1_000_000),
      headers: { Location: receiver.url("/b") },
    });
    await tell(anAlert(account.id, "a"));
    expect(receiver.received.map(({ path }) => path)).toEqual(["/a"]);
    const [delivery] = (await alerts.deliveries.list(account.id, webhook.id, { limit: 1 })).items;
    expect(delivery).toMatchObject({ state: "waiting", last: [{ status: 302, answer: "x".repeat(1000) }] });
  });

  it("fails if no answer arrives in time", async () => {
    const receiver = await startReceiver();
    const { alerts, account, by, tell } = await startAlerts({ timeoutMs: 100 });
    const { webhook } = await alerts.webhooks.create(by, { url: receiver.url(), description: "" });
    receiver.answer = () => new Promise(() => {});
    await tell(anAlert(account.id, "a"));
    const [delivery] = (await alerts.deliveries.list(account.id, webhook.id, { limit: 1 })).items;
    expect(delivery?.last).toMatchObject([{ error: "it did not arrive within 0.1 s" }]);
  });
});
