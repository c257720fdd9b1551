import { describe, expect, it } from "vitest";
import { startApp, type TestApp } from "../support/app.ts";
import { createDatabase } from "../support/services/shared-postgres.ts";

/** Creates a key of another account. Returns it with the path of its endpoint. */
async function theirKey(app: TestApp) {
  const { accountId, token } = await app.account("enterprise");
  const body = { name: "loud", scopes: ["read"] };
  const { key, secret } = (await app.request("POST", "/api/v1/keys", { key: token, body })).body;
  return {
    accountId,
    token,
    secret: secret as string,
    keyId: key.id as string,
    path: `/api/v1/keys/${key.id}`,
    answers: async () => (await app.request("GET", "/api/v1/account", { key: secret })).status,
  };
}

const started = {
  "a directory": () => startApp(),
  PostgreSQL: async () => startApp({ databaseUrl: await createDatabase() }),
};

describe.each(Object.entries(started))("an operator, on %s", (_, start) => {
  it("suspends, resumes and revokes a key of another account, with entries in that account's audit log", async () => {
    const app = await start();
    const { accountId, token, keyId, path, answers } = await theirKey(app);
    const suspend = (suspended: boolean) => app.request("PATCH", path, { body: { accountId, suspended } });
    expect([(await suspend(true)).status, await answers()]).toEqual([200, 401]);
    expect([(await suspend(false)).status, await answers()]).toEqual([200, 200]);
    const listed = await app.request("GET", `/api/v1/keys?accountId=${accountId}&query=loud`);
    expect(listed.body.items.map((each: { id: string }) => each.id)).toEqual([keyId]);
    expect((await app.request("GET", `${path}?accountId=${accountId}`)).body.key.name).toBe("loud");
    expect((await app.request("DELETE", `${path}?accountId=${accountId}`)).status).toBe(204);
    expect(await answers()).toBe(401);
    const { items } = (await app.request("GET", `/api/v1/audit-log?target=${keyId}`, { key: token })).body;
    const { account, user } = (await app.request("GET", "/api/v1/account")).body;
    const actor = { accountId: account.id, userId: user.id, name: "owner@localhost" };
    expect(items).toMatchObject([
      { accountId, action: "key.revoked", actor, before: { name: "loud" } },
      { accountId, action: "key.resumed", actor },
      { accountId, action: "key.suspended", actor },
      { accountId, action: "key.created", actor: { accountId } },
    ]);
  });
});

describe("a key of another account", () => {
  it("cannot be changed otherwise, not even by an operator", async () => {
    const app = await startApp();
    const { accountId, path } = await theirKey(app);
    for (const change of [{ scopes: ["operator"] }, { name: "mine" }, { expiresAt: null }, { tools: null }]) {
      const refused = await app.request("PATCH", path, { body: { accountId, suspended: true, ...change } });
      expect([refused.status, refused.body.errors?.[0].path]).toEqual([400, Object.keys(change)[0]]);
    }
    const { key } = (await app.request("GET", `${path}?accountId=${accountId}`)).body;
    expect(key).toMatchObject({ name: "loud", scopes: ["read"] });
    expect(key.suspendedAt).toBeUndefined();
    // Without an account id, the path means the caller's own account, which has no such key.
    expect((await app.request("DELETE", path)).status).toBe(404);
  });

  it("cannot be found by an admin, or by an operator's key that is bound to a project", async () => {
    const app = await startApp();
    const { accountId, path, answers } = await theirKey(app);
    const { token } = await app.account("team");
    const bound = await app.key(["operator"], { projectId: "shop" });
    for (const [key, error] of [
      [token, "insufficient_scope"],
      [bound, "forbidden"],
    ] as const) {
      for (const of of [accountId, "acc_nobody"]) {
        const refused = await Promise.all([
          app.request("GET", `/api/v1/keys?accountId=${of}`, { key }),
          app.request("GET", `${path}?accountId=${of}`, { key }),
          app.request("PATCH", path, { key, body: { accountId: of, suspended: true } }),
          app.request("DELETE", `${path}?accountId=${of}`, { key }),
        ]);
        expect(refused.map(({ status, body }) => [status, body.error])).toEqual(
          Array.from({ length: 4 }, () => [403, error]),
        );
      }
    }
    expect(await answers()).toBe(200);
  });
});
