import { describe, expect, it } from "vitest";
import { createFailureBudget } from "../../../src/accounts/sign-in/failure-budget.ts";
import { createSignIn } from "../../../src/accounts/sign-in/sign-in.ts";
import {
  callerFor,
  colleague,
  MINUTE,
  newLink,
  problem,
  type Services,
  servicesOn,
  signInByLink,
  startServices,
  stranger,
  VISITOR,
} from "../fixture.ts";

const PASSWORD = "correct horse battery";
const OWNER = { email: "owner@localhost", password: PASSWORD };

async function withPassword(): Promise<Services> {
  const services = await startServices();
  const { secret, signedIn } = await signInByLink(services);
  await services.signIn.setPassword(signedIn, { password: PASSWORD }, VISITOR);
  await services.signIn.end(secret);
  return services;
}

describe("a sign-in link", () => {
  it("can be viewed any number of times and used once", async () => {
    const services = await startServices();
    const { signIn, clock, owner, account } = services;
    const link = await newLink(services);
    for (let index = 0; index < 3; index++) {
      expect(await signIn.peekLink(link)).toEqual({
        email: owner.email,
        accountName: account.name,
        expiresAt: clock.now() + 15 * MINUTE,
      });
    }
    expect(await signIn.consumeLink(link, VISITOR)).toBeDefined();
    expect(await signIn.peekLink(link)).toBeUndefined();
    expect(await signIn.consumeLink(link, VISITOR)).toBeUndefined();
  });

  it("works for 15 minutes", async () => {
    const services = await startServices();
    const [early, late] = [await newLink(services), await newLink(services)];
    services.clock.advance(15 * MINUTE - 1);
    expect(await services.signIn.consumeLink(early, VISITOR)).toBeDefined();
    services.clock.advance(1);
    expect(await services.signIn.peekLink(late)).toBeUndefined();
    expect(await services.signIn.consumeLink(late, VISITOR)).toBeUndefined();
  });

  it("is refused if it is mistyped or another kind of secret", async () => {
    const services = await startServices();
    const link = await newLink(services);
    const { secret } = await signInByLink(services);
    for (const wrong of ["", link.slice(1), `${link}0`, secret]) {
      expect(await services.signIn.peekLink(wrong)).toBeUndefined();
      expect(await services.signIn.consumeLink(wrong, VISITOR)).toBeUndefined();
    }
  });
});

describe("signing in by password", () => {
  it("starts a session, regardless of the case of the address", async () => {
    const { signIn } = await withPassword();
    const session = await signIn.withPassword({ email: " OWNER@localhost", password: PASSWORD }, VISITOR);
    expect((await signIn.lookUp(session!.secret))?.session.startedBy).toBe("password");
  });

  it("fails if the password is changed while the old one is verified", async () => {
    const services = await withPassword();
    const { signedIn } = await signInByLink(services);
    const change = { password: "another correct horse" };
    const signIn = createSignIn({
      ...services,
      failures: { allow: async (_, attempt) => attempt() },
      passwords: {
        ...services.passwords,
        async verify(...given) {
          const isRight = await services.passwords.verify(...given);
          await services.signIn.setPassword(signedIn, change, VISITOR);
          return isRight;
        },
      },
      subjectOf: (address) => address,
    });
    expect(await signIn.withPassword(OWNER, VISITOR)).toBeUndefined();
    expect(await services.signIn.withPassword({ ...OWNER, ...change }, VISITOR)).toBeDefined();
  });

  it("fails alike for a wrong password, an unknown user and a user without a password", async () => {
    const services = await withPassword();
    const ada = await stranger(services);
    for (const credentials of [
      { ...OWNER, password: "wrong" },
      { email: "nobody@example.com", password: PASSWORD },
      { email: ada.email, password: PASSWORD },
      { email: "", password: "" },
    ]) {
      expect(await services.signIn.withPassword(credentials, VISITOR)).toBeUndefined();
    }
  });

  it("is refused after ten failures for one user from one address, but not from another address", async () => {
    const { signIn } = await withPassword();
    for (const email of [OWNER.email, "nobody@example.com"]) {
      for (let index = 0; index < 10; index++) await signIn.withPassword({ email, password: "x" }, VISITOR);
      const trying = signIn.withPassword({ email, password: PASSWORD }, VISITOR);
      await expect(trying).rejects.toMatchObject(problem("rate_limited"));
    }
    const elsewhere = { ...VISITOR, address: "203.0.113.1" };
    expect(await signIn.withPassword(OWNER, elsewhere)).toBeDefined();
  });

  it("is not locked for a user by failures from other addresses", async () => {
    const { signIn } = await withPassword();
    for (let index = 0; index < 11; index++) {
      await signIn.withPassword({ ...OWNER, password: "x" }, { ...VISITOR, address: `198.51.100.${index}` });
    }
    expect(await signIn.withPassword(OWNER, VISITOR)).toBeDefined();
  });

  it("is refused after a hundred failures from one address, for any user", async () => {
    const services = await withPassword();
    const guesses = createFailureBudget({ ...services, purpose: "password" });
    const address = `address/${VISITOR.address}`;
    for (let index = 0; index < 99; index++) {
      await guesses.allow({ id: `email/${index}/${address}`, address }, async () => undefined);
    }
    const { signIn } = services;
    await signIn.withPassword({ email: "nobody@example.com", password: "x" }, VISITOR);
    await expect(signIn.withPassword(OWNER, VISITOR)).rejects.toMatchObject(problem("rate_limited"));
    const elsewhere = { ...VISITOR, address: "203.0.113.1" };
    expect(await signIn.withPassword(OWNER, elsewhere)).toBeDefined();
  });

  it("starts no session for a user who is deleted meanwhile", async () => {
    const services = await withPassword();
    const { signIn, users, owner, passwords } = services;
    const signedIn = await colleague(services, "member");
    const { user } = signedIn;
    await signIn.setPassword(signedIn, { password: PASSWORD }, VISITOR);
    const { verify } = passwords;
    passwords.verify = async (...given) => {
      // The sign-in has already read the user.
      await users.remove(callerFor(owner), user.id);
      return verify(...given);
    };
    expect(await signIn.withPassword({ email: user.email, password: PASSWORD }, VISITOR)).toBeUndefined();
  });

  it("starts a session that other servers of the same store accept", async () => {
    const services = await withPassword();
    const second = await servicesOn(services.store, services.clock, "second");
    const session = await services.signIn.withPassword(OWNER, VISITOR);
    expect(await second.signIn.lookUp(session!.secret)).toBeDefined();
  });
});

describe("setting a password", () => {
  it("ends the user's other sessions", async () => {
    const services = await startServices();
    const other = await signInByLink(services);
    const { secret, signedIn } = await signInByLink(services);
    await services.signIn.setPassword(signedIn, { password: PASSWORD }, VISITOR);
    expect(await services.signIn.lookUp(other.secret)).toBeUndefined();
    expect(await services.signIn.lookUp(secret)).toBeDefined();
  });

  it("is refused in a session that ended meanwhile", async () => {
    const services = await startServices();
    const { signIn } = services;
    const stolen = await signInByLink(services);
    const own = await signInByLink(services);
    await signIn.setPassword(own.signedIn, { password: PASSWORD }, VISITOR);
    const setting = signIn.setPassword(stolen.signedIn, { password: "another horse" }, VISITOR);
    await expect(setting).rejects.toMatchObject(problem("conflict"));
    const switching = signIn.switchAccount(stolen.signedIn, services.account.id, VISITOR);
    await expect(switching).rejects.toMatchObject(problem("conflict"));
    expect(await signIn.withPassword(OWNER, VISITOR)).toBeDefined();
  });

  it("requires the current password in a session started by password", async () => {
    const { signIn } = await withPassword();
    const session = await signIn.withPassword(OWNER, VISITOR);
    const signedIn = (await signIn.lookUp(session!.secret))!;
    const password = "another horse";
    for (const currentPassword of [undefined, "", "wrong"]) {
      const setting = signIn.setPassword(signedIn, { password, currentPassword }, VISITOR);
      await expect(setting).rejects.toMatchObject(problem("forbidden"));
    }
    await signIn.setPassword(signedIn, { password, currentPassword: PASSWORD }, VISITOR);
    expect(await signIn.withPassword(OWNER, VISITOR)).toBeUndefined();
    expect(await signIn.withPassword({ ...OWNER, password }, VISITOR)).toBeDefined();
  });

  it("counts wrong current passwords with those of signing in, also if the session is had anew", async () => {
    const services = await withPassword();
    const { signIn } = services;
    const elsewhere = { ...VISITOR, address: "203.0.113.1" };
    const session = await signIn.withPassword(OWNER, elsewhere);
    let stolen = (await signIn.lookUp(session!.secret))!;
    const guess = () =>
      signIn.setPassword(stolen, { password: "another horse", currentPassword: "a guess" }, VISITOR);
    for (let index = 0; index < 10; index++)
      await expect(guess()).rejects.toMatchObject(problem("forbidden"));
    const { secret } = await signIn.switchAccount(stolen, services.account.id, VISITOR);
    stolen = (await signIn.lookUp(secret))!;
    await expect(guess()).rejects.toMatchObject(problem("rate_limited"));
    await expect(signIn.withPassword(OWNER, VISITOR)).rejects.toMatchObject(problem("rate_limited"));
    expect(await signIn.withPassword(OWNER, elsewhere)).toBeDefined();
  });

  it("works without the current password for 15 minutes after signing in by a link", async () => {
    const services = await withPassword();
    const { signedIn } = await signInByLink(services);
    const stolen = await signInByLink(services);
    services.clock.advance(15 * MINUTE);
    await services.signIn.setPassword(signedIn, { password: "another horse" }, VISITOR);
    const session = services.signIn.withPassword({ ...OWNER, password: "another horse" }, VISITOR);
    expect(await session).toBeDefined();
    const later = await signInByLink(services);
    services.clock.advance(15 * MINUTE + 1);
    for (const { signedIn } of [later, stolen]) {
      const setting = services.signIn.setPassword(signedIn, { password: "a thief's horse" }, VISITOR);
      await expect(setting).rejects.toMatchObject(problem("forbidden"));
    }
  });

  it("is refused for a deleted user", async () => {
    const services = await startServices();
    const { users, signIn, account, owner } = services;
    const signedIn = await colleague(services, "member");
    await users.remove(callerFor(owner), signedIn.user.id);
    const setting = signIn.setPassword(signedIn, { password: PASSWORD }, VISITOR);
    await expect(setting).rejects.toMatchObject(problem("not_found"));
    expect((await users.list(account.id, { limit: 10 })).items).toHaveLength(1);
  });

  it("is refused if the password is too short", async () => {
    const services = await startServices();
    const { signedIn } = await signInByLink(services);
    const setting = services.signIn.setPassword(signedIn, { password: "short" }, VISITOR);
    await expect(setting).rejects.toMatchObject({ extras: { errors: [{ path: "password" }] } });
  });
});
