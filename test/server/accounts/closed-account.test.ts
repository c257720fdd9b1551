import { expect, it } from "vitest";
import { makeReadOnly } from "../../../src/store/open.ts";
import { systemClock } from "../../../src/system/clock.ts";
import { startApp } from "../../support/app.ts";
import { temporaryDirectory } from "../../support/store.ts";

it("a closed account can only be exported or kept", async () => {
  const app = await startApp();
  const { token: key } = await app.account("team");
  const { body } = await app.request("GET", "/api/v1/account", { key });
  const closed = await app.request("POST", "/api/v1/account/close", {
    key,
    body: { name: body.account.name },
  });
  expect(closed.body).toEqual({ deletedAfter: expect.any(String) });
  const track = () => app.request("POST", "/api/v1/track", { key, body: { type: "api_calls" } });
  const refused = await track();
  expect(refused).toMatchObject({ status: 403, body: { error: "forbidden" } });
  expect(refused.body.detail).toContain(closed.body.deletedAfter);
  expect((await app.request("GET", "/api/v1/account/export", { key })).status).toBe(200);
  const listed = await app.request("GET", "/api/v1/accounts");
  expect(listed.body.items).toContainEqual(expect.objectContaining(closed.body));
  expect((await app.request("POST", "/api/v1/account/keep", { key, body: {} })).status).toBe(204);
  expect((await track()).status).toBeLessThan(300);
});

it("a suspended account can be exported but not used until it is resumed", async () => {
  const app = await startApp();
  const { accountId, token: key } = await app.account("team");
  const suspend = (suspended: boolean, id = accountId) =>
    app.request("PATCH", `/api/v1/accounts/${id}`, { body: { suspended } });
  const track = () => app.request("POST", "/api/v1/track", { key, body: { type: "api_calls" } });
  expect((await track()).status).toBe(200);
  expect((await suspend(true)).body.account.suspendedAt).toEqual(expect.any(String));
  expect(await track()).toMatchObject({ status: 403, body: { error: "forbidden" } });
  expect((await track()).body.detail).toContain("suspended");
  expect((await app.request("GET", "/api/v1/account/export", { key })).status).toBe(200);
  expect((await app.request("PATCH", "/api/v1/account", { key, body: {} })).status).toBe(405);
  expect((await suspend(true)).status).toBe(200);
  expect((await suspend(false)).body.account).not.toHaveProperty("suspendedAt");
  expect((await track()).status).toBe(200);
  const log = await app.request("GET", `/api/v1/audit-log?accountId=${accountId}&target=${accountId}`);
  expect(log.body.items.map(({ action }: { action: string }) => action)).toEqual([
    "account.resumed",
    "account.exported",
    "account.suspended",
    "account.created",
  ]);
  const own = (await app.request("GET", "/api/v1/account")).body.account.id;
  expect(await suspend(true, own)).toMatchObject({ status: 409, body: { error: "conflict" } });
});

it("no key can transfer, leave, close or keep an account", async () => {
  const app = await startApp();
  const key = await app.key(["admin"]);
  for (const [path, body] of [
    ["transfer", { userId: "usr_1" }],
    ["leave", {}],
    ["close", { name: "default" }],
    ["keep", {}],
  ] as const) {
    const refused = await app.request("POST", `/api/v1/account/${path}`, { key, body });
    expect(refused, path).toMatchObject({ status: 403, body: { error: "forbidden" } });
  }
});

it("an owner can export the account while the store is read only, which then notes nothing", async () => {
  const dataDirectory = temporaryDirectory();
  const app = await startApp({ dataDirectory });
  const { accountId } = await app.account("team");
  await makeReadOnly(dataDirectory, "back at noon (UTC).", systemClock);
  expect((await app.request("GET", "/api/v1/account/export")).status).toBe(200);
  const theirs = await app.request("GET", `/api/v1/account/export?accountId=${accountId}`);
  expect(theirs).toMatchObject({ status: 503, body: { error: "store_unavailable" } });
});
