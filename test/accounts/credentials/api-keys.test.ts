import { describe, expect, it } from "vitest";
import type { Scope } from "../../../src/contract/caller.ts";
import { callerFor, colleague, MINUTE, problem, startServices, stranger } from "../fixture.ts";

describe("making an API key", () => {
  it("shows the secret once and its first characters from then on", async () => {
    const { apiKeys, account, owner } = await startServices();
    const { key, secret } = await apiKeys.create(callerFor(owner), { name: "ci", scopes: ["write"] });
    expect(secret).toMatch(/^tak_/);
    expect(secret.startsWith(key.prefix)).toBe(true);
    const { items } = await apiKeys.list(account.id, { limit: 10 });
    expect(items).toEqual([key]);
    expect(JSON.stringify(items)).not.toContain(secret);
  });

  it.each<[Scope[], Scope[], boolean]>([
    [["read", "write", "admin"], ["admin"], true],
    [["read", "write", "admin"], ["read", "operator"], false],
    [["operator"], ["read", "operator"], true],
    [["admin"], ["read", "write", "admin"], true],
    [["write"], ["admin"], false],
  ])("with %j for %j is allowed: %s", async (held, asked, allowed) => {
    const { apiKeys, owner } = await startServices();
    const making = apiKeys.create(callerFor(owner, { scopes: held }), { name: "k", scopes: asked });
    if (allowed) await expect(making).resolves.toBeDefined();
    else await expect(making).rejects.toMatchObject(problem("insufficient_scope"));
  });

  it("names the scope that its maker lacks", async () => {
    const { apiKeys, owner } = await startServices();
    const making = apiKeys.create(callerFor(owner, { scopes: ["admin"] }), {
      name: "k",
      scopes: ["read", "operator"],
    });
    await expect(making).rejects.toMatchObject({
      extras: {
        members: { scope: "operator" },
        headers: { "WWW-Authenticate": 'Bearer error="insufficient_scope", scope="operator"' },
      },
    });
  });

  it("keeps each scope once, in order", async () => {
    const { apiKeys, owner } = await startServices();
    const scopes: Scope[] = ["write", "read", "write"];
    const { key } = await apiKeys.create(callerFor(owner), { name: "k", scopes });
    expect(key.scopes).toEqual(["read", "write"]);
  });

  it("refuses an expiry that has passed", async () => {
    const { apiKeys, owner, clock } = await startServices();
    const making = apiKeys.create(callerFor(owner), { name: "k", scopes: ["read"], expiresAt: clock.now() });
    await expect(making).rejects.toMatchObject({
      ...problem("invalid_request"),
      extras: { errors: [{ path: "expiresAt", message: "must lie in the future" }] },
    });
  });

  it("makes the project that it is bound to", async () => {
    const { apiKeys, projects, account, owner } = await startServices();
    await apiKeys.create(callerFor(owner), { name: "k", scopes: ["read"], projectId: "web" });
    const { items } = await projects.list(account.id, { limit: 10 });
    expect(items.map(({ id }) => id)).toEqual(["web"]);
  });

  it("is over once its maker was deleted", async () => {
    const services = await startServices();
    const { apiKeys, users, owner } = services;
    const { user } = await colleague(services, "admin");
    await users.remove(callerFor(owner), user.id);
    const making = apiKeys.create(callerFor(user), { name: "k", scopes: ["read"] });
    await expect(making).rejects.toMatchObject(problem("forbidden"));
  });
});

describe("revoking an API key", () => {
  it("leaves nothing of it", async () => {
    const { apiKeys, credentials, account, owner } = await startServices();
    const { key, secret } = await apiKeys.create(callerFor(owner), { name: "k", scopes: ["read"] });
    await apiKeys.revoke(callerFor(owner), key.id);
    expect(await credentials.authenticate(secret)).toBeUndefined();
    expect((await apiKeys.list(account.id, { limit: 10 })).items).toEqual([]);
    await expect(apiKeys.revoke(callerFor(owner), key.id)).rejects.toMatchObject(problem("not_found"));
  });

  it("of another account is refused as an unknown one is", async () => {
    const services = await startServices();
    const { apiKeys, credentials, owner } = services;
    const theirs = await apiKeys.create(callerFor(await stranger(services)), { name: "k", scopes: ["read"] });
    const [known, unknown] = await Promise.allSettled([
      apiKeys.revoke(callerFor(owner), theirs.key.id),
      apiKeys.revoke(callerFor(owner), "key_unknown"),
    ]);
    expect(known).toMatchObject({ status: "rejected", reason: problem("not_found") });
    expect(String((known as PromiseRejectedResult).reason.detail).replace(theirs.key.id, "key_unknown")).toBe(
      (unknown as PromiseRejectedResult).reason.detail,
    );
    expect(await credentials.authenticate(theirs.secret)).toBeDefined();
  });

  it("works on one that has expired", async () => {
    const { apiKeys, account, owner, clock } = await startServices();
    const expiresAt = clock.now() + MINUTE;
    const { key } = await apiKeys.create(callerFor(owner), { name: "k", scopes: ["read"], expiresAt });
    clock.advance(2 * MINUTE);
    expect((await apiKeys.list(account.id, { limit: 10 })).items).toHaveLength(1);
    await apiKeys.revoke(callerFor(owner), key.id);
    expect((await apiKeys.list(account.id, { limit: 10 })).items).toEqual([]);
  });
});
