import { describe, expect, it } from "vitest";
import { apiKeys, people, personEmails, userEmails } from "../../src/accounts/model.ts";
import type { SignedIn } from "../../src/accounts/sign-in/sign-in.ts";
import type { UserChange } from "../../src/accounts/users/users.ts";
import { accountSpace, GLOBAL } from "../../src/store/store.ts";
import { STORES } from "../support/store.ts";
import {
  callerFor,
  colleague,
  comeBy,
  DAY,
  problem,
  secretOf,
  signInDevice,
  startServices,
  stranger,
  VISITOR,
} from "./fixture.ts";

describe.each(STORES)("a person in several accounts, on %s", (on) => {
  it("joins by an invitation as the same person and switches between accounts", async () => {
    const services = await startServices({ on });
    const { signIn, users, account, owner } = services;
    const ada = await stranger(services);
    const by = callerFor(owner);
    const home = await comeBy(services, await services.accounts.createSignInLink(by, ada.accountId, ada.id));
    const { signInLink } = await users.invite(by, { email: "ada@work.example", role: "member" });
    const here = await comeBy(services, signInLink, VISITOR, home);
    expect(here).toMatchObject({
      account: { id: account.id },
      user: { role: "member", email: ada.email },
      person: { id: home.person.id },
      scopes: ["read", "write"],
    });
    const names = async () => (await signIn.accountsOf(here.person)).map(({ account: { name } }) => name);
    expect(await names()).toEqual(["default", "Elsewhere"]);

    const started = await signIn.switchAccount(here, ada.accountId, VISITOR);
    const back = await signIn.lookUp(started.secret);
    expect(back).toMatchObject({
      account: { name: "Elsewhere" },
      user: { id: ada.id },
      session: { startedBy: "link" },
    });
    // The most recent account comes first. A sign-in by password leads there.
    expect(back?.person.memberships.map(({ accountId }) => accountId)).toEqual([ada.accountId, account.id]);
  });

  it("keeps start, expiry and kind of the sign-in when switching or joining", async () => {
    const services = await startServices({ on });
    const { signIn, users, account, clock } = services;
    const password = "correct horse battery";
    const first = await colleague(services, "member");
    await signIn.setPassword(first, { password }, VISITOR);
    const begun = await signIn.withPassword({ email: first.user.email, password }, VISITOR);
    const { session, ...who } = (await signIn.lookUp(begun!.secret))!;
    clock.advance(DAY);
    const ada = await stranger(services);
    const invitation = { email: "bea@elsewhere.example", role: "member" } as const;
    const { signInLink } = await users.invite(callerFor(ada), invitation);
    const there = await comeBy(services, signInLink, VISITOR, { session, ...who });
    clock.advance(DAY);
    const back = await signIn.switchAccount(there, account.id, VISITOR);
    const here = await signIn.lookUp(back.secret);
    const { startedBy, createdAt, expiresAt } = session;
    for (const now of [there, here!]) {
      expect(now.session).toMatchObject({ startedBy, createdAt, expiresAt });
      const setting = signIn.setPassword(now, { password: "another horse" }, VISITOR);
      await expect(setting).rejects.toMatchObject(problem("forbidden"));
    }
    expect(startedBy).toBe("password");
    clock.advance(expiresAt - clock.now());
    expect(await signIn.lookUp(back.secret)).toBeUndefined();
  });

  it("cannot switch to another's account, one they left or one that suspended them", async () => {
    const services = await startServices({ on });
    const { signIn, users, owner } = services;
    const ada = await stranger(services);
    let here: SignedIn = await colleague(services, "member");
    const to = async (accountId: string) => {
      const { secret } = await signIn.switchAccount(here, accountId, VISITOR);
      here = (await signIn.lookUp(secret)) as SignedIn;
    };
    await expect(to(ada.accountId)).rejects.toMatchObject(problem("not_found"));
    const { signInLink } = await users.invite(callerFor(ada), { email: "b@example.com", role: "admin" });
    const there = await comeBy(services, signInLink, VISITOR, here);
    here = there;
    await to(owner.accountId);
    await to(ada.accountId);
    await to(owner.accountId);
    await users.update(callerFor(ada), there.user.id, { suspended: true });
    await expect(to(ada.accountId)).rejects.toMatchObject(problem("not_found"));
    expect(await signIn.accountsOf(there.person)).toHaveLength(1);
    await users.update(callerFor(ada), there.user.id, { suspended: false });
    await to(ada.accountId);
    await to(owner.accountId);
    await users.remove(callerFor(ada), there.user.id);
    await expect(to(ada.accountId)).rejects.toMatchObject(problem("not_found"));
    // Nothing has changed in the first account.
    await expect(to(owner.accountId)).resolves.toBeUndefined();
  });

  it.each<[string, UserChange, { keys: string[]; session: boolean }]>([
    ["suspension ends all that acts for them", { suspended: true }, { keys: [], session: false }],
    ["a lower role ends what could do more", { role: "member" }, { keys: ["write"], session: true }],
    ["a higher role ends nothing", { role: "owner" }, { keys: ["write", "admin"], session: true }],
  ])("%s, in that account only", async (_, change, left) => {
    const services = await startServices({ on });
    const { users, credentials, signIn, store, owner } = services;
    const ada = await stranger(services);
    const comeHome = async () =>
      comeBy(services, await services.accounts.createSignInLink(callerFor(owner), ada.accountId, ada.id));
    const home = await comeHome();
    const invited = await users.invite(callerFor(owner), { email: ada.email, role: "admin" });
    const here = await comeBy(services, invited.signInLink, VISITOR, await comeHome());
    const keys = {
      write: await services.apiKeys.create(callerFor(here.user), { name: "k", scopes: ["write"] }),
      admin: await services.apiKeys.create(callerFor(here.user), { name: "k", scopes: ["admin"] }),
    };
    const device = await signInDevice(services, "admin", here.user);
    const elsewhere = await services.apiKeys.create(callerFor(ada), { name: "k", scopes: ["admin"] });

    await users.update(callerFor(owner), here.user.id, change);

    const alive = async (secret: string) => (await credentials.authenticate(secret)) !== undefined;
    const works: string[] = [];
    for (const [scope, { secret }] of Object.entries(keys)) if (await alive(secret)) works.push(scope);
    expect(works).toEqual(left.keys);
    expect(await alive(device.access_token)).toBe(left.keys.includes("admin"));
    expect((await signIn.lookUp(here.secret)) !== undefined).toBe(left.session);
    expect(await alive(elsewhere.secret)).toBe(true);
    expect(await signIn.lookUp(home.secret)).toBeDefined();
    const kept = await store.transact((tx) => tx.list(apiKeys, accountSpace(owner.accountId)));
    expect(kept).toHaveLength(left.keys.length);
  });

  it("is deleted along with the last membership, not before", async () => {
    const services = await startServices({ on });
    const { users, store, owner } = services;
    const here = await colleague(services, "member", { email: "b@example.com" });
    const ada = await stranger(services);
    const { signInLink } = await users.invite(callerFor(ada), { email: "other@example.com", role: "member" });
    const there = await comeBy(services, signInLink, VISITOR, here);
    const held = async () => {
      const [all, emails] = await store.transact(async (tx) => [
        await tx.list(people, GLOBAL),
        await tx.ids(personEmails, GLOBAL),
      ]);
      return [all.length, emails.length];
    };
    expect(await held()).toEqual([3, 3]);
    await users.remove(callerFor(owner), here.user.id);
    expect(await held()).toEqual([3, 3]);
    await users.remove(callerFor(there.user), there.user.id);
    expect(await held()).toEqual([2, 2]);
    const addresses = (accountId: string) =>
      store.transact((tx) => tx.ids(userEmails, accountSpace(accountId)));
    expect(
      [await addresses(owner.accountId), await addresses(ada.accountId)].map((ids) => ids.length),
    ).toEqual([1, 1]);
  });
});

describe("an invitation", () => {
  it("creates a person, who signs in with a sign-in link from then on", async () => {
    const services = await startServices();
    const { signIn, users, accounts, account, owner } = services;
    const by = callerFor(owner);
    const { user, signInLink } = await users.invite(by, { email: "b@example.com", role: "viewer" });
    const secret = secretOf(signInLink);
    expect(await signIn.peekLink(secret)).toMatchObject({
      email: "b@example.com",
      invites: { known: false, isMember: false },
    });
    const here = await comeBy(services, signInLink);
    expect(here).toMatchObject({ user: { id: user.id }, scopes: ["read"] });
    expect(here.person).not.toHaveProperty("emailProvenAt");
    const link = await accounts.createSignInLink(by, account.id, user.id);
    expect(await signIn.peekLink(secretOf(link))).not.toHaveProperty("invites");
    expect((await comeBy(services, link)).person.id).toBe(here.person.id);
  });

  it("to a known address is refused without a sign-in as that person, and stays valid", async () => {
    const services = await startServices();
    const { signIn, users, owner } = services;
    const ada = await stranger(services);
    const { signInLink } = await users.invite(callerFor(owner), { email: ada.email, role: "member" });
    const secret = secretOf(signInLink);
    expect(await signIn.peekLink(secret)).toMatchObject({ invites: { known: true } });
    await expect(signIn.consumeLink(secret, VISITOR)).rejects.toMatchObject(problem("conflict"));
    const home = await comeBy(
      services,
      await services.accounts.createSignInLink(callerFor(owner), ada.accountId, ada.id),
    );
    expect((await comeBy(services, signInLink, VISITOR, home)).person.id).toBe(home.person.id);
  });

  it("ends when it is accepted by another link, and signs nobody in as that person", async () => {
    const services = await startServices();
    const { signIn, users, accounts, account, owner } = services;
    const by = callerFor(owner);
    const { user, signInLink } = await users.invite(by, { email: "b@example.com", role: "viewer" });
    await comeBy(services, await accounts.createSignInLink(by, account.id, user.id));
    expect(await signIn.peekLink(secretOf(signInLink))).toBeUndefined();
    expect(await signIn.consumeLink(secretOf(signInLink), VISITOR)).toBeUndefined();
  });

  it("is refused to a member of the account, and stays valid", async () => {
    const services = await startServices();
    const { signIn, users, owner } = services;
    const here = await colleague(services, "member");
    const { signInLink } = await users.invite(callerFor(owner), { email: "c@example.com", role: "admin" });
    const taking = signIn.consumeLink(secretOf(signInLink), VISITOR, here);
    await expect(taking).rejects.toMatchObject(problem("conflict"));
    expect((await comeBy(services, signInLink)).user.role).toBe("admin");
  });

  it("is refused while it is suspended and after it was withdrawn", async () => {
    const services = await startServices();
    const { signIn, users, owner } = services;
    const by = callerFor(owner);
    const { user, signInLink } = await users.invite(by, { email: "c@example.com", role: "admin" });
    await users.update(by, user.id, { suspended: true });
    expect(await signIn.consumeLink(secretOf(signInLink), VISITOR)).toBeUndefined();
    await users.remove(by, user.id);
    expect(await signIn.peekLink(secretOf(signInLink))).toBeUndefined();
  });
});
