import { decodeAttestationObject, isoBase64URL, isoCBOR } from "@simplewebauthn/server/helpers";
import { describe, expect, it } from "vitest";
import { people } from "../../../src/accounts/model.ts";
import { createPasskeys } from "../../../src/accounts/sign-in/passkeys/passkeys.ts";
import { createBeginSession } from "../../../src/accounts/sign-in/sessions/begin-session.ts";
import type { SignUpRule } from "../../../src/accounts/sign-in/sign-up.ts";
import { GLOBAL } from "../../../src/store/store.ts";
import { createAuthenticator } from "../../support/accounts/authenticator.ts";
import { BASE_URL, colleague, HOUR, MINUTE, problem, startServices, VISITOR } from "../fixture.ts";

const COOKIE = "chance of one browser";
const HERE = { origin: BASE_URL };

async function withPasskeys(signUp: SignUpRule = "invite") {
  const services = await startServices({ signUp });
  const passkeys = createPasskeys({
    ...services,
    beginSession: createBeginSession(services.sessions),
    offered: { mail: false, passkeys: true, providers: [] },
    subjectOf: (address) => address,
    serviceName: "Toolplane",
    pagesUrl: () => BASE_URL,
  });
  return { ...services, passkeys };
}

type WithPasskeys = Awaited<ReturnType<typeof withPasskeys>>;

/** Creates a member of the owner's account with a passkey. */
async function someone({ passkeys, ...services }: WithPasskeys, email = "ada@example.com") {
  const here = await colleague(services, "member", { email });
  const authenticator = createAuthenticator();
  const answer = authenticator.create(await passkeys.askForNew(COOKIE, VISITOR, here), HERE);
  await passkeys.add(here, { answer, name: "Laptop" }, COOKIE, VISITOR);
  return { here, authenticator };
}

/** Returns an attestation object with a statement that holds a certificate, which is none. */
function attested(attestationObject: string, fmt: string): string {
  const authData = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject)).get("authData");
  const statement = new Map([["x5c", [Uint8Array.of(1)]]]);
  const members = new Map<string, string | Uint8Array | typeof statement>([
    ["fmt", fmt],
    ["attStmt", statement],
    ["authData", authData],
  ]);
  return isoBase64URL.fromBuffer(isoCBOR.encode(members));
}

describe("a passkey", () => {
  it("signs in its person without a name and records the time of use", async () => {
    const services = await withPasskeys();
    const { passkeys, signIn, clock } = services;
    const { here, authenticator } = await someone(services);
    clock.advance(MINUTE);
    const answer = authenticator.get(await passkeys.ask(COOKIE, VISITOR), HERE);
    const { secret } = await passkeys.signIn(answer, COOKIE, VISITOR);
    const now = await signIn.lookUp(secret);
    expect([now?.person.id, now?.session.startedBy]).toEqual([here.person.id, "passkey"]);
    expect(now?.person.passkeys).toMatchObject([{ name: "Laptop", counter: 1, lastUsedAt: clock.now() }]);
  });

  it("is used with a challenge that works once", async () => {
    const services = await withPasskeys();
    const { passkeys } = services;
    const { authenticator } = await someone(services);
    const answer = authenticator.get(await passkeys.ask(COOKIE, VISITOR), HERE);
    await passkeys.signIn(answer, COOKIE, VISITOR);
    await expect(passkeys.signIn(answer, COOKIE, VISITOR)).rejects.toMatchObject(problem("forbidden"));
    const another = authenticator.get(await passkeys.ask(COOKIE, VISITOR), HERE);
    const many = await Promise.allSettled([1, 2, 3, 4].map(() => passkeys.signIn(another, COOKIE, VISITOR)));
    expect(many.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });

  it("is used with a challenge that works for five minutes in one browser", async () => {
    const services = await withPasskeys();
    const { passkeys, clock } = services;
    const { authenticator } = await someone(services);
    const planted = authenticator.get(await passkeys.ask(COOKIE, VISITOR), HERE);
    await expect(passkeys.signIn(planted, "another cookie", VISITOR)).rejects.toMatchObject(
      problem("forbidden"),
    );
    const options = await passkeys.ask(COOKIE, VISITOR);
    clock.advance(5 * MINUTE);
    const late = passkeys.signIn(authenticator.get(options, HERE), COOKIE, VISITOR);
    await expect(late).rejects.toMatchObject(problem("forbidden"));
  });

  it.each([
    ["of another site", { origin: "https://plane.example.evil.example" }],
    ["of a page in the clear", { origin: "http://plane.example" }],
    ["made for another site", { origin: BASE_URL, rpId: "evil.example" }],
  ])("is refused in an answer %s", async (_what, told) => {
    const services = await withPasskeys();
    const { passkeys } = services;
    const { authenticator } = await someone(services);
    const answer = authenticator.get(await passkeys.ask(COOKIE, VISITOR), told);
    await expect(passkeys.signIn(answer, COOKIE, VISITOR)).rejects.toMatchObject(problem("forbidden"));
  });

  it("is refused if its counter does not increase, since it may be a copy", async () => {
    const services = await withPasskeys();
    const { passkeys } = services;
    const { authenticator } = await someone(services);
    const at = async (counter: number) =>
      authenticator.get(await passkeys.ask(COOKIE, VISITOR), { ...HERE, counter });
    await passkeys.signIn(await at(5), COOKIE, VISITOR);
    for (const counter of [4, 5]) {
      const again = passkeys.signIn(await at(counter), COOKIE, VISITOR);
      await expect(again).rejects.toMatchObject(problem("forbidden"));
    }
  });

  it("is accepted once if two answers with the same counter arrive at once", async () => {
    const services = await withPasskeys();
    const { passkeys } = services;
    const { authenticator } = await someone(services);
    const answers = await Promise.all(
      [COOKIE, `${COOKIE}2`].map(async (cookie) => {
        const answer = authenticator.get(await passkeys.ask(cookie, VISITOR), { ...HERE, counter: 5 });
        return () => passkeys.signIn(answer, cookie, VISITOR);
      }),
    );
    const outcomes = await Promise.allSettled(answers.map((signIn) => signIn()));
    expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  });

  it("is refused with the signature, user handle, id or challenge of another", async () => {
    const services = await withPasskeys();
    const { passkeys } = services;
    const ada = await someone(services);
    const eve = await someone(services, "eve@example.com");
    const ask = () => passkeys.ask(COOKIE, VISITOR);
    const forged = ada.authenticator.get(await ask(), HERE);
    forged.response.signature = eve.authenticator.get(await ask(), HERE).response.signature;
    const handed = ada.authenticator.get(await ask(), HERE);
    handed.response.userHandle = eve.authenticator.get(await ask(), HERE).response.userHandle;
    const claimed = { ...eve.authenticator.get(await ask(), HERE), id: ada.authenticator.id };
    const unknown = createAuthenticator().get(await ask(), HERE);
    const forAdding = ada.authenticator.get(
      { ...(await passkeys.askForNew(COOKIE, VISITOR, ada.here)), rpId: "plane.example" },
      HERE,
    );
    for (const answer of [forged, handed, claimed, unknown, forAdding]) {
      await expect(passkeys.signIn(answer, COOKIE, VISITOR)).rejects.toMatchObject(problem("forbidden"));
    }
  });

  it("is refused with a user handle that is no text, and accepted with none", async () => {
    const services = await withPasskeys();
    const { passkeys } = services;
    const { authenticator } = await someone(services);
    const enter = async (userHandle: unknown) => {
      const { response, ...answer } = authenticator.get(await passkeys.ask(COOKIE, VISITOR), HERE);
      const handed = { ...response, userHandle } as typeof response;
      return passkeys.signIn({ ...answer, response: handed }, COOKIE, VISITOR);
    };
    for (const handle of [5, { length: 1 }, ""])
      await expect(enter(handle)).rejects.toMatchObject(problem("forbidden"));
    for (const none of [null, undefined]) expect(await enter(none)).toBeDefined();
  });

  it("is not added from a malformed answer", async () => {
    const services = await withPasskeys();
    const { passkeys } = services;
    const { here, authenticator } = await someone(services);
    const another = createAuthenticator();
    const ask = async () => another.create(await passkeys.askForNew(COOKIE, VISITOR, here), HERE);
    const garbled = await ask();
    garbled.response.attestationObject = "AAAA";
    const misnamed = { ...(await ask()), id: authenticator.id };
    for (const answer of [garbled, misnamed])
      await expect(passkeys.add(here, { answer, name: "New" }, COOKIE, VISITOR)).rejects.toMatchObject(
        problem("forbidden"),
      );
    const unread = await ask();
    unread.response.clientDataJSON = "{";
    await expect(passkeys.add(here, { answer: unread, name: "New" }, COOKIE, VISITOR)).rejects.toMatchObject(
      problem("forbidden"),
    );
  });

  it("is added without a look at its attestation, whose certificates name addresses to fetch", async () => {
    const services = await withPasskeys();
    const { passkeys } = services;
    const { here } = await someone(services);
    for (const fmt of ["apple", "android-key", "packed", "of the future"]) {
      const answer = createAuthenticator().create(await passkeys.askForNew(COOKIE, VISITOR, here), HERE);
      answer.response.attestationObject = attested(answer.response.attestationObject, fmt);
      await passkeys.add(here, { answer, name: fmt }, COOKIE, VISITOR);
    }
  });

  it("is not added with an id longer than any authenticator's", async () => {
    const services = await withPasskeys();
    const { passkeys } = services;
    const { here } = await someone(services);
    const add = async (idBytes: number) => {
      const options = await passkeys.askForNew(COOKIE, VISITOR, here);
      const answer = createAuthenticator({ idBytes }).create(options, HERE);
      await passkeys.add(here, { answer, name: "Long" }, COOKIE, VISITOR);
    };
    await add(1023);
    await expect(add(1024)).rejects.toMatchObject(problem("forbidden"));
  });

  it("cannot be added to another person, nor a second time", async () => {
    const services = await withPasskeys();
    const { passkeys } = services;
    const ada = await someone(services);
    const eve = await someone(services, "eve@example.com");
    const options = await passkeys.askForNew(COOKIE, VISITOR, ada.here);
    const answer = createAuthenticator().create(options, HERE);
    const stolen = passkeys.add(eve.here, { answer, name: "Mine" }, COOKIE, VISITOR);
    await expect(stolen).rejects.toMatchObject(problem("forbidden"));
    const known = ada.authenticator.create(await passkeys.askForNew(COOKIE, VISITOR, eve.here), HERE);
    const twice = passkeys.add(eve.here, { answer: known, name: "Mine" }, COOKIE, VISITOR);
    await expect(twice).rejects.toMatchObject(problem("forbidden"));
  });

  it("is limited to ten per person, useless once removed, and kept as the last way to sign in", async () => {
    const services = await withPasskeys();
    const { passkeys, signIn } = services;
    const { here, authenticator } = await someone(services);
    const remove = () => passkeys.remove(here, authenticator.id, VISITOR);
    await expect(remove()).rejects.toMatchObject(problem("conflict"));
    const add = async () => {
      const answer = createAuthenticator().create(await passkeys.askForNew(COOKIE, VISITOR, here), HERE);
      await passkeys.add(here, { answer, name: "Another" }, COOKIE, VISITOR);
    };
    for (let index = 0; index < 9; index++) await add();
    await expect(add()).rejects.toMatchObject(problem("conflict"));
    await remove();
    await expect(remove()).rejects.toMatchObject(problem("not_found"));
    const answer = authenticator.get(await passkeys.ask(COOKIE, VISITOR), HERE);
    await expect(passkeys.signIn(answer, COOKIE, VISITOR)).rejects.toMatchObject(problem("forbidden"));
    expect((await signIn.lookUp(here.secret))?.person.passkeys).toHaveLength(9);
  });

  it("is added for 15 minutes after signing in, or by somebody who could not sign in again", async () => {
    const services = await withPasskeys();
    const { passkeys, clock, signIn } = services;
    const { here } = await someone(services);
    const bare = await colleague(services, "member", { email: "bare@example.com" });
    const add = async (who: typeof here, waits = 0) => {
      const options = await passkeys.askForNew(COOKIE, VISITOR, who);
      clock.advance(waits);
      const answer = createAuthenticator().create(options, HERE);
      await passkeys.add(who, { answer, name: "New" }, COOKIE, VISITOR);
    };
    clock.advance(14 * MINUTE);
    await add(here, MINUTE);
    const late = { ...here, ...(await signIn.lookUp(here.secret)) };
    await expect(add(late, 1)).rejects.toMatchObject(problem("forbidden"));
    await expect(add(late)).rejects.toMatchObject(problem("forbidden"));
    await expect(signIn.setPassword(late, { password: "thief's horse" }, VISITOR)).rejects.toMatchObject(
      problem("forbidden"),
    );
    await add(bare);
  });

  it("is neither added nor removed in a session that ended meanwhile", async () => {
    const services = await withPasskeys();
    const { passkeys, signIn, store } = services;
    const { here, authenticator } = await someone(services);
    await signIn.setPassword(here, { password: "correct horse battery" }, VISITOR);
    const answer = createAuthenticator().create(await passkeys.askForNew(COOKIE, VISITOR, here), HERE);
    await signIn.end(here.secret);
    const adding = passkeys.add(here, { answer, name: "New" }, COOKIE, VISITOR);
    await expect(adding).rejects.toMatchObject(problem("conflict"));
    const removing = passkeys.remove(here, authenticator.id, VISITOR);
    await expect(removing).rejects.toMatchObject(problem("conflict"));
    const person = await store.transact((tx) => tx.get(people, GLOBAL, here.person.id));
    expect(person?.passkeys).toMatchObject([{ id: authenticator.id }]);
  });

  it("can be asked for 200 times an hour from one address", async () => {
    const { passkeys, clock } = await withPasskeys();
    for (let index = 0; index < 200; index++) await passkeys.ask(COOKIE, VISITOR);
    await expect(passkeys.ask(COOKIE, VISITOR)).rejects.toMatchObject(problem("rate_limited"));
    expect(await passkeys.ask(COOKIE, { ...VISITOR, address: "203.0.113.1" })).toBeDefined();
    clock.advance(HOUR);
    expect(await passkeys.ask(COOKIE, VISITOR)).toBeDefined();
  });
});

describe("signing up with a passkey", () => {
  it("creates an account for a name without an address if sign-up is open", async () => {
    const { passkeys, signIn } = await withPasskeys("open");
    const authenticator = createAuthenticator();
    const options = await passkeys.askForNew(COOKIE, VISITOR, { name: "Ada" });
    const { secret } = await passkeys.signUp(authenticator.create(options, HERE), COOKIE, VISITOR);
    const first = await signIn.lookUp(secret);
    expect(first).toMatchObject({
      account: { name: "Ada", plan: "free" },
      user: { email: "Ada", role: "owner" },
    });
    expect(first?.person).not.toHaveProperty("email");
    const again = await passkeys.signIn(
      authenticator.get(await passkeys.ask(COOKIE, VISITOR), HERE),
      COOKIE,
      VISITOR,
    );
    expect((await signIn.lookUp(again.secret))?.person.id).toBe(first?.person.id);
  });

  it("is refused if sign-up needs a proven address or an invitation", async () => {
    for (const rule of ["invite", { domains: ["example.com"] }] as const) {
      const { passkeys } = await withPasskeys(rule);
      const asking = passkeys.askForNew(COOKIE, VISITOR, { name: "Ada" });
      await expect(asking).rejects.toMatchObject(problem("forbidden"));
    }
  });
});
