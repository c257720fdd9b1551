import { describe, expect, it } from "vitest";
import { Email } from "../../src/accounts/contract.ts";
import { credentials } from "../../src/accounts/model.ts";
import { GLOBAL } from "../../src/store/store.ts";
import {
  callerFor,
  problem,
  secretOf,
  settled,
  signInDevice,
  startServices,
  stranger,
  VISITOR,
} from "./fixture.ts";

const PERSON = { email: "Ada@Example.com", role: "admin" } as const;

describe("adding a user", () => {
  it("gives a link that signs the user in", async () => {
    const { users, signIn, account } = await startServices();
    const { user, signInLink } = await users.create(account.id, PERSON);
    const session = await signIn.consumeLink(secretOf(signInLink), VISITOR);
    expect((await signIn.lookUp(session!.secret))?.user).toEqual(user);
  });

  it("refuses an address that belongs to a user, in any case and account", async () => {
    const services = await startServices();
    const { users, account } = services;
    await users.create(account.id, PERSON);
    await stranger(services);
    for (const email of ["ada@example.com", "ADA@EXAMPLE.COM", "ada@elsewhere.example", "owner@localhost"]) {
      const adding = users.create(account.id, { email, role: "member" });
      await expect(adding).rejects.toMatchObject(problem("conflict"));
    }
  });

  it("gives an address to one of many who ask at once", async () => {
    const { users, account } = await startServices();
    const outcomes = await Promise.allSettled(
      Array.from({ length: 10 }, () => users.create(account.id, PERSON)),
    );
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect((await users.list(account.id, { limit: 50 })).items).toHaveLength(2);
  });

  it("takes addresses as browsers do", () => {
    for (const email of ["owner@localhost", "a.b+c@example.co.uk", " ada@example.com "]) {
      expect(Email.parse(email)).toBe(email.trim());
    }
    for (const email of ["", "ada", "ada@", "@example.com", "a b@example.com", `a@${"x".repeat(260)}`]) {
      expect(Email.safeParse(email).success).toBe(false);
    }
  });
});

describe("deleting a user", () => {
  it("ends keys, devices, sessions, links and the address at once", async () => {
    const services = await startServices();
    const { users, apiKeys, credentials, signIn, families, account } = services;
    const { user, signInLink } = await users.create(account.id, PERSON);
    const key = await apiKeys.create({ name: "k", scopes: ["read"] }, callerFor(user));
    const tokens = await signInDevice(services, "read", user);
    const session = await signIn.consumeLink(secretOf(signInLink), VISITOR);
    const link = await services.accounts.createSignInLink(account.id, user.id);

    await users.delete(account.id, user.id);

    expect(await credentials.authenticate(key.secret)).toBeUndefined();
    expect(await credentials.authenticate(tokens.access_token)).toBeUndefined();
    expect(await signIn.lookUp(session!.secret)).toBeUndefined();
    expect(await signIn.peekLink(secretOf(link))).toBeUndefined();
    expect(await signIn.consumeLink(secretOf(link), VISITOR)).toBeUndefined();
    const refresh = services.token({
      grant_type: "refresh_token",
      refresh_token: tokens.refresh_token,
      client_id: "tool-cli",
    });
    await expect(refresh).rejects.toMatchObject({ error: "invalid_grant" });
    expect(await families.list(account.id)).toEqual([]);
    expect((await apiKeys.list(account.id, { limit: 10 })).items).toEqual([]);
    await expect(users.create(account.id, PERSON)).resolves.toBeDefined();
  });

  it("leaves the credentials of others alone", async () => {
    const services = await startServices();
    const { users, apiKeys, credentials, account, owner } = services;
    const { user } = await users.create(account.id, PERSON);
    const key = await apiKeys.create({ name: "k", scopes: ["read"] }, callerFor(owner));
    const { access_token } = await signInDevice(services);
    const link = await services.accounts.createSignInLink(account.id, owner.id);
    const session = await services.signIn.consumeLink(secretOf(link), VISITOR);
    await users.delete(account.id, user.id);
    expect(await credentials.authenticate(key.secret)).toBeDefined();
    expect(await credentials.authenticate(access_token)).toBeDefined();
    expect(await services.signIn.lookUp(session!.secret)).toBeDefined();
    await settled(services);
  });

  it("leaves nothing behind that is found by a key or a cookie", async () => {
    const services = await startServices();
    const { users, apiKeys, signIn, account, store } = services;
    const before = await store.transact((tx) => tx.ids(credentials, GLOBAL));
    const { user, signInLink } = await users.create(account.id, PERSON);
    await apiKeys.create({ name: "k", scopes: ["read"] }, callerFor(user));
    await signIn.consumeLink(secretOf(signInLink), VISITOR);
    await users.delete(account.id, user.id);
    expect(await store.transact((tx) => tx.ids(credentials, GLOBAL))).toEqual(before);
  });

  it("gives no tokens to a device that the user approved before", async () => {
    const { devices, users, token, account } = await startServices();
    const { user } = await users.create(account.id, PERSON);
    const { device_code, user_code } = await devices.begin({ client_id: "tool-cli" }, VISITOR);
    await devices.decide(user_code, "approve", { ...callerFor(user), scopes: ["admin"] });
    await users.delete(account.id, user.id);
    await expect(token({ device_code })).rejects.toMatchObject({ error: "access_denied" });
  });

  it("is refused for the last admin, not for the last but one", async () => {
    const services = await startServices();
    const { users } = services;
    const ada = await stranger(services);
    await expect(users.delete(ada.accountId, ada.id)).rejects.toMatchObject(problem("conflict"));
    await users.create(ada.accountId, { email: "m@elsewhere.example", role: "member" });
    await expect(users.delete(ada.accountId, ada.id)).rejects.toMatchObject(problem("conflict"));
    const { user } = await users.create(ada.accountId, { email: "b@elsewhere.example", role: "admin" });
    await users.delete(ada.accountId, ada.id);
    await expect(users.delete(ada.accountId, user.id)).rejects.toMatchObject(problem("conflict"));
  });

  it("leaves an admin when all admins are deleted at once", async () => {
    const services = await startServices();
    const { users } = services;
    const ada = await stranger(services);
    for (let index = 0; index < 4; index++) {
      await users.create(ada.accountId, { email: `a${index}@elsewhere.example`, role: "admin" });
    }
    const { items } = await users.list(ada.accountId, { limit: 50 });
    const outcomes = await Promise.allSettled(items.map(({ id }) => users.delete(ada.accountId, id)));
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(4);
    expect((await users.list(ada.accountId, { limit: 50 })).items).toHaveLength(1);
  });

  it("is refused for the owner of the instance", async () => {
    const { users, account, owner } = await startServices();
    await users.create(account.id, PERSON);
    await expect(users.delete(account.id, owner.id)).rejects.toMatchObject(problem("conflict"));
  });

  it("of another account is refused as an unknown one is", async () => {
    const services = await startServices();
    const ada = await stranger(services);
    for (const id of [ada.id, "usr_unknown"]) {
      const deleting = services.users.delete(services.account.id, id);
      await expect(deleting).rejects.toMatchObject(problem("not_found"));
    }
    expect(await services.users.get(ada.accountId, ada.id)).toEqual(ada);
    await expect(services.users.get(services.account.id, ada.id)).rejects.toMatchObject(problem("not_found"));
  });
});

describe("the list of users", () => {
  it("comes in pages", async () => {
    const { users, account } = await startServices();
    for (let index = 0; index < 4; index++) {
      await users.create(account.id, { email: `u${index}@example.com`, role: "member" });
    }
    const first = await users.list(account.id, { limit: 2 });
    const second = await users.list(account.id, { limit: 2, cursor: first.nextCursor });
    const third = await users.list(account.id, { limit: 2, cursor: second.nextCursor });
    expect([first, second, third].flatMap(({ items }) => items.map(({ email }) => email))).toEqual([
      "owner@localhost",
      "u0@example.com",
      "u1@example.com",
      "u2@example.com",
      "u3@example.com",
    ]);
    expect(third).not.toHaveProperty("nextCursor");
    // No page that would be empty is promised, and one behind the last is.
    expect(await users.list(account.id, { limit: 5 })).not.toHaveProperty("nextCursor");
    expect(await users.list(account.id, { limit: 5, cursor: "usr_z" })).toEqual({ items: [] });
  });
});
