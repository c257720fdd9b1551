import { describe, expect, it } from "vitest";
import { MINUTE_MS } from "../../../src/system/durations.ts";
import { startApp } from "../../support/app.ts";
import { type FakeClock, fakeClock } from "../../support/clock.ts";
import { freePort } from "../../support/free-port.ts";
import { type Forgery, startForgingProvider } from "../../support/services/forging-provider.ts";
import { type Somebody, startOpenIdProvider } from "../../support/services/openid-provider.ts";
import { type Page, type Visitor, visitor } from "../support/visitor.ts";

const ADA: Somebody = { sub: "ada", email: "ada@example.com", email_verified: true, name: "Ada" };
const CLIENT = { clientId: "toolplane", clientSecret: "a secret of the test" };
const PASSWORD = "correct horse battery";

/** Starts a server whose users sign in with a real OpenID provider. */
async function withProvider(signUp = "open", clock?: FakeClock) {
  // The client's registration at the provider needs the server's address.
  const port = await freePort();
  const { issuer, somebody } = await startOpenIdProvider(`http://127.0.0.1:${port}/sign-in/with/corp`);
  const app = await startApp({
    port,
    signUp,
    providers: [{ name: "corp", issuer, ...CLIENT }],
    owner: { email: "owner@example.com", password: PASSWORD },
    ...(clock && { clock }),
  });
  return { app, issuer, somebody, browser: visitor(app.url) };
}

/** Starts a server with a provider whose answers can be forged. */
async function withForger() {
  const { issuer, forge } = await startForgingProvider();
  const app = await startApp({ signUp: "open", providers: [{ name: "corp", issuer, ...CLIENT }] });
  return { app, issuer, forge, browser: visitor(app.url) };
}

/** Presses a page's button for the provider, and returns where the browser is sent. */
async function leave(browser: Visitor, page: Page, fields: Record<string, string> = {}): Promise<URL> {
  const left = await browser.send(page, "/sign-in/with/corp", fields);
  const url = /http-equiv="refresh" content="0;url=([^"]+)"/i.exec(left.html)?.[1];
  if (left.status !== 200 || url === undefined) throw new Error(`${left.status}: ${left.text}`);
  return new URL(url.replaceAll("&amp;", "&"));
}

/** Follows the provider's redirects, and returns the address that it sends the browser back to. */
async function through(url: URL, back: string): Promise<string> {
  const jar = new Map<string, string>();
  let at = url.href;
  for (let step = 0; step < 10 && !at.startsWith(back); step++) {
    const cookie = [...jar].map((pair) => pair.join("=")).join("; ");
    const response = await fetch(at, { redirect: "manual", headers: { cookie } });
    for (const line of response.headers.getSetCookie()) {
      const [name = "", value = ""] = (line.split(";")[0] ?? "").split("=");
      jar.set(name, value);
    }
    const location = response.headers.get("location");
    if (location === null) throw new Error(`${at} answered ${response.status}: ${await response.text()}`);
    at = new URL(location, at).href;
  }
  return at;
}

async function signInWith(browser: Visitor, back: string, page?: Page): Promise<Page> {
  const url = await leave(browser, page ?? (await browser.get("/sign-in?next=/usage")));
  return browser.get(await through(url, back));
}

describe("signing in with a provider", () => {
  it("creates an account at first, and finds the same person by subject later", async () => {
    const { app, somebody, browser } = await withProvider();
    somebody.current = ADA;
    expect(await signInWith(browser, app.url)).toMatchObject({ status: 303, location: "/usage" });
    expect((await browser.get("/")).text).toContain("ada@example.com");
    const other = visitor(app.url);
    // A person is identified by subject alone.
    somebody.current = { ...ADA, email: "lovelace@example.com" };
    await signInWith(other, app.url);
    expect((await other.get("/")).text).toContain("ada@example.com");
  });

  it("is refused with a message if the person declined at the provider", async () => {
    const { app, browser } = await withProvider();
    const refused = await signInWith(browser, app.url);
    expect([refused.status, refused.text]).toEqual([
      403,
      expect.stringContaining("You did not sign in with Corp."),
    ]);
    expect((await browser.get("/security")).location).toBe("/sign-in?next=%2Fsecurity");
  });

  it("creates no account for an uninvited person if the sign-up rule forbids it", async () => {
    for (const [rule, current] of [
      ["invite", ADA],
      ["domain:corp.example", ADA],
      ["domain:example.com", { ...ADA, email_verified: false }],
    ] as const) {
      const { app, somebody, browser } = await withProvider(rule);
      somebody.current = current;
      const refused = await signInWith(browser, app.url);
      expect([refused.status, refused.text]).toEqual([
        403,
        expect.stringContaining("nobody has invited you"),
      ]);
    }
  });

  it.each(["invite", "domain:corp.example", "open"])(
    "accepts an invitation even with another e-mail address if the sign-up rule is %s",
    async (rule) => {
      const { app, somebody, browser } = await withProvider(rule);
      const owner = await ownerOf(app.url);
      const invited = await owner.send(await owner.get("/people"), "/people", {
        do: "invite",
        email: "somebody@elsewhere.example",
        role: "member",
      });
      const link = /value="([^"]*\/sign-in\?link=[^"]*)"/.exec(invited.html)?.[1] ?? "";
      somebody.current = ADA;
      const done = await signInWith(browser, app.url, await browser.get(link));
      expect(done.status).toBe(303);
      expect((await owner.get("/people")).text).toContain("ada@example.com member");
      expect((await visitor(app.url).get(link)).status).toBe(404);
    },
  );

  it("does not take over a user by e-mail address, but can be connected by that user", async () => {
    const { app, somebody, browser } = await withProvider();
    somebody.current = { sub: "eve", email: "owner@example.com", email_verified: true };
    const refused = await signInWith(browser, app.url);
    expect([refused.status, refused.text]).toEqual([
      409,
      expect.stringContaining("connect Corp under Security"),
    ]);
    // An unverified address is ignored, and does not reveal whose it is.
    somebody.current = {
      sub: "mallory",
      email: "owner@example.com",
      email_verified: false,
      name: "o@example.com",
    };
    await signInWith(browser, app.url);
    const { text } = await browser.get("/security");
    expect(text).not.toContain("owner@example.com");
    const owner = await ownerOf(app.url);
    somebody.current = { sub: "owner", email: "owner@example.com", email_verified: true };
    await signInWith(owner, app.url, await owner.get("/security"));
    const again = visitor(app.url);
    expect((await signInWith(again, app.url)).status).toBe(303);
    expect((await again.get("/security")).text).toContain("owner@example.com");
  });

  it("is offered for 15 minutes after signing in, and then with a button to sign in again", async () => {
    const clock = fakeClock();
    const { app } = await withProvider("open", clock);
    const owner = await ownerOf(app.url);
    const fresh = (await owner.get("/security")).text;
    expect(fresh).toContain("Connect Corp");
    expect(fresh).not.toContain("Sign in again");
    clock.advance(15 * MINUTE_MS + 1);
    const later = await owner.get("/security");
    expect(later.text).toContain("Sign in again");
    expect(later.text).not.toContain("Connect Corp");
    expect(later.text).toContain("Change the password");
    // The page's head has such a form, too, which leads elsewhere.
    const [form = ""] =
      /<form[^>]*action="\/sign-out"(?:(?!<\/form>).)*Sign in again/s.exec(later.html) ?? [];
    const [, next = ""] = /name="next" value="([^"]+)"/.exec(form) ?? [];
    expect((await owner.send(later, "/sign-out", { next })).location).toBe("/sign-in?next=%2Fsecurity");
  });

  it("can be connected and disconnected, except as the last way in or if it belongs to another user", async () => {
    const { app, somebody, browser } = await withProvider();
    somebody.current = ADA;
    await signInWith(browser, app.url);
    const last = await browser.send(await browser.get("/security"), "/security");
    expect([last.status, last.text]).toEqual([409, expect.stringContaining("last way in")]);
    const fields = { password: PASSWORD, repeated: PASSWORD };
    expect((await browser.send(await browser.get("/password"), "/password", fields)).status).toBe(200);
    expect((await browser.send(await browser.get("/security"), "/security")).status).toBe(303);
    expect((await browser.get("/security")).text).toContain("None is connected.");
    const refused = await signInWith(visitor(app.url), app.url);
    expect(refused.status).toBe(409);
    // An identity of one person cannot be connected to another.
    await signInWith(browser, app.url, await browser.get("/security"));
    const owner = await ownerOf(app.url);
    const taken = await signInWith(owner, app.url, await owner.get("/security"));
    expect([taken.status, taken.text]).toEqual([409, expect.stringContaining("somebody else here")]);
  });
});

describe("an answer of a provider", () => {
  it("works once, and only in the browser that asked", async () => {
    const { app, somebody, browser } = await withProvider();
    somebody.current = ADA;
    const back = await through(await leave(browser, await browser.get("/sign-in")), app.url);
    const victim = visitor(app.url);
    await victim.get("/sign-in");
    const planted = await victim.get(back);
    expect([planted.status, planted.text]).toEqual([409, expect.stringContaining("another browser")]);
    expect((await browser.get(back)).status).toBe(303);
    expect((await browser.get(back)).status).toBe(409);
  });

  it("with another state is refused, and next never leads to another site", async () => {
    const { browser } = await withForger();
    const url = await leave(browser, await browser.get("/sign-in?next=https://evil.example/"));
    const code = url.searchParams.get("nonce") ?? "";
    const answer = (state: string) => `/sign-in/with/corp?${new URLSearchParams({ code, state })}`;
    expect((await browser.get(answer(`${url.searchParams.get("state")}x`))).status).toBe(409);
    const done = await browser.get(answer(url.searchParams.get("state") ?? ""));
    expect([done.status, done.location]).toEqual([303, "/"]);
  });

  const forgeries: [string, Forgery][] = [
    ["for another client", { claims: { aud: "somebody-else" } }],
    ["for another client, too", { claims: { aud: ["toolplane", "somebody-else"], azp: "somebody-else" } }],
    ["of another issuer", { claims: { iss: "https://elsewhere.example" } }],
    ["with another nonce", { claims: { nonce: "another" } }],
    ["without a nonce", { claims: { nonce: undefined } }],
    ["without a subject", { claims: { sub: undefined } }],
    ["that has expired", { claims: { exp: 1_000_000_000 } }],
    ["signed by somebody else", { wrongKey: true }],
    ["that is rubbish", { answer: { status: 200, body: "<html>rubbish" } }],
    ["that is an error", { answer: { status: 500, body: "{}" } }],
    ["without end", { answer: { status: 200, body: " ".repeat(2_000_000) } }],
  ];
  it.each(forgeries)("%s signs no one in", async (_what, forgery) => {
    const { browser, forge } = await withForger();
    const url = await leave(browser, await browser.get("/sign-in"));
    Object.assign(forge, forgery);
    const code = url.searchParams.get("nonce") ?? "";
    const state = url.searchParams.get("state") ?? "";
    const refused = await browser.get(`/sign-in/with/corp?${new URLSearchParams({ code, state })}`);
    expect([refused.status, refused.text]).toEqual([502, expect.stringContaining("Sign in another way")]);
    expect((await browser.get("/security")).location).toBe("/sign-in?next=%2Fsecurity");
  });

  it("that does not come leads to an error page, and the next attempt works", async () => {
    const { browser, forge } = await withForger();
    forge.answer = { status: 503, body: "{}" };
    const page = await browser.get("/sign-in");
    const away = await browser.send(page, "/sign-in/with/corp");
    expect([away.status, away.text]).toEqual([502, expect.stringContaining("Corp did not answer")]);
    delete forge.answer;
    expect((await leave(browser, page)).pathname).toBe("/authorize");
  });
});

/** Returns a browser that is signed in as the owner. */
async function ownerOf(url: string): Promise<Visitor> {
  const browser = visitor(url);
  const who = { email: "owner@example.com", password: PASSWORD };
  const done = await browser.send(await browser.get("/sign-in"), "/sign-in", who);
  if (done.status !== 303) throw new Error(done.text);
  return browser;
}
