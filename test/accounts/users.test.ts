import { describe, expect, it } from "vitest";
import { Email } from "../../src/accounts/contract.ts";
import { credentials } from "../../src/accounts/model.ts";
import { ROLES, type Role } from "../../src/accounts/roles.ts";
import { GLOBAL } from "../../src/store/store.ts";
import {
  callerFor,
  colleague,
  comeBy,
  DAY,
  problem,
  secretOf,
  settled,
  signInByLink,
  signInDevice,
  startServices,
  stranger,
  VISITOR,
} from "./fixture.ts";

const PERSON = { email: "Ada@Example.com", role: "admin" } as const;

async function start() {
  const services = await startServices();
  return { ...services, by: callerFor(services.owner) };
}

describe("inviting a user", () => {
  it("returns a link that signs in that user within seven days", async () => {
    const services = await start();
    const { user, signInLink } = await services.users.invite(services.by, PERSON);
    expect(user).toMatchObject({ ...PERSON, invitation: { by: services.owner.id } });
    services.clock.advance(7 * DAY - 1);
    const here = await comeBy(services, signInLink);
    const { invitation: _, ...kept } = user;
    expect(here.user).toEqual({ ...kept, personId: here.person.id });
    expect(here.person).toMatchObject({ email: PERSON.email });
  });

  it("returns a link that expires after seven days and can be renewed", async () => {
    const services = await start();
    const { users, signIn, by, clock } = services;
    const { user, signInLink } = await users.invite(by, PERSON);
    clock.advance(7 * DAY);
    expect(await signIn.consumeLink(secretOf(signInLink), VISITOR)).toBeUndefined();
    const renewed = await users.renewInvitation(by, user.id);
    expect((await comeBy(services, renewed.signInLink)).user.id).toBe(user.id);
  });

  it("ends the earlier link at renewal and refuses renewal for a user who has joined", async () => {
    const services = await start();
    const { users, signIn, by } = services;
    const { user, signInLink } = await users.invite(by, PERSON);
    const renewed = await users.renewInvitation(by, user.id);
    expect(await signIn.peekLink(secretOf(signInLink))).toBeUndefined();
    await comeBy(services, renewed.signInLink);
    await expect(users.renewInvitation(by, user.id)).rejects.toMatchObject(problem("conflict"));
  });

  it("refuses an address that the account already has or has invited, in any case", async () => {
    const { users, by } = await start();
    await users.invite(by, PERSON);
    for (const email of ["ada@example.com", "ADA@EXAMPLE.COM", "owner@localhost"]) {
      await expect(users.invite(by, { email, role: "member" })).rejects.toMatchObject(problem("conflict"));
    }
  });

  it("accepts an address that belongs to a person in another account", async () => {
    const services = await start();
    const ada = await stranger(services);
    const { user } = await services.users.invite(services.by, { email: ada.email, role: "member" });
    expect(user.personId).toBeUndefined();
  });

  it("succeeds once if the same address is invited concurrently", async () => {
    const { users, account, by } = await start();
    const outcomes = await Promise.allSettled(Array.from({ length: 10 }, () => users.invite(by, PERSON)));
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect((await users.list(account.id, { limit: 50 })).items).toHaveLength(2);
  });

  it("accepts and refuses the same addresses as browsers", () => {
    for (const email of ["owner@localhost", "a.b+c@example.co.uk", " ada@example.com "]) {
      expect(Email.parse(email)).toBe(email.trim());
    }
    expect(Email.parse("Ada@Bücher.example")).toBe("Ada@xn--bcher-kva.example");
    for (const email of [
      "",
      "ada",
      "ada@",
      "@example.com",
      "a b@example.com",
      "ä@example.com",
      "a@ü b.example",
      `a@${"x".repeat(260)}`,
    ]) {
      expect(Email.safeParse(email).success).toBe(false);
    }
  });
});

describe("user management", () => {
  const may: Record<Role, readonly Role[]> = {
    viewer: [],
    member: [],
    admin: ["viewer", "member", "admin"],
    owner: ROLES,
  };

  it.each(ROLES)(
    "lets the role %s invite, change and remove only users of roles up to its own",
    async (role) => {
      const services = await start();
      const { users } = services;
      const by = callerFor((await colleague(services, role, { email: "manager@example.com" })).user);
      for (const other of ROLES) {
        const email = `${other}@example.com`;
        const { user } = await colleague(services, other, { email });
        const attempts = [
          () => users.invite(by, { email: `invited-${other}@example.com`, role: other }),
          () => users.update(by, user.id, { suspended: true }),
          () => users.update(by, user.id, { suspended: false, role: "viewer" }),
          () => users.update(by, user.id, { role: other }),
          () => users.remove(by, user.id),
        ];
        // The third attempt makes the user a viewer, whom an admin may make an admin.
        for (const attempt of attempts) {
          if (may[role].includes(other)) await attempt();
          else await expect(attempt()).rejects.toMatchObject(problem("forbidden"));
        }
      }
    },
  );

  it("raises no user above the manager's own role, the manager included", async () => {
    const services = await start();
    const { user } = await colleague(services, "admin");
    const member = await colleague(services, "member");
    for (const id of [user.id, member.user.id]) {
      const raising = services.users.update(callerFor(user), id, { role: "owner" });
      await expect(raising).rejects.toMatchObject(problem("forbidden"));
    }
  });

  it("is refused to a manager who was suspended during the request", async () => {
    const services = await start();
    const { users, apiKeys, by } = services;
    const { user } = await colleague(services, "admin");
    const caller = callerFor(user);
    await users.update(by, user.id, { suspended: true });
    for (const attempt of [
      () => users.update(caller, user.id, { suspended: false }),
      () => users.invite(caller, PERSON),
      () => apiKeys.create(caller, { name: "k", scopes: ["read"] }),
    ]) {
      await expect(attempt()).rejects.toMatchObject(problem("forbidden"));
    }
  });

  it("creates no key with scopes that its creator lost during the request", async () => {
    const services = await start();
    const { users, apiKeys, by } = services;
    const { user } = await colleague(services, "admin");
    await users.update(by, user.id, { role: "member" });
    const making = (scope: "write" | "admin") =>
      apiKeys.create(callerFor(user), { name: "k", scopes: [scope] });
    await expect(making("admin")).rejects.toMatchObject(problem("forbidden"));
    await expect(making("write")).resolves.toBeDefined();
  });
});

describe("the list of users", () => {
  it("is paginated", async () => {
    const { users, account, by } = await start();
    for (let index = 0; index < 4; index++) {
      await users.invite(by, { email: `u${index}@example.com`, role: "member" });
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
    // The last page has no cursor. A page past the end is empty.
    expect(await users.list(account.id, { limit: 5 })).not.toHaveProperty("nextCursor");
    expect(await users.list(account.id, { limit: 5, cursor: "usr_z" })).toEqual({ items: [] });
  });
});

describe("removing a user", () => {
  it("ends keys, devices, sessions and links, and frees the address", async () => {
    const services = await start();
    const { users, apiKeys, credentials, signIn, signedInDevices, account, by } = services;
    const { user, secret: session } = await colleague(services, "admin", PERSON);
    const key = await apiKeys.create(callerFor(user), { name: "k", scopes: ["read"] });
    const tokens = await signInDevice(services, "read", user);
    const link = await services.accounts.createSignInLink(by, account.id, user.id);

    await users.remove(by, user.id);

    expect(await credentials.authenticate(key.secret)).toBeUndefined();
    expect(await credentials.authenticate(tokens.access_token)).toBeUndefined();
    expect(await signIn.lookUp(session)).toBeUndefined();
    expect(await signIn.peekLink(secretOf(link))).toBeUndefined();
    expect(await signIn.consumeLink(secretOf(link), VISITOR)).toBeUndefined();
    const refresh = services.token({
      grant_type: "refresh_token",
      refresh_token: tokens.refresh_token,
      client_id: "tool-cli",
    });
    await expect(refresh).rejects.toMatchObject({ error: "invalid_grant" });
    expect(await signedInDevices.list(account.id)).toEqual([]);
    expect((await apiKeys.list(account.id, { limit: 10 })).items).toEqual([]);
    await expect(users.invite(by, PERSON)).resolves.toBeDefined();
  });

  it("withdraws an invitation along with its link", async () => {
    const { users, signIn, by } = await start();
    const { user, signInLink } = await users.invite(by, PERSON);
    await users.remove(by, user.id);
    expect(await signIn.consumeLink(secretOf(signInLink), VISITOR)).toBeUndefined();
    await expect(users.invite(by, PERSON)).resolves.toBeDefined();
  });

  it("leaves the credentials of other users unchanged", async () => {
    const services = await start();
    const { users, apiKeys, credentials, by } = services;
    const { user } = await colleague(services, "admin");
    const key = await apiKeys.create(by, { name: "k", scopes: ["read"] });
    const { access_token } = await signInDevice(services);
    const session = await signInByLink(services);
    await users.remove(by, user.id);
    expect(await credentials.authenticate(key.secret)).toBeDefined();
    expect(await credentials.authenticate(access_token)).toBeDefined();
    expect(await services.signIn.lookUp(session.secret)).toBeDefined();
    await settled(services);
  });

  it("leaves no credentials in the store", async () => {
    const services = await start();
    const { users, apiKeys, store, by } = services;
    const before = await store.transact((tx) => tx.ids(credentials, GLOBAL));
    const { user } = await colleague(services, "admin");
    await apiKeys.create(callerFor(user), { name: "k", scopes: ["read"] });
    await users.remove(by, user.id);
    expect(await store.transact((tx) => tx.ids(credentials, GLOBAL))).toEqual(before);
  });

  it("refuses tokens to a device that the user approved before", async () => {
    const services = await start();
    const { devices, users, token, by } = services;
    const { user } = await colleague(services, "admin");
    const { device_code, user_code } = await devices.begin({ client_id: "tool-cli" }, VISITOR);
    await devices.decide(user_code, "approve", { ...callerFor(user), scopes: ["admin"] });
    await users.remove(by, user.id);
    await expect(token({ device_code })).rejects.toMatchObject({ error: "access_denied" });
  });

  it("lets every user leave, and is refused to members and viewers for others", async () => {
    const services = await start();
    const { user } = await colleague(services, "viewer");
    const { user: other } = await colleague(services, "member");
    await expect(services.users.remove(callerFor(user), other.id)).rejects.toMatchObject(
      problem("forbidden"),
    );
    await services.users.remove(callerFor(user), user.id);
    await expect(services.users.get(user.accountId, user.id)).rejects.toMatchObject(problem("not_found"));
  });

  it("is refused for the last active owner", async () => {
    const services = await start();
    const { users } = services;
    const ada = await stranger(services);
    const by = callerFor(ada);
    const refused = () => expect(users.remove(by, ada.id)).rejects.toMatchObject(problem("conflict"));
    await refused();
    await colleague(services, "admin", { email: "m@elsewhere.example", by: ada });
    await refused();
    const invited = await users.invite(by, { email: "b@elsewhere.example", role: "owner" });
    await refused();
    const { user } = await comeBy(services, invited.signInLink);
    await users.update(by, user.id, { suspended: true });
    await refused();
    await users.update(by, user.id, { suspended: false });
    await users.remove(by, ada.id);
    await expect(users.remove(callerFor(user), user.id)).rejects.toMatchObject(problem("conflict"));
  });

  it("is refused for the instance's owner, as are another role and suspension", async () => {
    const services = await start();
    const { users, owner, by } = services;
    const other = callerFor((await colleague(services, "owner")).user);
    for (const [attempt, what] of [
      [() => users.remove(by, owner.id), ""],
      [() => users.remove(other, owner.id), ""],
      [() => users.update(other, owner.id, { role: "admin" }), "given another role."],
      [() => users.update(other, owner.id, { suspended: true }), "suspended."],
    ] as const) {
      await expect(attempt()).rejects.toMatchObject({
        ...problem("conflict"),
        detail: expect.stringContaining(`The owner of this instance cannot be ${what}`),
      });
    }
  });

  it("of another account fails exactly like one of an unknown user", async () => {
    const services = await start();
    const ada = await stranger(services);
    for (const id of [ada.id, "usr_unknown"]) {
      for (const attempt of [
        () => services.users.remove(services.by, id),
        () => services.users.update(services.by, id, { role: "viewer" }),
        () => services.users.renewInvitation(services.by, id),
      ]) {
        await expect(attempt()).rejects.toMatchObject(problem("not_found"));
      }
    }
    expect(await services.users.get(ada.accountId, ada.id)).toEqual(ada);
    await expect(services.users.get(services.account.id, ada.id)).rejects.toMatchObject(problem("not_found"));
  });
});
