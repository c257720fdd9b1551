import { describe, expect, it } from "vitest";
import type { KeyChange, NewApiKey } from "../../../src/accounts/credentials/api-keys.ts";
import { createCredentials } from "../../../src/accounts/credentials/credentials.ts";
import type { EndedKey } from "../../../src/accounts/credentials/ended-keys.ts";
import {
  callerFor,
  colleague,
  DAY,
  HOUR,
  MINUTE,
  problem,
  type Services,
  startServices,
  stranger,
  trailOf,
} from "../fixture.ts";

async function withKey(given: Partial<NewApiKey> = {}) {
  const services = await startServices();
  const { apiKeys, owner, clock, credentials } = services;
  const by = callerFor(owner);
  const made = await apiKeys.create(by, { name: "ci", scopes: ["read", "write"], ...given });
  clock.advance(1000);
  return {
    ...services,
    by,
    ...made,
    id: made.key.id,
    update: (change: KeyChange, who = by) => apiKeys.update(who, made.key.id, change),
    rotate: (overlapMs: number, who = by) =>
      apiKeys.rotate(who, made.key.id, overlapMs, (rotated) => rotated),
    works: async (secret = made.secret) => (await credentials.authenticate(secret)) !== undefined,
    last: async () => (await trailOf(services)).at(-1),
  };
}

/** Returns the reason why an ended key's secret is refused. */
async function reasonOf({ store, noteUse, account }: Services & { noteUse?: never }, secret: string) {
  const heard: EndedKey[] = [];
  const { authenticate } = createCredentials({
    store,
    noteUse: noteUse ?? (() => {}),
    onEnded: (ended) => heard.push(ended),
  });
  expect(await authenticate(secret)).toBeUndefined();
  expect(heard.every(({ accountId }) => accountId === account.id)).toBe(true);
  return heard[0]?.reason;
}

describe("updating an API key", () => {
  it("changes the given members, removes those that are null, and leaves the rest", async () => {
    const expiresAt = Date.UTC(2040, 0);
    const given = { projectId: "web", tools: ["usage.track"], addresses: ["192.0.2.0/24"], expiresAt };
    const { update, key, credentials, secret, by, last } = await withKey(given);
    const here = { address: "192.0.2.1", requestId: "r" };
    expect(await update({ name: undefined })).toEqual(key);
    expect(await update({ name: "build" })).toEqual({ ...key, name: "build" });
    const { projectId: _, addresses: __, expiresAt: ___, ...rest } = key;
    const changed = await update({
      scopes: ["write", "read", "write"],
      tools: ["usage.batch", "usage.track", "usage.batch"],
      projectId: null,
      addresses: null,
      expiresAt: null,
    });
    const expected = { ...rest, name: "build", tools: ["usage.batch", "usage.track"] };
    expect(changed).toEqual(expected);
    expect((await credentials.authenticate(secret, here))?.credential).toEqual({
      kind: "api_key",
      id: key.id,
      scopes: ["read", "write"],
      tools: expected.tools,
    });
    expect(await last()).toMatchObject({
      action: "key.updated",
      accountId: by.accountId,
      target: { kind: "key", id: key.id, name: "build" },
      before: { projectId: "web", tools: ["usage.track"], addresses: ["192.0.2.0/24"], expiresAt },
      after: { tools: expected.tools },
    });
  });

  it("creates the project that the key is newly bound to", async () => {
    const { update, projects, account } = await withKey({ projectId: "web" });
    const ids = async () => (await projects.list(account.id, { limit: 10 })).items.map(({ id }) => id);
    expect(await ids()).toEqual(["web"]);
    expect(await update({ projectId: "shop" })).toMatchObject({ projectId: "shop" });
    expect((await ids()).sort()).toEqual(["shop", "web"]);
  });

  it("refuses an expiry in the past, an unknown key and a key of another account", async () => {
    const services = await withKey();
    const { update, clock, apiKeys, by } = services;
    await expect(update({ expiresAt: clock.now() })).rejects.toMatchObject(problem("invalid_request"));
    expect(await update({ expiresAt: clock.now() + 1 })).toMatchObject({ expiresAt: clock.now() + 1 });
    await expect(apiKeys.update(by, "key_gone", { name: "x" })).rejects.toMatchObject(problem("not_found"));
    const theirs = callerFor(await stranger(services));
    await expect(update({ name: "x" }, theirs)).rejects.toMatchObject(problem("not_found"));
  });

  it("changes the expiry and revives an expired key", async () => {
    const services = await withKey();
    const { update, works, clock, secret } = services;
    await update({ expiresAt: clock.now() + HOUR });
    clock.advance(HOUR - 1);
    expect(await works()).toBe(true);
    clock.advance(1);
    expect(await works()).toBe(false);
    expect(await reasonOf(services, secret)).toBe("expired");
    await update({ name: "still over" });
    expect(await works()).toBe(false);
    await update({ expiresAt: clock.now() + HOUR });
    expect(await works()).toBe(true);
    await update({ expiresAt: null });
    clock.advance(365 * DAY);
    expect(await works()).toBe(true);
  });

  it("suspends a key at once, keeps the time of the first suspension, and resumes it", async () => {
    const services = await withKey();
    const { update, works, clock, secret, last } = services;
    const since = clock.now();
    expect(await update({ suspended: true })).toMatchObject({ suspendedAt: since });
    expect(await last()).toMatchObject({ action: "key.suspended", after: { suspendedAt: since } });
    expect(await works()).toBe(false);
    expect(await reasonOf(services, secret)).toBe("suspended");
    clock.advance(1000);
    expect(await update({ suspended: true })).toMatchObject({ suspendedAt: since });
    expect(await update({ name: "x" })).toMatchObject({ suspendedAt: since });
    expect(await last()).toMatchObject({ action: "key.updated" });
    expect(await works()).toBe(false);
    expect(await update({ suspended: false })).not.toHaveProperty("suspendedAt");
    expect(await last()).toMatchObject({ action: "key.resumed", before: { suspendedAt: since } });
    expect(await works()).toBe(true);
    await update({ suspended: false });
    expect(await works()).toBe(true);
  });

  it("needs the key's scopes and binding before and after, but none to suspend it", async () => {
    const services = await withKey({ scopes: ["admin"], projectId: "web" });
    const { update, owner, last } = services;
    const writer = callerFor(owner, { scopes: ["write"] });
    await expect(update({ name: "x" }, writer)).rejects.toMatchObject(problem("insufficient_scope"));
    // The caller must hold the key's current scopes, even to reduce them.
    const less = update({ scopes: ["write"] }, writer);
    await expect(less).rejects.toMatchObject(problem("insufficient_scope"));
    const admin = callerFor(owner, { scopes: ["admin"] });
    await expect(update({ scopes: ["operator"] }, admin)).rejects.toMatchObject(
      problem("insufficient_scope"),
    );
    const bound = callerFor(owner, { scopes: ["admin"], projectId: "web" });
    await expect(update({ projectId: "shop" }, bound)).rejects.toMatchObject({
      ...problem("forbidden"),
      detail: expect.stringContaining("the same project"),
    });
    expect(await update({ name: "x" }, bound)).toMatchObject({ name: "x" });
    // Suspending a key needs no scopes, unless other changes come with it.
    await expect(update({ suspended: true, name: "y" }, writer)).rejects.toMatchObject(
      problem("insufficient_scope"),
    );
    expect(await update({ suspended: true }, writer)).toHaveProperty("suspendedAt");
    expect(await last()).toMatchObject({ action: "key.suspended" });
    await expect(update({ suspended: false }, writer)).rejects.toMatchObject(problem("insufficient_scope"));
  });

  it("is refused for a key of a higher role and for scopes that its user lacks", async () => {
    const services = await startServices();
    const { apiKeys, owner, users } = services;
    const [{ user: admin }, { user: member }] = [
      await colleague(services, "admin"),
      await colleague(services, "member"),
    ];
    const owners = await apiKeys.create(callerFor(owner), { name: "o", scopes: ["read"] });
    await expect(apiKeys.update(callerFor(admin), owners.key.id, { name: "x" })).rejects.toMatchObject({
      ...problem("forbidden"),
      detail: "This key acts for owner@localhost, who is owner of the account.",
    });
    const members = await apiKeys.create(callerFor(member), { name: "m", scopes: ["write"] });
    const raise = apiKeys.update(callerFor(admin), members.key.id, { scopes: ["admin"] });
    await expect(raise).rejects.toMatchObject({
      ...problem("forbidden"),
      detail: 'This key acts for member@example.com, who lacks the scope "admin".',
    });
    expect(await apiKeys.update(callerFor(admin), members.key.id, { scopes: ["read"] })).toMatchObject({
      scopes: ["read"],
      createdBy: "member@example.com",
    });
    await users.update(callerFor(owner), admin.id, { suspended: true });
    await expect(apiKeys.update(callerFor(admin), members.key.id, { name: "x" })).rejects.toMatchObject({
      ...problem("forbidden"),
      detail: expect.stringContaining("removed or suspended"),
    });
  });

  it("lets an operator suspend and revoke another account's key, recorded in that account's log", async () => {
    const services = await startServices();
    const { apiKeys, owner } = services;
    const theirs = await stranger(services);
    const { key } = await apiKeys.create(callerFor(theirs), { name: "k", scopes: ["admin"] });
    const operator = callerFor(owner, { scopes: ["operator"] });
    const stopped = await apiKeys.update(operator, key.id, { suspended: true }, theirs.accountId);
    expect(stopped).toHaveProperty("suspendedAt");
    expect((await trailOf(services)).at(-1)).toMatchObject({
      action: "key.suspended",
      accountId: theirs.accountId,
      actor: { userId: owner.id },
    });
    await apiKeys.revoke(operator, key.id, theirs.accountId);
    expect((await trailOf(services)).at(-1)).toMatchObject({
      action: "key.revoked",
      accountId: theirs.accountId,
    });
  });
});

describe("rotating an API key", () => {
  it("issues a new secret and keeps the previous one valid for the overlap", async () => {
    const services = await withKey();
    const { rotate, works, key, secret, clock, apiKeys, account, id, last } = services;
    const rotatedAt = clock.now();
    const rotated = await rotate(HOUR);
    expect(rotated.secret).not.toBe(secret);
    expect(rotated.key).toMatchObject({
      id,
      name: "ci",
      createdAt: key.createdAt,
      rotatedAt,
      prefix: rotated.secret.slice(0, 12),
      previous: { prefix: key.prefix, issuedAt: key.createdAt, endsAt: rotatedAt + HOUR },
    });
    expect(await last()).toMatchObject({
      action: "key.rotated",
      target: { kind: "key", id, name: "ci" },
      before: { prefix: key.prefix },
      after: { prefix: rotated.key.prefix, previousEndsAt: rotatedAt + HOUR },
    });
    clock.advance(HOUR - 1);
    expect([await works(), await works(rotated.secret)]).toEqual([true, true]);
    expect(await apiKeys.get(account.id, id)).toHaveProperty("previous");
    clock.advance(1);
    expect([await works(), await works(rotated.secret)]).toEqual([false, true]);
    expect(await apiKeys.get(account.id, id)).not.toHaveProperty("previous");
    expect(await reasonOf(services, secret)).toBe("replaced");
  });

  it("ends the secret before the previous one always, and the previous one with no overlap", async () => {
    const services = await withKey();
    const { rotate, works, secret } = services;
    const second = await rotate(HOUR);
    const third = await rotate(HOUR);
    expect([await works(), await works(second.secret), await works(third.secret)]).toEqual([
      false,
      true,
      true,
    ]);
    expect(await reasonOf(services, secret)).toBe("replaced");
    const fourth = await rotate(0);
    expect(fourth.key).not.toHaveProperty("previous");
    expect([await works(second.secret), await works(third.secret), await works(fourth.secret)]).toEqual([
      false,
      false,
      true,
    ]);
    expect(await reasonOf(services, third.secret)).toBe("replaced");
  });

  it("ends both secrets with the expiry or revocation of the key", async () => {
    const services = await withKey();
    const { rotate, works, update, clock, secret, apiKeys, account, id, by } = services;
    await update({ expiresAt: clock.now() + MINUTE });
    const rotated = await rotate(HOUR);
    expect(rotated.key.previous?.endsAt).toBe(clock.now() + MINUTE);
    clock.advance(MINUTE);
    expect([await works(), await works(rotated.secret)]).toEqual([false, false]);
    await update({ expiresAt: null });
    expect([await works(), await works(rotated.secret)]).toEqual([true, true]);
    await apiKeys.revoke(by, id);
    expect([await works(), await works(rotated.secret)]).toEqual([false, false]);
    expect(await reasonOf(services, secret)).toBe("revoked");
    expect(await reasonOf(services, rotated.secret)).toBe("revoked");
    await expect(apiKeys.get(account.id, id)).rejects.toMatchObject(problem("not_found"));
  });

  it("suspends and resumes both secrets", async () => {
    const services = await withKey();
    const { rotate, works, update, secret } = services;
    const rotated = await rotate(HOUR);
    await update({ suspended: true });
    expect([await works(), await works(rotated.secret)]).toEqual([false, false]);
    expect(await reasonOf(services, secret)).toBe("suspended");
    await update({ suspended: false });
    expect([await works(), await works(rotated.secret)]).toEqual([true, true]);
  });

  it("is refused for an expired or suspended key and to a caller who lacks its scopes", async () => {
    const { rotate, update, clock, owner } = await withKey({ scopes: ["admin"] });
    const writer = callerFor(owner, { scopes: ["write"] });
    await expect(rotate(0, writer)).rejects.toMatchObject(problem("insufficient_scope"));
    await update({ suspended: true });
    await expect(rotate(0)).rejects.toMatchObject({
      ...problem("invalid_state"),
      detail: expect.stringContaining("suspended"),
    });
    await update({ suspended: false, expiresAt: clock.now() + MINUTE });
    clock.advance(MINUTE);
    await expect(rotate(0)).rejects.toMatchObject({
      ...problem("invalid_state"),
      detail: expect.stringContaining("expired"),
    });
    await update({ expiresAt: null });
    expect(await rotate(0)).toBeDefined();
  });
});
