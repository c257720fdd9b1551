import { describe, expect, it, vi } from "vitest";
import type { SignUpRule } from "../../../src/accounts/sign-in/sign-up.ts";
import type { Letter } from "../../../src/mail/post.ts";
import {
  approverFor,
  askForCode,
  BASE_URL,
  callerFor,
  comeBy,
  HOUR,
  MINUTE,
  oauthError,
  problem,
  type Services,
  secretOf,
  startServices,
  trailOf,
  VISITOR,
} from "../fixture.ts";

const ADA = "ada@example.com";

/** Starts services with mail. `sent` receives the letters. */
async function withMail(signUp: SignUpRule = "invite") {
  const sent: Letter[] = [];
  const services = await startServices({ signUp, deliver: async (letter) => void sent.push(letter) });
  return { ...services, sent };
}

type WithMail = Awaited<ReturnType<typeof withMail>>;

/** Asks for a link to an address, and waits until all mail is sent. */
async function ask(
  { linkMail, post }: WithMail,
  email: string,
  { next = "/", address = VISITOR.address } = {},
) {
  await linkMail?.request({ email, next }, { ...VISITOR, address });
  await post?.idle();
}

function linkIn(letter: Letter | undefined): string {
  const url = /^https:\S+$/m.exec(letter?.text ?? "")?.[0];
  if (!url?.startsWith(`${BASE_URL}/sign-in?link=`)) throw new Error("the letter holds no link");
  return url;
}

async function personBehind({ signIn }: Services, secret: string) {
  return (await signIn.lookUp(secret))?.person;
}

describe("a sign-in link by e-mail", () => {
  it("signs in the person with that address, in any browser, once, within 15 minutes", async () => {
    const services = await withMail();
    const { person } = await unproven(services);
    await ask(services, "ADA@example.com");
    expect(services.sent).toMatchObject([{ to: ADA }]);
    const link = linkIn(services.sent[0]);
    expect(await services.signIn.peekLink(secretOf(link))).toMatchObject({ email: "ADA@example.com" });
    const here = await comeBy(services, link, { ...VISITOR, address: "203.0.113.77" });
    expect([here.person.id, here.session.startedBy]).toEqual([person.id, "link"]);
    expect(await services.signIn.consumeLink(secretOf(link), VISITOR)).toBeUndefined();
    await ask(services, ADA);
    services.clock.advance(15 * MINUTE);
    expect(await services.signIn.consumeLink(secretOf(linkIn(services.sent[1])), VISITOR)).toBeUndefined();
  });

  it("is sent only to addresses that may sign in, with the same response for all others", async () => {
    const services = await withMail({ domains: ["corp.example"] });
    const { user } = await unproven(services);
    await services.users.update(callerFor(services.owner), user.id, { suspended: true });
    services.sent.length = 0;
    const { linkMail } = services;
    for (const email of [ADA, "eve@elsewhere.example", "eve@sub.corp.example", "eve@corp.example.evil"]) {
      expect(await linkMail?.request({ email, next: "/" }, VISITOR)).toBeUndefined();
    }
    await ask(services, "bo@CORP.example");
    expect(services.sent.map(({ to }) => to)).toEqual(["bo@CORP.example"]);
  });

  it("is refused as overloaded, and not counted, while 1,000 letters are queued", async () => {
    const held: (() => void)[] = [];
    const services = await startServices({ deliver: () => new Promise((sent) => held.push(sent)) });
    for (let index = 0; index < 1000; index++)
      services.post?.send(async () => ({ to: ADA, subject: "x", text: "x" }));
    const asking = { email: ADA, next: "/" };
    for (let time = 0; time < 40; time++)
      await expect(services.linkMail?.request(asking, VISITOR)).rejects.toMatchObject({
        ...problem("overloaded"),
        extras: { headers: { "Retry-After": "120" } },
      });
    await expect(services.linkMail?.admit(services.account.id, ADA)).rejects.toMatchObject(
      problem("overloaded"),
    );
    await expect
      .poll(() => {
        for (const sent of held.splice(0)) sent();
        return services.post?.takesMore();
      })
      .toBe(true);
    expect(await services.linkMail?.request(asking, VISITOR)).toBeUndefined();
    services.post?.close();
  });

  it("is requested without reading the store until the response is sent", async () => {
    const services = await withMail("open");
    await unproven(services);
    await services.post?.idle();
    const looks = vi.spyOn(services.store, "transact");
    for (const email of [ADA, "nobody@example.com"]) {
      const asking = services.linkMail?.request({ email, next: "/" }, VISITOR);
      await asking;
      expect(looks).not.toHaveBeenCalled();
      await services.post?.idle();
      expect(looks).toHaveBeenCalledOnce();
      looks.mockClear();
    }
  });

  it("leads to the page on this server that was asked for", async () => {
    const services = await withMail();
    await unproven(services);
    await ask(services, ADA, { next: "/device?user_code=BBBB-BBBB" });
    const { searchParams } = new URL(linkIn(services.sent.at(-1)));
    expect(searchParams.get("next")).toBe("/device?user_code=BBBB-BBBB");
  });

  it("is sent to an address six times, then every ten minutes, and requested by a client thirty times an hour", async () => {
    const services = await withMail();
    await unproven(services);
    services.sent.length = 0;
    for (let index = 0; index < 10; index++) await ask(services, ADA, { address: `198.51.100.${index}` });
    expect(services.sent).toHaveLength(6);
    for (let index = 0; index < 30; index++) {
      await services.linkMail?.request({ email: `${index}@example.com`, next: "/" }, VISITOR);
    }
    const refused = services.linkMail?.request({ email: "one@example.com", next: "/" }, VISITOR);
    await expect(refused).rejects.toMatchObject({
      ...problem("rate_limited"),
      extras: { headers: { "Retry-After": expect.stringMatching(/^\d+$/) } },
    });
    services.clock.advance(10 * MINUTE - 1);
    await ask(services, ADA, { address: "203.0.113.9" });
    expect(services.sent).toHaveLength(6);
    services.clock.advance(1);
    for (let index = 0; index < 2; index++) await ask(services, ADA, { address: "203.0.113.9" });
    expect(services.sent).toHaveLength(7);
    services.clock.advance(HOUR);
    for (let index = 0; index < 10; index++) await ask(services, ADA);
    expect(services.sent).toHaveLength(13);
  });

  it("can always be used by its recipient, however many others ask for", async () => {
    const services = await withMail();
    await unproven(services);
    services.sent.length = 0;
    for (let minute = 0; minute < 180; minute++) {
      await ask(services, ADA, { address: `198.51.100.${minute}` });
      services.clock.advance(MINUTE);
      const newest = secretOf(linkIn(services.sent.at(-1)));
      expect(await services.signIn.peekLink(newest), `in minute ${minute}`).toBeDefined();
    }
    expect(services.sent.length).toBeLessThanOrEqual(6 + 18);
  });

  it("can still be requested after the invitations to the address are used up", async () => {
    const services = await withMail("open");
    const { users, owner } = services;
    const { user } = await users.invite(callerFor(owner), { email: ADA, role: "member" });
    for (let index = 0; index < 5; index++) await users.renewInvitation(callerFor(owner), user.id);
    const seventh = users.renewInvitation(callerFor(owner), user.id);
    await expect(seventh).rejects.toMatchObject(problem("rate_limited"));
    await services.post?.idle();
    services.sent.length = 0;
    await ask(services, ADA);
    expect(services.sent).toHaveLength(1);
  });
});

describe("signing up by e-mail", () => {
  it("creates an account on the default plan, owned by the person with the address", async () => {
    const services = await withMail("open");
    await ask(services, ADA);
    const link = linkIn(services.sent[0]);
    expect(await services.signIn.peekLink(secretOf(link))).toMatchObject({ email: ADA, signsUp: true });
    const { account, user, person } = await comeBy(services, link);
    expect([account.name, account.plan, user.role, user.operator]).toEqual([
      "ada",
      "free",
      "owner",
      undefined,
    ]);
    expect(person).toMatchObject({ email: ADA, emailProvenAt: services.clock.now() });
    await ask(services, ADA);
    expect((await comeBy(services, linkIn(services.sent[1]))).account.id).toBe(account.id);
  });

  it("creates one person when two links are used at once", async () => {
    const services = await withMail("open");
    for (let index = 0; index < 2; index++) await ask(services, ADA);
    const links = services.sent.map((letter) => secretOf(linkIn(letter)));
    const started = await Promise.all(links.map((link) => services.signIn.consumeLink(link, VISITOR)));
    const found = await Promise.all(started.map((one) => personBehind(services, one?.secret ?? "")));
    expect(new Set(found.map((person) => person?.id)).size).toBe(1);
  });

  it("is limited to ten sign-ups an hour from one address", async () => {
    const services = await withMail("open");
    const address = "203.0.113.5";
    for (let index = 0; index < 11; index++) await ask(services, `p${index}@example.com`);
    const links = services.sent.map((letter) => secretOf(linkIn(letter)));
    for (const link of links.slice(0, 10)) {
      expect(await services.signIn.consumeLink(link, { ...VISITOR, address })).toBeDefined();
    }
    const late = services.signIn.consumeLink(links[10] ?? "", { ...VISITOR, address });
    await expect(late).rejects.toMatchObject(problem("rate_limited"));
    expect(await services.signIn.consumeLink(links[10] ?? "", VISITOR)).toBeDefined();
  });
});

describe("the first proof of an address", () => {
  it("ends credentials that others may have set before: password, session, key and device", async () => {
    const services = await withMail("open");
    const here = await unproven(services);
    const password = "the attacker's password";
    await services.signIn.setPassword(here, { password }, VISITOR);
    const { secret } = await services.apiKeys.create(callerFor(here.user), {
      name: "back door",
      scopes: ["read"],
    });
    const { device_code, user_code } = await askForCode(services);
    await services.devices.decide(user_code, "approve", approverFor(here.user));
    services.clock.advance(1000);
    await ask(services, ADA);
    const link = linkIn(services.sent.at(-1));
    expect(await services.signIn.peekLink(secretOf(link))).toMatchObject({ ends: true });
    const owner = await comeBy(services, link);
    expect(owner.person).toMatchObject({ id: here.person.id, emailProvenAt: services.clock.now() });
    expect(owner.person).not.toHaveProperty("passwordHash");
    expect(await services.signIn.withPassword({ email: ADA, password }, VISITOR)).toBeUndefined();
    expect(await services.signIn.lookUp(here.secret)).toBeUndefined();
    expect(await services.credentials.authenticate(secret)).toBeUndefined();
    await expect(
      services.token({ device_code, grant_type: "urn:ietf:params:oauth:grant-type:device_code" }),
    ).rejects.toMatchObject(oauthError("access_denied"));
  });

  it("ends nothing if the person is signed in, nor when repeated", async () => {
    const services = await withMail("open");
    const here = await unproven(services);
    const password = "correct horse battery";
    await services.signIn.setPassword(here, { password }, VISITOR);
    await ask(services, ADA);
    const link = linkIn(services.sent.at(-1));
    expect(await services.signIn.peekLink(secretOf(link), here)).not.toHaveProperty("ends");
    await comeBy(services, link, VISITOR, here);
    await ask(services, ADA);
    await comeBy(services, linkIn(services.sent.at(-1)));
    expect(await services.signIn.withPassword({ email: ADA, password }, VISITOR)).toBeDefined();
  });
});

describe("an invitation when mail is configured", () => {
  it("is sent only to the invited address and proves it", async () => {
    const services = await withMail();
    const by = callerFor(services.owner);
    const invited = await services.users.invite(by, { email: ADA, role: "member" });
    expect(Object.keys(invited)).toEqual(["user"]);
    await services.post?.idle();
    expect(services.sent).toMatchObject([{ to: ADA, text: expect.stringContaining("“default”") }]);
    const { person, account } = await comeBy(services, linkIn(services.sent[0]));
    expect([person.emailProvenAt, account.id]).toEqual([services.clock.now(), services.account.id]);
  });

  it("is mailed, and so is a sign-in link for a user with other accounts", async () => {
    const services = await withMail();
    const here = await unproven(services);
    const elsewhere = { name: "Elsewhere", ownerEmail: ADA, plan: "free" };
    await services.accounts.create(callerFor(services.owner), elsewhere);
    await services.post?.idle();
    await comeBy(services, linkIn(services.sent[0]), VISITOR, here);
    services.sent.length = 0;
    expect(await services.users.createSignInLink(callerFor(services.owner), here.user.id)).toBeUndefined();
    await services.post?.idle();
    expect((await comeBy(services, linkIn(services.sent[0]))).person.id).toBe(here.person.id);
  });

  it("stays out of the audit log, before and after it was used", async () => {
    const services = await withMail();
    await services.users.invite(callerFor(services.owner), { email: ADA, role: "member" });
    await services.post?.idle();
    const link = linkIn(services.sent[0]);
    await comeBy(services, link);
    const entries = await trailOf(services);
    expect(entries.map(({ action }) => action)).toEqual(["user.invited", "user.joined"]);
    expect(JSON.stringify([entries, services.told])).not.toContain(secretOf(link));
  });
});

/** Invites Ada, who joins by a link that another person has seen. */
async function unproven(services: WithMail) {
  const { links, store, owner, users } = services;
  const { user } = await users.invite(callerFor(owner), { email: ADA, role: "member" });
  await services.post?.idle();
  services.sent.length = 0;
  const { url } = await store.transact((tx) =>
    links.issue(tx, { accountId: user.accountId, userId: user.id }),
  );
  return comeBy(services, url);
}
