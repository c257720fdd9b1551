import { describe, expect, it } from "vitest";
import {
  accounts,
  browserSessions,
  identityKey,
  identityOwners,
  passkeyOwners,
  people,
  users,
} from "../../../src/accounts/model.ts";
import { personOf } from "../../../src/accounts/people.ts";
import { accountSpace, GLOBAL } from "../../../src/store/store.ts";
import {
  callerFor,
  colleague,
  problem,
  secretOf,
  signInByLink,
  signInDevice,
  startServices,
  trailOf,
  VISITOR,
} from "../fixture.ts";

const EMAIL = "ann@example.com";
const IDENTITY = { provider: "acme", issuer: "https://id.example", subject: "ann", createdAt: 1 };

/** Creates a user with an unproven address, who has every kind of credential. */
async function unproven() {
  const services = await startServices({ signUp: "open" });
  const { store, signIn, apiKeys, credentials, links } = services;
  const ann = await colleague(services, "admin", { email: EMAIL });
  await signIn.setPassword(ann, { password: "correct horse battery" }, VISITOR);
  const key = await apiKeys.create(callerFor(ann.user), { name: "k", scopes: ["read"] });
  const device = await signInDevice(services, "read", ann.user);
  const passkey = { id: "pk_1", name: "phone", publicKey: "", counter: 0, createdAt: 1 };
  const person = () => store.transact((tx) => personOf(tx, ann.user));
  await store.transact(async (tx) => {
    const kept = (await personOf(tx, ann.user))!;
    await tx.put(people, GLOBAL, kept.id, { ...kept, passkeys: [passkey], identities: [IDENTITY] });
    await tx.put(passkeyOwners, GLOBAL, passkey.id, { personId: kept.id });
    await tx.put(identityOwners, GLOBAL, identityKey(IDENTITY), { personId: kept.id });
  });
  return {
    ...services,
    ann,
    person,
    /** Secrets of a link that was mailed to the address, and of one that a manager made. */
    mailed: async (email = EMAIL) => secretOf((await store.transact((tx) => links.issueTo(tx, email))).url),
    made: async () => secretOf(await services.users.createSignInLink(callerFor(services.owner), ann.user.id)),
    /** Returns which credentials work: the session, key, device, password, passkey and identity, in this order. */
    works: async () => [
      (await signIn.lookUp(ann.secret)) !== undefined,
      (await credentials.authenticate(key.secret)) !== undefined,
      (await credentials.authenticate(device.access_token)) !== undefined,
      (await person())?.passwordHash !== undefined,
      await store.transact((tx) => tx.has(passkeyOwners, GLOBAL, passkey.id)),
      await store.transact((tx) => tx.has(identityOwners, GLOBAL, identityKey(IDENTITY))),
    ],
  };
}
const ALL = [true, true, true, true, true, true];
const NONE = ALL.map(() => false);

describe("the first proof of an e-mail address", () => {
  it("ends all earlier credentials, is announced by the link, and is logged", async () => {
    const services = await unproven();
    const { signIn, mailed, works, person, ann, clock } = services;
    expect(await works()).toEqual(ALL);
    const link = await mailed();
    expect(await signIn.peekLink(link)).toMatchObject({ email: EMAIL, ends: true });
    const started = await signIn.consumeLink(link, VISITOR);
    expect(await works()).toEqual(NONE);
    const now = await person();
    expect(now).toEqual({
      id: ann.person.id,
      email: EMAIL,
      memberships: ann.person.memberships,
      createdAt: ann.person.createdAt,
      emailProvenAt: clock.now(),
    });
    expect((await signIn.lookUp(started!.secret))?.user.id).toBe(ann.user.id);
    expect((await trailOf(services)).at(-1)).toMatchObject({
      action: "session.started",
      after: { by: "link", endedWhatWasSetBefore: true },
    });
  });

  it("ends nothing when repeated", async () => {
    const services = await unproven();
    const { signIn, mailed, person, clock } = services;
    await signIn.consumeLink(await mailed(), VISITOR);
    const first = (await signIn.consumeLink(await mailed(), VISITOR))!;
    clock.advance(1000);
    const link = await mailed();
    expect(await signIn.peekLink(link)).not.toHaveProperty("ends");
    await signIn.consumeLink(link, VISITOR);
    expect(await signIn.lookUp(first.secret)).toBeDefined();
    expect((await person())?.emailProvenAt).toBe(clock.now());
    expect((await trailOf(services)).at(-1)?.after).toEqual({ by: "link" });
  });

  it("ends nothing if the person is signed in", async () => {
    const { signIn, mailed, works, ann, person, clock } = await unproven();
    const link = await mailed();
    expect(await signIn.peekLink(link, ann)).not.toHaveProperty("ends");
    await signIn.consumeLink(link, VISITOR, ann);
    expect(await works()).toEqual(ALL);
    expect((await person())?.emailProvenAt).toBe(clock.now());
  });

  it("ends all earlier credentials if another person is signed in", async () => {
    const services = await unproven();
    const { signIn, mailed, works } = services;
    const { signedIn } = await signInByLink(services);
    const link = await mailed();
    expect(await signIn.peekLink(link, signedIn)).toHaveProperty("ends", true);
    await signIn.consumeLink(link, VISITOR, signedIn);
    expect(await works()).toEqual(NONE);
  });

  it("is not given by a link that a manager made", async () => {
    const { signIn, made, works, person } = await unproven();
    const link = await made();
    expect(await signIn.peekLink(link)).toEqual({
      email: EMAIL,
      accountName: "default",
      expiresAt: expect.any(Number),
    });
    await signIn.consumeLink(link, VISITOR);
    expect(await works()).toEqual(ALL);
    expect(await person()).not.toHaveProperty("emailProvenAt");
  });

  it("ends nothing for the instance's owner, whose address comes from the settings", async () => {
    const services = await unproven();
    const { signIn, mailed, owner } = services;
    const { secret } = await signInByLink(services);
    const link = await mailed(owner.email);
    expect(await signIn.peekLink(link)).not.toHaveProperty("ends");
    await signIn.consumeLink(link, VISITOR);
    expect(await signIn.lookUp(secret)).toBeDefined();
  });
});

describe("peekLink()", () => {
  it("announces that a link to an unknown address creates an account", async () => {
    const { signIn, mailed } = await unproven();
    const link = await mailed("new@example.com");
    const shown = { email: "new@example.com", signsUp: true, expiresAt: expect.any(Number) };
    expect(await signIn.peekLink(link)).toEqual(shown);
    await signIn.consumeLink(link, VISITOR);
    expect(await signIn.peekLink(link)).toBeUndefined();
  });

  it("shows the account that an invitation is for and whether its address is known", async () => {
    const services = await unproven();
    const { signIn, users: managed, owner } = services;
    const inviting = async (email: string) => {
      const { signInLink } = await managed.invite(callerFor(owner), { email, role: "viewer" });
      return signIn.peekLink(secretOf(signInLink));
    };
    const expiresAt = expect.any(Number);
    expect(await inviting("bob@example.com")).toEqual({
      email: "bob@example.com",
      accountName: "default",
      expiresAt,
      invites: { known: false, isMember: false },
    });
    await services.accounts.create(callerFor(owner), { name: "Acme", ownerEmail: EMAIL, plan: "free" });
    const [, acme] = (await services.accounts.list({ limit: 9 })).items;
    const there = await services.accounts.createSignInLink(callerFor(owner), acme?.id ?? "");
    expect(await signIn.peekLink(secretOf(there))).toEqual({
      email: EMAIL,
      accountName: "Acme",
      expiresAt,
      invites: { known: true, isMember: false },
    });
    await expect(signIn.consumeLink(secretOf(there), VISITOR)).rejects.toMatchObject(problem("conflict"));
  });

  it("returns nothing for a user who is suspended or removed", async () => {
    const { signIn, made, users: managed, owner, ann } = await unproven();
    const links = [await made(), await made()];
    await managed.update(callerFor(owner), ann.user.id, { suspended: true });
    expect(await signIn.peekLink(links[0]!)).toBeUndefined();
    await managed.remove(callerFor(owner), ann.user.id);
    expect(await signIn.peekLink(links[1]!)).toBeUndefined();
    expect(await signIn.peekLink("nonsense")).toBeUndefined();
  });
});

describe("a session whose documents are incomplete", () => {
  it.each(["session", "user", "person", "account"])("signs in nobody without the %s", async (what) => {
    const { store, signIn, ann } = await unproven();
    const space = accountSpace(ann.account.id);
    expect(await signIn.lookUp(ann.secret)).toBeDefined();
    await store.transact(async (tx) => {
      if (what === "session") await tx.delete(browserSessions, space, ann.session.id);
      if (what === "user") await tx.delete(users, space, ann.user.id);
      if (what === "person") await tx.delete(people, GLOBAL, ann.person.id);
      if (what === "account") await tx.delete(accounts, GLOBAL, ann.account.id);
    });
    expect(await signIn.lookUp(ann.secret)).toBeUndefined();
  });
});
