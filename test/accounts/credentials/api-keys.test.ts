import { describe, expect, it } from "vitest";
import type { Scope } from "../../../src/contract/caller.ts";
import { callerFor, colleague, MINUTE, problem, startServices, stranger } from "../fixture.ts";

describe("creating an API key", () => {
  it("returns the secret once and only its prefix afterwards", async () => {
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
  ])("with the scopes %j for the scopes %j is allowed: %s", async (held, asked, allowed) => {
    const { apiKeys, owner } = await startServices();
    const making = apiKeys.create(callerFor(owner, { scopes: held }), { name: "k", scopes: asked });
    if (allowed) await expect(making).resolves.toBeDefined();
    else await expect(making).rejects.toMatchObject(problem("insufficient_scope"));
  });

  it("names the scope that its creator lacks", async () => {
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

  it("stores each scope once, in order", async () => {
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

  it("creates the project that the key is bound to", async () => {
    const { apiKeys, projects, account, owner } = await startServices();
    await apiKeys.create(callerFor(owner), { name: "k", scopes: ["read"], projectId: "web" });
    const { items } = await projects.list(account.id, { limit: 10 });
    expect(items.map(({ id }) => id)).toEqual(["web"]);
  });

  it("is refused to a user who was deleted meanwhile", async () => {
    const services = await startServices();
    const { apiKeys, users, owner } = services;
    const { user } = await colleague(services, "admin");
    await users.remove(callerFor(owner), user.id);
    const making = apiKeys.create(callerFor(user), { name: "k", scopes: ["read"] });
    await expect(making).rejects.toMatchObject(problem("forbidden"));
  });
});

describe("revoking an API key", () => {
  it("ends the key at once and removes it from the list", async () => {
    const { apiKeys, credentials, account, owner } = await startServices();
    const { key, secret } = await apiKeys.create(callerFor(owner), { name: "k", scopes: ["read"] });
    await apiKeys.revoke(callerFor(owner), key.id);
    expect(await credentials.authenticate(secret)).toBeUndefined();
    expect((await apiKeys.list(account.id, { limit: 10 })).items).toEqual([]);
    await expect(apiKeys.revoke(callerFor(owner), key.id)).rejects.toMatchObject(problem("not_found"));
  });

  it("of another account fails exactly like one of an unknown key", async () => {
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

  it("works on an expired key", async () => {
    const { apiKeys, account, owner, clock } = await startServices();
    const expiresAt = clock.now() + MINUTE;
    const { key } = await apiKeys.create(callerFor(owner), { name: "k", scopes: ["read"], expiresAt });
    clock.advance(2 * MINUTE);
    expect((await apiKeys.list(account.id, { limit: 10 })).items).toHaveLength(1);
    await apiKeys.revoke(callerFor(owner), key.id);
    expect((await apiKeys.list(account.id, { limit: 10 })).items).toEqual([]);
  });
});
