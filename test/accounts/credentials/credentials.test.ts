import { describe, expect, it, vi } from "vitest";
import { createCredentials } from "../../../src/accounts/credentials/credentials.ts";
import { createLastUse } from "../../../src/accounts/credentials/last-use.ts";
import { hashSecret, newSecret } from "../../../src/accounts/credentials/secrets.ts";
import { accounts, credentials } from "../../../src/accounts/model.ts";
import { GLOBAL, StoreUnavailable } from "../../../src/store/store.ts";
import {
  callerFor,
  HOUR,
  MINUTE,
  OWNER_KEY,
  type Services,
  secretOf,
  settled,
  signInDevice,
  startServices,
  VISITOR,
} from "../fixture.ts";

const makeKey = ({ apiKeys, owner }: Services, extras = {}) =>
  apiKeys.create(callerFor(owner), { name: "ci", scopes: ["read", "write"], ...extras });

describe("authenticate()", () => {
  it("recognizes an API key, with its scopes and project", async () => {
    const services = await startServices();
    const { key, secret } = await makeKey(services, { projectId: "web" });
    expect(await services.credentials.authenticate(secret)).toEqual({
      account: services.account,
      userId: services.owner.id,
      credential: { kind: "api_key", id: key.id, scopes: ["read", "write"], projectId: "web" },
    });
  });

  it("accepts an access token until it expires an hour later", async () => {
    const services = await startServices();
    const { access_token, expires_in } = await signInDevice(services, "read");
    const found = await services.credentials.authenticate(access_token);
    expect(found?.credential).toMatchObject({
      kind: "access_token",
      scopes: ["read"],
      expiresAt: services.clock.now() + expires_in * 1000,
    });
    services.clock.advance(HOUR - 1);
    expect(await services.credentials.authenticate(access_token)).toBeDefined();
    services.clock.advance(1);
    expect(await services.credentials.authenticate(access_token)).toBeUndefined();
  });

  it("ends an API key at its expiry", async () => {
    const services = await startServices();
    const { secret } = await makeKey(services, { expiresAt: services.clock.now() + MINUTE });
    expect(await services.credentials.authenticate(secret)).toBeDefined();
    services.clock.advance(MINUTE);
    expect(await services.credentials.authenticate(secret)).toBeUndefined();
  });

  it("ends an API key at its revocation", async () => {
    const services = await startServices();
    const { key, secret } = await makeKey(services);
    await services.apiKeys.revoke(callerFor(services.owner), key.id);
    expect(await services.credentials.authenticate(secret)).toBeUndefined();
  });

  it("ends access tokens at the revocation of their family", async () => {
    const services = await startServices();
    const { access_token } = await signInDevice(services);
    const [device] = await services.signedInDevices.list(services.account.id);
    await services.signedInDevices.revoke(callerFor(services.owner), device!.id);
    expect(await services.credentials.authenticate(access_token)).toBeUndefined();
  });

  it("refuses refresh tokens, sessions and sign-in links", async () => {
    const services = await startServices();
    const { refresh_token } = await signInDevice(services);
    const link = await services.accounts.createSignInLink(callerFor(services.owner), services.account.id);
    const session = await services.signIn.consumeLink(secretOf(link), VISITOR);
    for (const secret of [refresh_token, session!.secret, secretOf(link)]) {
      expect(await services.credentials.authenticate(secret)).toBeUndefined();
    }
  });

  it("returns the audience, identity scopes and DPoP key that a token is bound to", async () => {
    const { store, account, owner, credentials: known, clock } = await startServices();
    const secret = newSecret("access_token", { bytes: () => Buffer.alloc(32, 7) });
    const bound = {
      kind: "access_token",
      id: "tok_1",
      scopes: ["read"],
      expiresAt: clock.now() + HOUR,
      audience: "https://plane.example/mcp",
      identity: ["openid", "email"],
      dpopKey: "thumbprint",
    } as const;
    const { id: accountId } = account;
    const credential = { ...bound, accountId, userId: owner.id, issuedAt: clock.now() } as never;
    await store.transact((tx) => tx.put(credentials, GLOBAL, hashSecret(secret), credential));
    expect((await known.authenticate(secret))?.credential).toStrictEqual(bound);
  });

  it("refuses credentials of a deleted account", async () => {
    const services = await startServices();
    const { secret } = await makeKey(services);
    await services.store.transact((tx) => tx.delete(accounts, GLOBAL, services.account.id));
    expect(await services.credentials.authenticate(secret)).toBeUndefined();
    expect(await services.credentials.authenticate(OWNER_KEY)).toBeUndefined();
  });

  it("does not ask the store about malformed secrets", async () => {
    const { store } = await startServices();
    const transact = vi.spyOn(store, "transact");
    const credentials = createCredentials({ store, noteUse: () => {} });
    for (const secret of ["", "secret", `tak_${"0".repeat(57)}`, OWNER_KEY]) {
      expect(await credentials.authenticate(secret)).toBeUndefined();
    }
    expect(transact).not.toHaveBeenCalled();
  });

  it("reads what it needs in one transaction", async () => {
    const services = await startServices();
    const { access_token } = await signInDevice(services);
    await services.credentials.authenticate(access_token);
    const transact = vi.spyOn(services.store, "transact");
    await services.credentials.authenticate(access_token);
    expect(transact).toHaveBeenCalledTimes(1);
  });
});

describe("the owner's key from the environment", () => {
  it("acts for the owner, with every scope", async () => {
    const { credentials, account, owner } = await startServices();
    expect(await credentials.authenticate(OWNER_KEY)).toEqual({
      account,
      userId: owner.id,
      credential: { kind: "owner_key", id: "owner", scopes: ["read", "write", "admin", "operator"] },
    });
  });

  it("works only if the process was configured with it", async () => {
    const { store } = await startServices();
    const credentials = createCredentials({ store, noteUse: () => {} });
    expect(await credentials.authenticate(OWNER_KEY)).toBeUndefined();
  });

  it("leaves other credentials unchanged and must match exactly", async () => {
    const services = await startServices();
    const { secret } = await makeKey(services);
    expect((await services.credentials.authenticate(secret))?.credential.kind).toBe("api_key");
    expect(await services.credentials.authenticate(OWNER_KEY.slice(0, -1))).toBeUndefined();
    expect(await services.credentials.authenticate(`${OWNER_KEY}x`)).toBeUndefined();
  });
});

describe("the time of last use", () => {
  const lastUse = async ({ apiKeys, account }: Services) =>
    (await apiKeys.list(account.id, { limit: 1 })).items[0]?.lastUsedAt;

  it("is stored for a key at most once a minute", async () => {
    const services = await startServices();
    const { secret } = await makeKey(services);
    expect(await lastUse(services)).toBeUndefined();
    const first = services.clock.now();
    await services.credentials.authenticate(secret);
    await settled(services);
    expect(await lastUse(services)).toBe(first);
    services.clock.advance(MINUTE - 1);
    await services.credentials.authenticate(secret);
    await settled(services);
    expect(await lastUse(services)).toBe(first);
    services.clock.advance(1);
    await services.credentials.authenticate(secret);
    await settled(services);
    expect(await lastUse(services)).toBe(first + MINUTE);
  });

  it("is stored for a device without extending its expiry", async () => {
    const services = await startServices();
    const { access_token } = await signInDevice(services);
    const [before] = await services.signedInDevices.list(services.account.id);
    services.clock.advance(5 * MINUTE);
    await services.credentials.authenticate(access_token);
    await settled(services);
    const [after] = await services.signedInDevices.list(services.account.id);
    expect(after).toEqual({ ...before, lastUsedAt: services.clock.now() });
    services.clock.advance(after!.expiresAt - services.clock.now());
    expect(await services.signedInDevices.list(services.account.id)).toEqual([]);
  });

  it("is written once for many concurrent requests", async () => {
    const services = await startServices();
    const [one, other] = [await makeKey(services), await makeKey(services)];
    const transact = vi.spyOn(services.store, "transact");
    const use = ({ secret }: { secret: string }) => services.credentials.authenticate(secret);
    await Promise.all(Array.from({ length: 20 }, () => use(one)));
    expect(transact).toHaveBeenCalledTimes(21);
    await Promise.all([use(other), use(one), use(other)]);
    expect(transact).toHaveBeenCalledTimes(25);
  });

  it("stays unchanged if another server wrote it within the last minute", async () => {
    const services = await startServices();
    const { secret } = await makeKey(services);
    const first = services.clock.now();
    await services.credentials.authenticate(secret);
    await settled(services);
    const elsewhere = createCredentials({ ...services, noteUse: createLastUse(services) });
    services.clock.advance(MINUTE / 2);
    await elsewhere.authenticate(secret);
    await settled(services);
    expect(await lastUse(services)).toBe(first);
    services.clock.advance(MINUTE);
    await elsewhere.authenticate(secret);
    await settled(services);
    expect(await lastUse(services)).toBe(first + 1.5 * MINUTE);
  });

  it("fails no request if the store is unavailable", async () => {
    const services = await startServices();
    const { secret } = await makeKey(services);
    const noteUse = createLastUse({
      clock: services.clock,
      store: { ...services.store, transact: () => Promise.reject(new StoreUnavailable("disk full")) },
    });
    const credentials = createCredentials({ ...services, noteUse });
    expect(await credentials.authenticate(secret)).toBeDefined();
  });

  it("does not restore a key that is revoked meanwhile", async () => {
    const services = await startServices();
    const { key, secret } = await makeKey(services);
    await services.credentials.authenticate(secret);
    await services.apiKeys.revoke(callerFor(services.owner), key.id);
    await settled(services);
    expect((await services.apiKeys.list(services.account.id, { limit: 1 })).items).toEqual([]);
  });
});
