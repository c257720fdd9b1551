import { describe, expect, it } from "vitest";
import { personOf } from "../../../src/accounts/people.ts";
import { createProviderSignIn } from "../../../src/accounts/sign-in/provider-sign-in.ts";
import { createBeginSession } from "../../../src/accounts/sign-in/sessions/begin-session.ts";
import type { SignUpRule } from "../../../src/accounts/sign-in/sign-up.ts";
import type { Attempt, Claims, Provider } from "../../../src/providers/provider.ts";
import {
  BASE_URL,
  callerFor,
  colleague,
  HOUR,
  MINUTE,
  problem,
  secretOf,
  signInByLink,
  startServices,
  trailOf,
  VISITOR,
} from "../fixture.ts";

const COOKIE = "the cookie of this browser";
const ADA: Claims = {
  issuer: "https://id.example",
  subject: "ada-1",
  verifiedEmail: "ada@lovelace.example",
  name: "Ada",
  label: "ada",
};

/** Creates a provider that returns the current `claims`. */
function providerOf(name: string) {
  const state = { claims: ADA, begun: [] as Attempt[], finished: [] as Attempt[] };
  const provider: Provider = {
    name,
    title: name.toUpperCase(),
    begin: async (attempt) => {
      state.begun.push(attempt);
      return new URL(`https://${name}.example/authorize?state=${attempt.state}`);
    },
    finish: async (_, attempt) => {
      state.finished.push(attempt);
      return state.claims;
    },
  };
  return { provider, state };
}

async function providersWith(signUp: SignUpRule = "open") {
  const services = await startServices({ signUp });
  const { store, audit, clock, random, links, newcomers, sessions } = services;
  const [acme, other] = [providerOf("acme"), providerOf("other")];
  const signIn = createProviderSignIn({
    ...{ store, audit, clock, random, links, newcomers },
    providers: [acme.provider, other.provider],
    beginSession: createBeginSession(sessions),
    offered: { mail: false, passkeys: false, providers: ["acme", "other"] },
    subjectOf: (address) => `address/${address}`,
    baseUrl: () => BASE_URL,
  });
  type Errand = Parameters<typeof signIn.begin>[1];
  type SignedIn = Parameters<typeof signIn.finish>[4];
  const back = (state: string) => new URL(`${BASE_URL}/sign-in/with/acme?state=${state}&code=c`);
  const begin = async (errand: Partial<Errand> = {}, name = "acme") => {
    const url = await signIn.begin(name, { next: "/keys", ...errand }, COOKIE, VISITOR);
    return url.searchParams.get("state") ?? "";
  };
  const finish = (state: string, signedIn?: SignedIn, { name = "acme", cookie = COOKIE } = {}) =>
    signIn.finish(name, back(state), cookie, VISITOR, signedIn);
  return {
    ...services,
    provider: signIn,
    acme: acme.state,
    begin,
    finish,
    /** Signs in at the provider with these claims, and returns who is signed in. */
    async comeAs(claims: Partial<Claims> | Claims, { connects, link }: Partial<Errand> = {}) {
      acme.state.claims = { ...ADA, ...claims } as Claims;
      const { next, started } = await finish(await begin({ connects, link }), connects);
      expect(next).toBe("/keys");
      return started && services.signIn.lookUp(started.secret);
    },
    connect: (who: NonNullable<SignedIn>, claims: Partial<Claims>) => {
      acme.state.claims = { ...ADA, ...claims };
      return begin({ connects: who }).then((state) => finish(state, who));
    },
    /** Reads the person of a signed-in user. */
    personNow: ({ user }: NonNullable<SignedIn>) => store.transact((tx) => personOf(tx, user)),
  };
}

const without = (...members: (keyof Claims)[]) =>
  Object.fromEntries(members.map((member) => [member, undefined])) as Partial<Claims>;

describe("beginning a sign-in with a provider", () => {
  it("sends a new state, nonce and code verifier each time", async () => {
    const { begin, acme, finish } = await providersWith();
    const state = await begin();
    await begin();
    const [first, second] = acme.begun;
    expect(first).toEqual({
      redirectUri: `${BASE_URL}/sign-in/with/acme`,
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      codeVerifier: expect.stringMatching(/^[\w-]{43}$/),
    });
    const secrets = [first, second].flatMap((attempt) => [
      attempt?.state,
      attempt?.nonce,
      attempt?.codeVerifier,
    ]);
    expect(new Set(secrets).size).toBe(6);
    await finish(state);
    expect(acme.finished).toEqual([first]);
  });

  it("fails with not_found for an unknown provider", async () => {
    const { begin, finish, provider } = await providersWith();
    expect(provider.providers.map(({ name }) => name)).toEqual(["acme", "other"]);
    const name = "x".repeat(40);
    await expect(begin({}, name)).rejects.toMatchObject({
      ...problem("not_found"),
      detail: `Nobody signs in here with "${"x".repeat(32)}".`,
    });
    await expect(finish("state", undefined, { name: "nobody" })).rejects.toMatchObject(problem("not_found"));
  });

  it("is limited to 100 an hour from one address", async () => {
    const { begin, provider, clock } = await providersWith();
    for (let index = 0; index < 100; index++) await begin();
    await expect(begin()).rejects.toMatchObject({
      ...problem("rate_limited"),
      extras: { members: { window: "provider" } },
    });
    const elsewhere = { ...VISITOR, address: "198.51.100.9" };
    await expect(provider.begin("acme", { next: "/" }, COOKIE, elsewhere)).resolves.toBeDefined();
    clock.advance(HOUR);
    await expect(begin()).resolves.toBeDefined();
  });
});

describe("finishing a sign-in with a provider", () => {
  it("works once within ten minutes, in the same browser and with the same provider", async () => {
    const { begin, finish, clock } = await providersWith();
    const nothing = problem("invalid_state");
    const state = await begin();
    await expect(finish(state, undefined, { cookie: "another browser's" })).rejects.toMatchObject(nothing);
    await expect(finish(state, undefined, { name: "other" })).rejects.toMatchObject(nothing);
    await expect(finish("another state")).rejects.toMatchObject(nothing);
    await expect(finish(state)).resolves.toHaveProperty("started");
    await expect(finish(state)).rejects.toMatchObject(nothing);
    const [inTime, late] = [await begin(), await begin()];
    clock.advance(10 * MINUTE - 1);
    await expect(finish(inTime)).resolves.toHaveProperty("started");
    clock.advance(1);
    await expect(finish(late)).rejects.toMatchObject(nothing);
  });

  it("creates an account for a new identity and finds it by its subject later", async () => {
    const services = await providersWith();
    const { comeAs, clock } = services;
    const first = await comeAs(ADA);
    expect(first).toMatchObject({
      account: { name: "Ada", plan: "free" },
      user: { email: ADA.verifiedEmail, role: "owner" },
      person: {
        name: "Ada",
        email: ADA.verifiedEmail,
        emailProvenAt: clock.now(),
        identities: [
          { provider: "acme", issuer: ADA.issuer, subject: "ada-1", label: "ada", createdAt: clock.now() },
        ],
      },
      session: { startedBy: "provider" },
    });
    // Found by subject, whatever the name and address are.
    const again = await comeAs({ verifiedEmail: "new@lovelace.example", name: "Countess" });
    expect(again?.user.id).toBe(first?.user.id);
    expect((await comeAs({ subject: "ada-2", ...without("verifiedEmail") }))?.user.id).not.toBe(
      first?.user.id,
    );
    const noted = (await trailOf(services)).filter(({ after }) => after?.provider !== undefined);
    expect(noted.map(({ action, accountId, after }) => ({ action, accountId, after }))).toMatchObject([
      {
        action: "account.signed_up",
        accountId: first?.account.id,
        after: { by: "provider", provider: "acme", name: "Ada", plan: "free" },
      },
      {
        action: "session.started",
        accountId: first?.account.id,
        after: { by: "provider", provider: "acme" },
      },
      { action: "account.signed_up" },
    ]);
    expect(noted[1]?.actor).toMatchObject({ userId: first?.user.id, address: VISITOR.address });
    expect(noted[0]?.actor.userId).toBeUndefined();
  });

  it('names the account by the person\'s name, by their address, or "Somebody"', async () => {
    const { comeAs } = await providersWith();
    const nameOf = async (claims: Partial<Claims>) => (await comeAs(claims))?.account.name;
    expect(await nameOf({ subject: "1", ...without("name"), verifiedEmail: "a@b@example.com" })).toBe(
      "Somebody",
    );
    expect(await nameOf({ subject: "2", ...without("name"), verifiedEmail: "grace@navy.example" })).toBe(
      "grace",
    );
    expect(await nameOf({ subject: "3", ...without("name", "verifiedEmail") })).toBe("Somebody");
  });

  it("ignores an invalid address", async () => {
    const { comeAs } = await providersWith();
    const { user, person } = (await comeAs({ verifiedEmail: "no address" }))!;
    expect(user.email).toBe("Ada");
    expect(person).not.toHaveProperty("email");
    expect(person).not.toHaveProperty("emailProvenAt");
  });

  it.each<[SignUpRule, Partial<Claims>, boolean]>([
    ["open", without("verifiedEmail"), true],
    ["invite", {}, false],
    [{ domains: ["lovelace.example"] }, {}, true],
    [{ domains: ["lovelace.example"] }, { verifiedEmail: "ada@LOVELACE.example" }, true],
    [{ domains: ["lovelace.example"] }, { verifiedEmail: "ada@other.example" }, false],
    [{ domains: ["lovelace.example"] }, without("verifiedEmail"), false],
  ])("applies the sign-up rule %j to a stranger with %j", async (rule, claims, isLetIn) => {
    const { comeAs } = await providersWith(rule);
    if (isLetIn) expect(await comeAs(claims)).toBeDefined();
    else await expect(comeAs(claims)).rejects.toMatchObject(problem("forbidden"));
  });

  it("limits new accounts by address, but not returning people", async () => {
    const { comeAs } = await providersWith();
    for (let index = 0; index < 10; index++) {
      await comeAs({ subject: `new-${index}`, ...without("verifiedEmail") });
    }
    await expect(comeAs({ subject: "new-10", ...without("verifiedEmail") })).rejects.toMatchObject(
      problem("rate_limited"),
    );
    expect(await comeAs({ subject: "new-3", ...without("verifiedEmail") })).toBeDefined();
  });

  it("refuses a new identity whose address belongs to an existing person, in any case", async () => {
    const services = await providersWith();
    await colleague(services, "member", { email: "ada@lovelace.example" });
    for (const verifiedEmail of ["ada@lovelace.example", "ADA@lovelace.example"]) {
      await expect(services.comeAs({ verifiedEmail })).rejects.toMatchObject({
        ...problem("conflict"),
        detail: expect.stringContaining("connect ACME under Security"),
      });
    }
  });

  it("accepts an invitation once, regardless of the sign-up rule and the address", async () => {
    const services = await providersWith("invite");
    const { users, owner, comeAs, account } = services;
    const { signInLink, user } = await users.invite(callerFor(owner), {
      email: "a@example.com",
      role: "admin",
    });
    const link = secretOf(signInLink);
    const joined = await comeAs(ADA, { link });
    expect(joined).toMatchObject({
      account: { id: account.id },
      user: { id: user.id, role: "admin", email: ADA.verifiedEmail },
      person: { name: "Ada", emailProvenAt: services.clock.now(), identities: [{ subject: "ada-1" }] },
    });
    const noted = (await trailOf(services)).find(({ action }) => action === "user.joined");
    expect(noted).toMatchObject({ accountId: account.id, after: { by: "provider", provider: "acme" } });
    const another = { subject: "eve", ...without("verifiedEmail") };
    await expect(comeAs(another, { link })).rejects.toMatchObject(problem("forbidden"));
    expect(await services.signIn.consumeLink(link, VISITOR)).toBeUndefined();
  });

  it("accepts an invitation for a person who has another account, and once as a member signs them in", async () => {
    const services = await providersWith();
    const { users, owner, comeAs, account } = services;
    const before = await comeAs(ADA);
    const invite = async (email: string) => {
      const { signInLink } = await users.invite(callerFor(owner), { email, role: "viewer" });
      return secretOf(signInLink);
    };
    const joined = await comeAs(ADA, { link: await invite("a@example.com") });
    expect(joined).toMatchObject({
      account: { id: account.id },
      user: { role: "viewer", email: ADA.verifiedEmail },
      person: { id: before?.person.id, memberships: [{}, {}] },
    });
    const second = await invite("b@example.com");
    expect(await comeAs(ADA, { link: second })).toMatchObject({ user: { id: joined?.user.id } });
    expect(await services.signIn.peekLink(second)).toBeDefined();
  });

  it("keeps the invited address as unproven if the provider returns none", async () => {
    const { users, owner, comeAs } = await providersWith("invite");
    const { signInLink } = await users.invite(callerFor(owner), { email: "a@example.com", role: "member" });
    const joined = await comeAs(without("verifiedEmail"), { link: secretOf(signInLink) });
    expect(joined?.user.email).toBe("a@example.com");
    expect(joined?.person).not.toHaveProperty("emailProvenAt");
  });

  it("refuses a sign-in link and the link of a suspended invitation", async () => {
    const services = await providersWith("invite");
    const { accounts, owner, account, comeAs, users } = services;
    const link = secretOf(await accounts.createSignInLink(callerFor(owner), account.id));
    await expect(comeAs(ADA, { link })).rejects.toMatchObject(problem("forbidden"));
    const invited = await users.invite(callerFor(owner), { email: "a@example.com", role: "member" });
    await users.update(callerFor(owner), invited.user.id, { suspended: true });
    await expect(comeAs(ADA, { link: secretOf(invited.signInLink) })).rejects.toMatchObject(
      problem("forbidden"),
    );
  });

  it("refuses a person who is suspended in all accounts", async () => {
    const services = await providersWith();
    const { users, owner, comeAs, connect } = services;
    const member = await colleague(services, "member");
    await connect(member, ADA);
    expect((await comeAs(ADA))?.user.id).toBe(member.user.id);
    await users.update(callerFor(owner), member.user.id, { suspended: true });
    await expect(comeAs(ADA)).rejects.toMatchObject({
      ...problem("forbidden"),
      detail: expect.stringContaining("suspended"),
    });
  });
});

describe("connecting a provider to a person", () => {
  it("needs the same person to be signed in at the start and at the end", async () => {
    const services = await providersWith();
    const { begin, finish, personNow } = services;
    const { signedIn } = await signInByLink(services);
    const member = await colleague(services, "member");
    for (const who of [undefined, member]) {
      await expect(finish(await begin({ connects: signedIn }), who)).rejects.toMatchObject(
        problem("invalid_state"),
      );
    }
    expect(await finish(await begin({ connects: signedIn }), signedIn)).toEqual({ next: "/keys" });
    expect((await personNow(signedIn))?.identities).toMatchObject([{ provider: "acme", label: "ada" }]);
    expect((await trailOf(services)).at(-1)).toMatchObject({
      action: "person.provider_connected",
      target: { kind: "user", id: signedIn.user.id },
      after: { provider: "acme", label: "ada" },
    });
  });

  it("changes nothing when repeated and is refused for an identity of another person", async () => {
    const services = await providersWith();
    const { connect, personNow } = services;
    const [{ signedIn }, member] = [await signInByLink(services), await colleague(services, "member")];
    await connect(signedIn, ADA);
    const before = await trailOf(services);
    await connect(signedIn, { label: "countess" });
    expect(await trailOf(services)).toEqual(before);
    expect((await personNow(signedIn))?.identities).toHaveLength(1);
    await expect(connect(member, {})).rejects.toMatchObject({
      ...problem("conflict"),
      detail: "ACME knows you as ada, who is connected to somebody else here.",
    });
    expect(await personNow(member)).not.toHaveProperty("identities");
  });

  it("is limited to ten identities and refused to a removed user", async () => {
    const services = await providersWith();
    const { connect, users, owner, personNow } = services;
    const member = await colleague(services, "member");
    for (let index = 0; index < 10; index++) await connect(member, { subject: `ada-${index}` });
    await expect(connect(member, { subject: "ada-10" })).rejects.toMatchObject(problem("conflict"));
    expect((await personNow(member))?.identities?.map(({ subject }) => subject)).toEqual(
      Array.from({ length: 10 }, (_, index) => `ada-${index}`),
    );
    await users.remove(callerFor(owner), member.user.id);
    await expect(connect(member, { subject: "ada-11" })).rejects.toMatchObject(problem("not_found"));
  });

  it("is undone when the person is deleted", async () => {
    const services = await providersWith("invite");
    const { connect, users, owner, comeAs } = services;
    const member = await colleague(services, "member");
    await connect(member, ADA);
    await users.remove(callerFor(owner), member.user.id);
    // The identity finds no user any more, and may be connected to another.
    await expect(comeAs(ADA)).rejects.toMatchObject(problem("forbidden"));
    await connect((await signInByLink(services)).signedIn, ADA);
    expect(await comeAs(ADA)).toMatchObject({ user: { id: owner.id } });
  });

  it("can be undone only by a person with another way to sign in", async () => {
    const services = await providersWith();
    const { connect, provider, comeAs, personNow } = services;
    const newcomer = (await comeAs({ subject: "only" }))!;
    const only = { issuer: ADA.issuer, subject: "only" };
    const disconnect = (identity: typeof only) => provider.disconnect(newcomer, identity, VISITOR);
    await expect(disconnect({ ...only, subject: "other" })).rejects.toMatchObject(problem("not_found"));
    await expect(disconnect(only)).rejects.toMatchObject(problem("conflict"));
    await connect(newcomer, { subject: "second", label: "second" });
    await disconnect(only);
    expect((await personNow(newcomer))?.identities).toMatchObject([{ subject: "second" }]);
    expect((await trailOf(services)).at(-1)).toMatchObject({
      action: "person.provider_disconnected",
      target: { kind: "user", id: newcomer.user.id },
      before: { provider: "acme", label: "ada" },
    });
    await expect(disconnect(only)).rejects.toMatchObject(problem("not_found"));
    // The disconnected identity makes a new person.
    const other = await comeAs({ subject: "only", ...without("verifiedEmail") });
    expect(other?.user.id).not.toBe(newcomer.user.id);
  });

  it("is begun for 15 minutes after signing in, or by somebody who could not sign in again", async () => {
    const services = await providersWith();
    const { comeAs, begin, clock } = services;
    const ada = (await comeAs(ADA))!;
    const bare = await colleague(services, "member");
    clock.advance(15 * MINUTE);
    await begin({ connects: ada });
    clock.advance(1);
    await expect(begin({ connects: ada })).rejects.toMatchObject(problem("forbidden"));
    await begin({ connects: bare });
  });

  it("is not undone in a session that ended meanwhile", async () => {
    const services = await providersWith();
    const { connect, provider, comeAs, personNow, sessions } = services;
    const ada = (await comeAs(ADA))!;
    await connect(ada, { subject: "second", label: "second" });
    await sessions.revoke({ ...ada.user, ...VISITOR, userId: ada.user.id }, ada.session.id);
    const undoing = provider.disconnect(ada, { issuer: ADA.issuer, subject: "second" }, VISITOR);
    await expect(undoing).rejects.toMatchObject(problem("conflict"));
    expect((await personNow(ada))?.identities).toHaveLength(2);
  });
});

it("a person can connect ten provider identities at most", async () => {
  const { comeAs, connect, personNow } = await providersWith();
  const ada = await comeAs(ADA);
  if (!ada) throw new Error("Nobody is signed in.");
  for (let number = 2; number <= 10; number++) await connect(ada, { subject: `ada-${number}` });
  await expect(connect(ada, { subject: "ada-11" })).rejects.toMatchObject({ error: "conflict" });
  // Connecting an identity again adds none.
  await connect(ada, { subject: "ada-10" });
  expect((await personNow(ada))?.identities).toHaveLength(10);
});
