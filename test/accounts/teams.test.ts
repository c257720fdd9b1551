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

describe("handing an account over", () => {
  it("makes the other an owner and oneself an admin, in one step", async () => {
    const services = await start();
    const { users, by, founder } = services;
    const bob = await comeTo(services, "bob@elsewhere.example");
    const { owner, you } = await users.transfer(by, bob.id);
    expect([owner.role, you.role]).toEqual(["owner", "admin"]);
    expect((await users.get(founder.accountId, founder.id)).role).toBe("admin");
    await expect(users.transfer(by, founder.id)).rejects.toMatchObject(problem("forbidden"));
  });

  it("is refused to who is invited, suspended or somewhere else", async () => {
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

describe("a link for somebody who forgot how to come in", () => {
  it("signs them in, for who belongs to this account alone", async () => {
    const services = await start();
    const bob = await comeTo(services, "bob@elsewhere.example");
    const link = await services.users.createSignInLink(services.by, bob.id);
    expect((await comeBy(services, link)).user.id).toBe(bob.id);
  });

  it("is not made where it would open other accounts, nor for who has not come yet", async () => {
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

  it("is dead once they belong to another account, which it would open, too", async () => {
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

  it("is not made of the instance's owner by another owner of their account, nor by what lacks their scope", async () => {
    const services = await start();
    const { users, owner } = services;
    const { user: second } = await colleague(services, "owner");
    const admins = callerFor(owner, { scopes: ["read", "write", "admin"] });
    for (const by of [callerFor(second), admins]) {
      await expect(users.createSignInLink(by, owner.id)).rejects.toMatchObject(problem("conflict"));
    }
  });

  it("is not made of an owner by an admin", async () => {
    const services = await start();
    const { user: admin } = await colleague(services, "admin");
    await expect(services.users.createSignInLink(callerFor(admin), services.owner.id)).rejects.toMatchObject(
      problem("forbidden"),
    );
  });
});

describe("searching users", () => {
  it("finds by part of an address in any case and by status, page after page", async () => {
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

it("gives the operator a link for an owner who may come in, not for one who is suspended", async () => {
  const services = await start();
  const { users, accounts, by, owner, founder } = services;
  const { user, signInLink } = await users.invite(by, { email: "co@elsewhere.example", role: "owner" });
  const other = await comeBy(services, signInLink);
  await users.update(callerFor(other.user), founder.id, { suspended: true });
  const link = await accounts.createSignInLink(callerFor(owner), founder.accountId);
  expect((await comeBy(services, link)).user.id).toBe(user.id);
});

it("gives the operator a link for whom they name, by address in any case or by id", async () => {
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
