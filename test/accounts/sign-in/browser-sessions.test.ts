import { describe, expect, it } from "vitest";
import { credentials } from "../../../src/accounts/model.ts";
import { GLOBAL } from "../../../src/store/store.ts";
import {
  callerFor,
  colleague,
  DAY,
  problem,
  settled,
  signInByLink,
  startServices,
  stranger,
  trailOf,
  VISITOR,
} from "../fixture.ts";

describe("a browser session", () => {
  it("returns the user, account, scopes, address and way of the sign-in", async () => {
    const services = await startServices();
    const { signedIn } = await signInByLink(services);
    expect(signedIn).toMatchObject({
      account: services.account,
      user: services.owner,
      scopes: ["read", "write", "admin", "operator"],
      session: {
        startedBy: "link",
        address: VISITOR.address,
        userAgent: VISITOR.userAgent,
        createdAt: services.clock.now(),
      },
    });
  });

  it("has an id with the prefix ses_ and at most 256 characters of the user agent", async () => {
    const services = await startServices();
    const { signedIn } = await signInByLink(services, { ...VISITOR, userAgent: "x".repeat(300) });
    expect(signedIn.session.id).toMatch(/^ses_/);
    expect(signedIn.session.userAgent).toBe("x".repeat(256));
  });

  it("leaves no credential in the store when it ends", async () => {
    const services = await startServices();
    const { store, signIn, owner } = services;
    const [first, second] = [await signInByLink(services), await signInByLink(services)];
    await signIn.end(first.secret);
    await signIn.endSession(callerFor(owner), second.signedIn.session.id);
    expect(await store.transact((tx) => tx.ids(credentials, GLOBAL))).toEqual([]);
    expect(await signIn.sessionsOf(owner.accountId, owner.id)).toEqual([]);
  });

  it("lasts seven days, regardless of its use", async () => {
    const services = await startServices();
    const { secret } = await signInByLink(services);
    for (let day = 0; day < 6; day++) {
      services.clock.advance(DAY);
      expect(await services.signIn.lookUp(secret)).toBeDefined();
      await settled(services);
    }
    services.clock.advance(DAY - 1);
    expect(await services.signIn.lookUp(secret)).toBeDefined();
    services.clock.advance(1);
    expect(await services.signIn.lookUp(secret)).toBeUndefined();
  });

  it("ends at sign-out, which may be repeated", async () => {
    const services = await startServices();
    const { secret } = await signInByLink(services);
    await services.signIn.end(secret);
    expect(await services.signIn.lookUp(secret)).toBeUndefined();
    await services.signIn.end(secret);
    await services.signIn.end("nonsense");
  });

  it("is logged as ended once when it is ended twice at once", async () => {
    const services = await startServices();
    const { secret } = await signInByLink(services);
    await Promise.all([services.signIn.end(secret, VISITOR), services.signIn.end(secret, VISITOR)]);
    await settled(services);
    const ended = (await trailOf(services)).filter(({ action }) => action === "session.ended");
    expect(ended).toHaveLength(1);
  });

  it("is listed for its user, newest first and without its secret, and can be ended by its id", async () => {
    const services = await startServices();
    const { signIn, owner } = services;
    const first = await signInByLink(services);
    services.clock.advance(1000);
    const second = await signInByLink(services, { ...VISITOR, address: "203.0.113.9", userAgent: "Safari" });
    const listed = await signIn.sessionsOf(owner.accountId, owner.id);
    expect(listed.map(({ id }) => id)).toEqual([second.signedIn.session.id, first.signedIn.session.id]);
    expect(Object.keys(listed[0]!)).not.toContain("secretHash");
    await signIn.endSession(callerFor(owner), first.signedIn.session.id);
    expect(await signIn.lookUp(first.secret)).toBeUndefined();
    expect(await signIn.lookUp(second.secret)).toBeDefined();
  });

  it("is not listed for other users of the same account", async () => {
    const services = await startServices();
    const { signIn, owner } = services;
    const mine = await signInByLink(services);
    const theirs = await colleague(services, "member");
    const listed = async (userId: string) =>
      (await signIn.sessionsOf(owner.accountId, userId)).map(({ id }) => id);
    expect(await listed(owner.id)).toEqual([mine.signedIn.session.id]);
    expect(await listed(theirs.user.id)).toEqual([theirs.session.id]);
  });

  it("cannot be ended by other users", async () => {
    const services = await startServices();
    const { secret, signedIn } = await signInByLink(services);
    const ada = await stranger(services);
    const { user } = await colleague(services, "admin");
    for (const other of [ada, user]) {
      const ending = services.signIn.endSession(callerFor(other), signedIn.session.id);
      await expect(ending).rejects.toMatchObject(problem("not_found"));
    }
    expect(await services.signIn.lookUp(secret)).toBeDefined();
  });
});
