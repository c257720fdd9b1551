import { describe, expect, it } from "vitest";
import {
  callerFor,
  colleague,
  comeBy,
  problem,
  secretOf,
  startServices,
  stranger,
  VISITOR,
} from "./fixture.ts";

async function start() {
  const services = await startServices();
  const founder = await stranger(services);
  const { account } = services;
  return { ...services, founder, by: callerFor(founder), account };
}

describe("transferring an account", () => {
  it("makes the other user an owner and the caller an admin", async () => {
    const services = await start();
    const { users, by, founder } = services;
    const bob = await comeTo(services, "bob@elsewhere.example");
    const { owner, you } = await users.transfer(by, bob.id);
    expect([owner.role, you.role]).toEqual(["owner", "admin"]);
    expect((await users.get(founder.accountId, founder.id)).role).toBe("admin");
    await expect(users.transfer(by, founder.id)).rejects.toMatchObject(problem("forbidden"));
  });

  it("is refused for an invited or suspended user, one of another account, or the caller", async () => {
    const services = await start();
    const { users, by } = services;
    const { user } = await users.invite(by, { email: "late@elsewhere.example", role: "admin" });
    await expect(users.transfer(by, user.id)).rejects.toMatchObject(problem("conflict"));
    const bob = await comeTo(services, "bob@elsewhere.example");
    await users.update(by, bob.id, { suspended: true });
    await expect(users.transfer(by, bob.id)).rejects.toMatchObject(problem("conflict"));
    await expect(users.transfer(by, services.owner.id)).rejects.toMatchObject(problem("not_found"));
    await expect(users.transfer(by, by.userId)).rejects.toMatchObject(problem("conflict"));
  });
});

describe("a sign-in link that a manager makes", () => {
  it("signs in a user who belongs to this account only", async () => {
    const services = await start();
    const bob = await comeTo(services, "bob@elsewhere.example");
    const link = await services.users.createSignInLink(services.by, bob.id);
    expect((await comeBy(services, link)).user.id).toBe(bob.id);
  });

  it("is refused for a user who has other accounts or has not joined yet", async () => {
    const services = await start();
    const { users, by, owner } = services;
    const bob = await comeTo(services, "bob@elsewhere.example");
    const { signInLink } = await users.invite(callerFor(owner), { email: bob.email, role: "member" });
    const link = await users.createSignInLink(by, bob.id);
    await comeBy(services, signInLink, undefined, await comeBy(services, link));
    await expect(users.createSignInLink(by, bob.id)).rejects.toMatchObject(problem("conflict"));
    const { user } = await users.invite(by, { email: "late@elsewhere.example", role: "member" });
    await expect(users.createSignInLink(by, user.id)).rejects.toMatchObject(problem("conflict"));
  });

  it("stops working once its user joins another account", async () => {
    const services = await start();
    const { users, signIn, by, owner } = services;
    const bob = await comeTo(services, "bob@elsewhere.example");
    const here = await comeBy(services, await users.createSignInLink(by, bob.id));
    const link = secretOf(await users.createSignInLink(by, bob.id));
    const { signInLink } = await users.invite(callerFor(owner), { email: bob.email, role: "member" });
    await comeBy(services, signInLink, undefined, here);
    expect(await signIn.peekLink(link)).toBeUndefined();
    expect(await signIn.consumeLink(link, VISITOR)).toBeUndefined();
  });

  it("is refused for the instance's owner to other owners and without the operator scope", async () => {
    const services = await start();
    const { users, owner } = services;
    const { user: second } = await colleague(services, "owner");
    const admins = callerFor(owner, { scopes: ["read", "write", "admin"] });
    for (const by of [callerFor(second), admins]) {
      await expect(users.createSignInLink(by, owner.id)).rejects.toMatchObject(problem("conflict"));
    }
  });

  it("is refused to an admin for an owner", async () => {
    const services = await start();
    const { user: admin } = await colleague(services, "admin");
    await expect(services.users.createSignInLink(callerFor(admin), services.owner.id)).rejects.toMatchObject(
      problem("forbidden"),
    );
  });
});

describe("searching users", () => {
  it("finds users by part of their address in any case and by status, in pages", async () => {
    const { users, by, founder } = await start();
    for (let index = 0; index < 25; index++) {
      await users.invite(by, { email: `Guest${index}@elsewhere.example`, role: "viewer" });
    }
    const found: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await users.list(founder.accountId, {
        limit: 10,
        cursor,
        query: "gUEST",
        status: "invited",
      });
      found.push(...page.items.map(({ email }) => email));
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    expect(found).toHaveLength(25);
    expect(new Set(found).size).toBe(25);
    const active = await users.list(founder.accountId, { limit: 10, status: "active" });
    expect(active.items.map(({ id }) => id)).toEqual([founder.id]);
    expect((await users.list(founder.accountId, { limit: 10, query: "nobody" })).items).toEqual([]);
  });
});

async function comeTo(services: Awaited<ReturnType<typeof start>>, email: string) {
  const { signInLink } = await services.users.invite(services.by, { email, role: "member" });
  return (await comeBy(services, signInLink)).user;
}

it("an operator's sign-in link goes to an active owner of the account, not to a suspended one", async () => {
  const services = await start();
  const { users, accounts, by, owner, founder } = services;
  const { user, signInLink } = await users.invite(by, { email: "co@elsewhere.example", role: "owner" });
  const other = await comeBy(services, signInLink);
  await users.update(callerFor(other.user), founder.id, { suspended: true });
  const link = await accounts.createSignInLink(callerFor(owner), founder.accountId);
  expect((await comeBy(services, link)).user.id).toBe(user.id);
});

it("an operator's sign-in link goes to the user named by id or by address in any case", async () => {
  const services = await start();
  const { handlers, owner, founder } = services;
  const bob = await comeTo(services, "Bob@elsewhere.example");
  const { accountId } = founder;
  const operator = callerFor(owner);
  for (const named of [{ email: "bob@ELSEWHERE.example" }, { userId: bob.id }]) {
    const made = await handlers.createSignInLink({ accountId, ...named }, operator);
    expect((await comeBy(services, (made as { signInLink: string }).signInLink)).user.id).toBe(bob.id);
  }
  for (const [named, refusal] of [
    [{ email: "nobody@elsewhere.example" }, "not_found"],
    [{ email: bob.email, userId: bob.id }, "invalid_request"],
  ] as const) {
    const making = (async () => handlers.createSignInLink({ accountId, ...named }, operator))();
    await expect(making).rejects.toMatchObject(problem(refusal));
  }
});
