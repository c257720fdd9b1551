import { describe, expect, it } from "vitest";
import { createPasskeys } from "../../../src/accounts/sign-in/passkeys/passkeys.ts";
import { createBeginSession } from "../../../src/accounts/sign-in/sessions/begin-session.ts";
import { createAuthenticator } from "../../support/accounts/authenticator.ts";
import { BASE_URL, colleague, MINUTE, problem, startServices, VISITOR } from "../fixture.ts";

const COOKIE = "chance of one browser";
const HERE = { origin: BASE_URL };
const base64url = (text: string) => Buffer.from(text).toString("base64url");

async function withPasskeys() {
  const services = await startServices({ signUp: "open" });
  const passkeys = createPasskeys({
    ...services,
    beginSession: createBeginSession(services.sessions),
    offered: { mail: false, passkeys: true, providers: [] },
    subjectOf: (address) => address,
    serviceName: "Toolplane",
    pagesUrl: () => BASE_URL,
  });
  const here = await colleague(services, "member", { email: "ada@example.com" });
  const add = async (change: (answer: ReturnType<typeof authenticator.create>) => void = () => {}) => {
    const answer = authenticator.create(await passkeys.askForNew(COOKIE, VISITOR, here), HERE);
    change(answer);
    await passkeys.add(here, { answer, name: "Laptop" }, COOKIE, VISITOR);
  };
  const authenticator = createAuthenticator();
  const kept = async () => (await services.signIn.lookUp(here.secret))?.person.passkeys;
  return { ...services, passkeys, here, authenticator, add, kept };
}

describe("the options for a browser's passkey dialog", () => {
  it("allow any passkey of this site for five minutes at sign-in", async () => {
    const { passkeys } = await withPasskeys();
    const options = (await passkeys.ask(COOKIE, VISITOR)) as Record<string, unknown>;
    expect(options).toMatchObject({
      ...{ rpId: "plane.example", userVerification: "preferred", timeout: 5 * MINUTE },
      challenge: expect.stringMatching(/^[\w-]{43}$/),
    });
    expect(options.allowCredentials).toBeUndefined();
    const again = (await passkeys.ask(COOKIE, VISITOR)) as Record<string, unknown>;
    expect(again.challenge).not.toBe(options.challenge);
  });

  it("exclude the passkeys that the person already has", async () => {
    const { passkeys, here, authenticator, add, signIn } = await withPasskeys();
    await add();
    const now = await signIn.lookUp(here.secret);
    expect(await passkeys.askForNew(COOKIE, VISITOR, now ?? here)).toMatchObject({
      rp: { name: "Toolplane", id: "plane.example" },
      user: { id: base64url(here.person.id), name: "ada@example.com", displayName: "ada@example.com" },
      ...{ attestation: "none", timeout: 5 * MINUTE },
      authenticatorSelection: { residentKey: "required", userVerification: "preferred" },
      // Ed25519, ES256 and RS256.
      pubKeyCredParams: [{ alg: -8 }, { alg: -7 }, { alg: -257 }],
      excludeCredentials: [{ id: authenticator.id }],
    });
  });

  it("name a new person as entered at sign-up", async () => {
    const { passkeys } = await withPasskeys();
    const asked = await passkeys.askForNew(COOKIE, VISITOR, { name: "Ada" });
    expect(asked).toMatchObject({ user: { name: "Ada", displayName: "Ada" }, excludeCredentials: [] });
    const { user } = asked as { user: { id: string } };
    expect(Buffer.from(user.id, "base64url").toString()).toMatch(/^per_/);
  });
});

describe("a stored passkey", () => {
  it("has the given name and at most eight transports, shortened", async () => {
    const { add, kept, clock, authenticator } = await withPasskeys();
    const ways = ["internal", "x".repeat(40), ..."abcdefgh"];
    await add((answer) => {
      answer.response.transports = ways as never;
    });
    expect(await kept()).toMatchObject([
      {
        ...{ id: authenticator.id, name: "Laptop", counter: 0, createdAt: clock.now() },
        transports: ["internal", "x".repeat(32), ..."abcdef"],
      },
    ]);
  });

  it("cannot be added with an answer meant for sign-up, nor the reverse", async () => {
    const { passkeys, authenticator, here } = await withPasskeys();
    const forSigningUp = authenticator.create(
      await passkeys.askForNew(COOKIE, VISITOR, { name: "Ada" }),
      HERE,
    );
    const adding = passkeys.add(here, { answer: forSigningUp, name: "Mine" }, COOKIE, VISITOR);
    await expect(adding).rejects.toMatchObject(problem("forbidden"));
    const forAdding = authenticator.create(await passkeys.askForNew(COOKIE, VISITOR, here), HERE);
    const signingUp = passkeys.signUp(forAdding, COOKIE, VISITOR);
    await expect(signingUp).rejects.toMatchObject(problem("forbidden"));
  });

  it("with a counter that stays at zero can be used again", async () => {
    const { passkeys, authenticator, add } = await withPasskeys();
    await add();
    for (let time = 0; time < 2; time++) {
      const answer = authenticator.get(await passkeys.ask(COOKIE, VISITOR), { ...HERE, counter: 0 });
      expect((await passkeys.signIn(answer, COOKIE, VISITOR)).secret).toBeDefined();
    }
  });

  it("signs in without a user handle in the answer", async () => {
    const { passkeys, authenticator, add } = await withPasskeys();
    await add();
    const answer = authenticator.get(await passkeys.ask(COOKIE, VISITOR), HERE);
    const { userHandle: _, ...response } = answer.response;
    const { secret } = await passkeys.signIn({ ...answer, response } as never, COOKIE, VISITOR);
    expect(secret).toBeDefined();
  });
});
