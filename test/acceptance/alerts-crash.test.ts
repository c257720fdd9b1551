import { expect, it } from "vitest";
import { requestsTo } from "../../src/testing/request.ts";
import { startReceiver } from "../alerts/fixture.ts";
import { OWNER_KEY } from "../support/app.ts";
import { startServe } from "../support/serve.ts";
import { temporaryDirectory } from "../support/store.ts";

it("a killed server delivers its pending alerts, and the one in flight, after a restart", async () => {
  const receiver = await startReceiver();
  const args = ["--data", temporaryDirectory(), "--allow-private-webhooks"];
  const first = await startServe(args);
  const request = requestsTo(first.url, OWNER_KEY);
  const { webhook } = (await request("POST", "/api/v1/webhooks", { body: { url: receiver.url() } })).body;
  const test = () => request("POST", `/api/v1/webhooks/${webhook.id}/test`, { body: {} });
  // The first never gets an answer. The others wait for it, since deliveries of one subject keep their order.
  receiver.answer = () => new Promise(() => {});
  const asked: string[] = [];
  for (let times = 0; times < 5; times++) {
    const { status, body } = await test();
    expect(status).toBe(202);
    asked.push(body.delivery.alertId);
  }
  await until(() => receiver.received.length === 1);
  await first.end("SIGKILL");

  receiver.answer = () => 204;
  const second = await startServe(args);
  await until(() => receiver.received.length === 1 + asked.length);
  const arrived = receiver.received.slice(1).map(({ headers }) => headers["webhook-id"]);
  expect(arrived).toEqual(asked);
  const again = requestsTo(second.url, OWNER_KEY);
  await until(async () => {
    const { items } = (await again("GET", `/api/v1/webhooks/${webhook.id}/deliveries`)).body;
    return items.every(({ state }: { state: string }) => state === "delivered");
  });
  expect(await second.end("SIGTERM")).toBe(0);
});

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (let looks = 0; looks < 400; looks++) {
    if (await isSo()) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error("it did not come to that");
}
