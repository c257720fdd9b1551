import { describe, expect, it } from "vitest";
import { people } from "../../src/accounts/model.ts";
import { GLOBAL } from "../../src/store/store.ts";
import { STORES } from "../support/store.ts";
import {
  callerFor,
  colleague,
  newLink,
  type Services,
  secretOf,
  startServices,
  stranger,
  VISITOR,
} from "./fixture.ts";

const AT_ONCE = 20;

describe.each(STORES)("concurrent account changes, on %s", (on) => {
  it("let one browser sign in by a link that many open", async () => {
    const services = await startServices({ on });
    const link = await newLink(services);
    expect(await opened(services, link)).toHaveLength(1);
    expect(await opened(services, link)).toHaveLength(0);
  });

  it("leave one session of a sign-in that switches accounts many times at once", async () => {
    const services = await startServices({ on });
    const { signIn, account } = services;
    const here = await colleague(services, "member");
    const switching = Array.from({ length: AT_ONCE }, () => signIn.switchAccount(here, account.id, VISITOR));
    const outcomes = await Promise.allSettled(switching);
    const started = outcomes.flatMap((outcome) => (outcome.status === "fulfilled" ? [outcome.value] : []));
    expect(started).toHaveLength(1);
    expect(await signIn.sessionsOf(account.id, here.user.id)).toHaveLength(1);
    expect(await signIn.lookUp(here.secret)).toBeUndefined();
  });

  it("create one person from an invitation that many open", async () => {
    const services = await startServices({ on });
    const { signInLink } = await invited(services);
    expect(await opened(services, secretOf(signInLink))).toHaveLength(1);
    expect(await services.store.transact((tx) => tx.ids(people, GLOBAL))).toHaveLength(2);
  });

  it("leave a dead link and no user when an invitation is accepted and withdrawn at once", async () => {
    const services = await startServices({ on });
    const { signIn, users, owner } = services;
    const { user, signInLink } = await invited(services);
    const secret = secretOf(signInLink);
    await Promise.allSettled([
      signIn.consumeLink(secret, VISITOR),
      users.remove(callerFor(owner), user.id),
      signIn.consumeLink(secret, VISITOR),
    ]);
    // In either order: a withdrawal after the invitation was accepted removes the user again.
    const { items } = await users.list(owner.accountId, { limit: 50 });
    expect(items.map(({ id }) => id)).toEqual([owner.id]);
    expect(await signIn.consumeLink(secret, VISITOR)).toBeUndefined();
  });

  it("leave one working link after several renewals of an invitation", async () => {
    const services = await startServices({ on });
    const { users, signIn, owner } = services;
    const { user, signInLink } = await invited(services);
    const by = callerFor(owner);
    const renewals = await Promise.allSettled(
      Array.from({ length: 5 }, () => users.renewInvitation(by, user.id)),
    );
    const links = renewals.flatMap((each) => (each.status === "fulfilled" ? [each.value.signInLink] : []));
    const alive = await Promise.all([signInLink, ...links].map((link) => signIn.peekLink(secretOf(link))));
    expect(alive.filter(Boolean)).toHaveLength(1);
  });

  it("keep one active owner when all owners leave, step down or are suspended", async () => {
    const services = await startServices({ on });
    const { users } = services;
    const owners = await ownersOf(services, 6);
    const outcomes = await Promise.allSettled(
      owners.map((owner, index) => {
        const by = callerFor(owner);
        if (index % 3 === 0) return users.remove(by, owner.id);
        return users.update(by, owner.id, index % 3 === 1 ? { role: "viewer" } : { suspended: true });
      }),
    );
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(5);
    expect(await ableOwners(services, owners[0].accountId)).toHaveLength(1);
  });

  it("transfer an account once when its owner names several heirs", async () => {
    const services = await startServices({ on });
    const [founder] = await ownersOf(services, 1);
    const by = callerFor(founder);
    const heirs = [];
    for (const name of ["a", "b", "c"]) {
      heirs.push(
        (await colleague(services, "admin", { email: `${name}@elsewhere.example`, by: founder })).user,
      );
    }
    const outcomes = await Promise.allSettled(heirs.map(({ id }) => services.users.transfer(by, id)));
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    const able = await ableOwners(services, founder.accountId);
    expect(able).toHaveLength(1);
    expect(heirs.map(({ id }) => id)).toContain(able[0]?.id);
  });
});

async function invited({ users, owner }: Services) {
  return users.invite(callerFor(owner), { email: "c@example.com", role: "admin" });
}

async function opened({ signIn }: Services, secret: string) {
  const sessions = await Promise.all(
    Array.from({ length: AT_ONCE }, () => signIn.consumeLink(secret, VISITOR)),
  );
  return sessions.filter(Boolean);
}

type User = Awaited<ReturnType<typeof stranger>>;

/** Creates the owners of a new account other than the instance's. */
async function ownersOf(services: Services, count: number): Promise<[User, ...User[]]> {
  const founder = await stranger(services);
  const owners: [User, ...User[]] = [founder];
  for (let index = 1; index < count; index++) {
    const email = `o${index}@elsewhere.example`;
    owners.push((await colleague(services, "owner", { email, by: founder })).user);
  }
  return owners;
}

async function ableOwners({ users }: Services, accountId: string) {
  const { items } = await users.list(accountId, { limit: 50 });
  return items.filter(({ role, suspendedAt }) => role === "owner" && suspendedAt === undefined);
}
