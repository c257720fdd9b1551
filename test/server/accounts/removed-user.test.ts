import { expect, it } from "vitest";
import { readStore } from "../../../src/store/open.ts";
import { systemClock } from "../../../src/system/clock.ts";
import { createLog } from "../../../src/system/log.ts";
import { startApp } from "../../support/app.ts";
import { memberOn } from "../../support/browsing.ts";
import { temporaryDirectory } from "../../support/store.ts";

it("of a removed person nothing is kept but the audit log, and usage under their id", async () => {
  const dataDirectory = temporaryDirectory();
  const app = await startApp({ dataDirectory });
  const { userId } = await memberOn(app, "bob@example.com", "admin");
  const accountId = (await app.request("GET", "/api/v1/account")).body.account.id;
  const credential = { kind: "session", id: "ses_test", scopes: ["admin"] } as const;
  const by = { accountId, userId, credential, address: "127.0.0.1", requestId: "req_test" };
  const { secret: key } = await app.app.services.apiKeys.create(by, { name: "ci", scopes: ["admin"] });
  expect((await app.request("POST", "/api/v1/track", { key, body: { type: "api_calls" } })).status).toBe(200);
  const mailed = await app.request("PATCH", "/api/v1/alert-mail", {
    key,
    body: { userOff: ["limit.warning"] },
  });
  expect(mailed.status).toBe(200);
  const before = await keptOf(userId);
  expect(before).toEqual(expect.arrayContaining(["users", "api_keys", "alert_mail_settings"]));
  expect((await app.request("DELETE", `/api/v1/users/${userId}`)).status).toBe(204);
  expect(await keptOf(userId)).toEqual(["audit", "usage_by_day", "usage_by_hour", "usage_by_month"]);

  /** Returns the collections and counters that name Bob. */
  async function keptOf(id: string): Promise<string[]> {
    const found = new Set<string>();
    for await (const item of readStore(dataDirectory, { clock: systemClock, log: createLog("silent") })) {
      const text = JSON.stringify(item);
      if (!text.includes(id) && !text.includes("bob@example.com")) continue;
      const name = "collection" in item ? item.collection : item.counter;
      found.add(name.startsWith("audit_") ? "audit" : name);
    }
    return [...found].sort();
  }
});
