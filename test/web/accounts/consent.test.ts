import { describe, expect, it } from "vitest";
import { CALLBACK, requestOf, VERIFIER } from "../../oauth/redirect.ts";
import { OWNER, type Pages, signedInMember, signedInOwner, startPages } from "../support/pages.ts";
import { hiddenFields, type Visitor, visitor } from "../support/visitor.ts";

const CLIENT = { address: "203.0.113.9", requestId: "req_client" };

const authorize = (changed: Record<string, string> = {}) =>
  `/auth/authorize?${new URLSearchParams(requestOf(changed))}`;

/** Opens the consent page of a signed-in user. */
async function consentPage(browser: Visitor, changed: Record<string, string> = {}) {
  const { status, location } = await browser.get(authorize(changed));
  expect(status).toBe(303);
  expect(location).toMatch(/^\/auth\/authorize\?client_id=[^&]+&request_uri=urn[^&]+$/);
  return browser.get(location ?? "");
}

const redeem = ({ token }: Pages, code: string) =>
  token({ grant_type: "authorization_code", code, code_verifier: VERIFIER, client_id: "acme-ide" });

describe("the consent page", () => {
  it("sends strangers to sign in and back to the same request, even a long one", async () => {
    const pages = await startPages({ password: OWNER.password });
    const browser = visitor(pages.url);
    const waiting = (await browser.get(authorize({ state: "s".repeat(2000) }))).location ?? "";
    const { location } = await browser.get(waiting);
    expect(location).toBe(`/sign-in?${new URLSearchParams({ next: waiting })}`);
    const signIn = await browser.get(location ?? "");
    expect(signIn.text).toContain("Afterwards you decide whether the application may sign in.");
    const done = await browser.send(signIn, "/sign-in", OWNER);
    expect(done.location).toBe(waiting);
    const allowed = await browser.send(await browser.get(waiting), "/auth/authorize", {
      decision: "approve",
    });
    expect(new URL(allowed.location ?? "").searchParams.get("state")).toBe("s".repeat(2000));
  });

  it.each(["as it is", "pushed before"])("takes a request that another site posts, %s", async (how) => {
    const pages = await startPages();
    const browser = await signedInOwner(pages);
    const asked = requestOf({ state: "posted" });
    const waiting = async () => (await browser.get(authorize(asked))).location?.split("?")[1] ?? "";
    const body = how === "as it is" ? new URLSearchParams(asked).toString() : await waiting();
    const elsewhere = { origin: "https://acme.example", "sec-fetch-site": "cross-site" };
    // Browsers send no cookie with `SameSite=Lax` then.
    const posted = await visitor(pages.url).post("/auth/authorize", body, elsewhere);
    expect(posted.status).toBe(303);
    const page = await browser.get(posted.location ?? "");
    expect(page.text).toContain("Acme IDE asks to sign in");
    const allowed = await browser.send(page, "/auth/authorize", { decision: "approve" });
    expect(new URL(allowed.location ?? "").searchParams.get("state")).toBe("posted");
    const wrong = await visitor(pages.url).post("/auth/authorize", "client_id=nobody", elsewhere);
    expect([wrong.status, wrong.text]).toEqual([400, expect.stringContaining("not known here")]);
    const forged = await browser.post("/auth/authorize", `${body}&decision=approve`, elsewhere);
    expect(forged.status).toBe(403);
  });

  it("shows the client, scopes, resource, plan, user and redirect target", async () => {
    const pages = await startPages();
    const page = await consentPage(await signedInOwner(pages), {
      scope: "openid email read",
      resource: `${pages.url}/mcp`,
    });
    expect(page.text).toContain("Acme IDE asks to sign in Registered application acme-ide");
    expect(page.text).toMatch(/openid Know that it is you.* email See your e-mail address read See plan/);
    expect(page.text).toContain("For The tools Then to acme.example");
    expect(page.text).toContain("Plan The whole team; its use counts on account default");
    expect(page.text).toContain("Signed in as owner@localhost, account default Switch");
  });

  it("says nothing of plan and use to somebody whom an application only asks who they are", async () => {
    const page = await consentPage(await signedInOwner(await startPages()), { scope: "openid email" });
    expect(page.text).toContain("email See your e-mail address Then to acme.example");
    expect(page.text).not.toMatch(/For All of this service|its use counts/);
    expect(page.text).toContain("Signed in as owner@localhost, account default Switch");
  });

  it("takes a parameter without a value as omitted (RFC 6749 §3.1)", async () => {
    const pages = await startPages();
    const page = await consentPage(await signedInOwner(pages), { request_uri: "", max_age: "" });
    expect([page.status, page.text]).toEqual([200, expect.stringContaining("Acme IDE asks to sign in")]);
  });

  it("shows the domain of a client before its self-given name, which is escaped", async () => {
    const id = "https://app.example/client.json";
    const name = "Your <b>bank</b>";
    const document = { client_id: id, client_name: name, redirect_uris: ["http://127.0.0.1/callback"] };
    const pages = await startPages({
      fetch: async () => ({ text: JSON.stringify(document), cacheControl: undefined }),
    });
    const browser = await signedInOwner(pages);
    const page = await consentPage(browser, {
      client_id: id,
      redirect_uri: "http://127.0.0.1:4000/callback",
    });
    expect(page.html).toContain("<h1>app.example asks to sign in</h1>");
    expect(page.html).not.toContain("<b>");
    expect(page.text).toContain(`calls itself “${name}”`);
    expect(page.text).toContain("A program on this computer (127.0.0.1:4000)");
    expect(page.text).toContain("Allow it only if you have just started that program yourself.");
  });

  it("marks a self-registered client as not verified", async () => {
    const pages = await startPages();
    const { client_id = "" } =
      (await pages.registrations?.register(
        { client_name: "Bank", redirect_uris: ["editor://callback"] },
        CLIENT,
      )) ?? {};
    const page = await consentPage(await signedInOwner(pages), {
      client_id,
      redirect_uri: "editor://callback",
    });
    expect(page.text).toContain("An application asks to sign in Not verified. It calls itself “Bank”");
    expect(page.text).toContain("The application that opens editor: links");
    expect(page.headers.get("content-security-policy")).toContain("form-action 'self' editor: https:;");
  });

  it("leads to a device entry with the name and id of the application", async () => {
    const pages = await startPages();
    const { client_id = "" } =
      (await pages.registrations?.register(
        {
          client_name: "Editor",
          redirect_uris: ["editor://callback"],
        },
        CLIENT,
      )) ?? {};
    const browser = await signedInOwner(pages);
    const page = await consentPage(browser, { client_id, redirect_uri: "editor://callback" });
    const done = await browser.send(page, "/auth/authorize", { decision: "approve" });
    const code = new URL(done.location ?? "").searchParams.get("code") ?? "";
    await pages.token({ grant_type: "authorization_code", code, code_verifier: VERIFIER, client_id });
    expect((await browser.get("/devices")).text).toContain(`Editor (${client_id})`);
  });

  it("gives the client a code that it can redeem on approval, once", async () => {
    const pages = await startPages();
    const browser = await signedInOwner(pages);
    const page = await consentPage(browser);
    const done = await browser.send(page, "/auth/authorize", { decision: "approve" });
    expect([done.status, done.headers.get("cache-control"), done.headers.get("referrer-policy")]).toEqual([
      303,
      "no-store",
      "no-referrer",
    ]);
    const answer = new URL(done.location ?? "");
    expect([answer.origin + answer.pathname, answer.searchParams.get("iss")]).toEqual([CALLBACK, pages.url]);
    expect((await redeem(pages, answer.searchParams.get("code") ?? "")).scope).toBe("read write");
    pages.clock.advance(2000);
    const again = await browser.send(page, "/auth/authorize", { decision: "approve" });
    expect([again.status, again.text]).toEqual([404, expect.stringContaining("was decided already")]);
  });

  it("sends a browser on that sends an approval twice, as by a double click", async () => {
    const pages = await startPages();
    const browser = await signedInOwner(pages);
    const page = await consentPage(browser);
    const allow = () => browser.send(page, "/auth/authorize", { decision: "approve" });
    const first = await allow();
    const second = await allow();
    expect([second.status, second.location]).toEqual([303, first.location]);
    const code = new URL(second.location ?? "").searchParams.get("code") ?? "";
    expect((await redeem(pages, code)).scope).toBe("read write");
  });

  it("denies, and does not decide without a decision", async () => {
    const pages = await startPages();
    const browser = await signedInOwner(pages);
    const page = await consentPage(browser);
    expect((await browser.send(page, "/auth/authorize")).status).toBe(400);
    const done = await browser.send(page, "/auth/authorize", { decision: "deny" });
    expect(new URL(done.location ?? "").searchParams.get("error")).toBe("access_denied");
  });

  it("decides nothing on GET, even with a decision in the query", async () => {
    const pages = await startPages();
    const browser = await signedInOwner(pages);
    const { location } = await browser.get(authorize({ decision: "approve" }));
    const page = await browser.get(`${location}&decision=approve`);
    expect([page.status, page.text]).toEqual([200, expect.stringContaining("asks to sign in")]);
  });

  it("refuses decisions of another site or another browser (CSRF)", async () => {
    const pages = await startPages({ password: OWNER.password });
    const browser = await signedInOwner(pages);
    const page = await consentPage(browser);
    const attacker = await signedInMember(pages, "m@example.com");
    const theirs = hiddenFields((await consentPage(attacker)).html, "/auth/authorize");
    const decision = "approve";
    const { form_token } = theirs;
    for (const [fields, headers] of [
      [{ decision, form_token }, {}],
      [{ decision, form_token: "" }, {}],
      [{ decision }, { "Sec-Fetch-Site": "cross-site" }],
      [{ decision }, { Origin: "https://evil.example" }],
    ] as [Record<string, string>, Record<string, string>][]) {
      const refused = await browser.send(page, "/auth/authorize", fields, headers);
      expect([refused.status, refused.location]).toEqual([403, null]);
    }
    expect((await browser.send(page, "/auth/authorize", { decision })).status).toBe(303);
  });

  it("issues the code for the user who decides, not for a previous one (session fixation)", async () => {
    const pages = await startPages({ password: OWNER.password });
    const attacker = await signedInOwner(pages);
    const { location } = await attacker.get(authorize());
    const victim = visitor(pages.url);
    const planted = { cookie: attacker.cookie() };
    await attacker.send(await attacker.get("/"), "/sign-out");
    expect((await victim.get(location ?? "", planted)).status).toBe(303);
    const member = await signedInMember(pages, "m@example.com");
    const page = await member.get(location ?? "");
    expect(page.text).toContain("Signed in as m@example.com");
    const done = await member.send(page, "/auth/authorize", { decision: "approve" });
    const { access_token } = await redeem(pages, new URL(done.location ?? "").searchParams.get("code") ?? "");
    expect(access_token).toMatch(/^tat_/);
    const [family] = await pages.signedInDevices.list(pages.account.id);
    expect(family?.userId).not.toBe(pages.owner.id);
  });

  it("does not redirect an invalid request to an unregistered address", async () => {
    const pages = await startPages();
    const browser = await signedInOwner(pages);
    for (const path of [
      authorize({ redirect_uri: "https://evil.example/" }),
      authorize({ client_id: "nobody" }),
      `${authorize()}&redirect_uri=https%3A%2F%2Fevil.example`,
      "/auth/authorize",
      "/auth/authorize?request_uri=urn:ietf:params:oauth:request_uri:x&client_id=acme-ide",
      "/auth/authorize?request_uri=https://evil.example/request&client_id=acme-ide",
    ]) {
      const page = await browser.get(path);
      expect([page.status >= 400 && page.status < 500, page.location], path).toEqual([true, null]);
      expect(page.text).toContain("This sign-in cannot go on");
      expect(page.headers.get("www-authenticate")).toBe(null);
    }
  });

  it("does not redirect errors to the website of a self-registered client (RFC 9700 §4.11.2)", async () => {
    const pages = await startPages();
    const redirect_uris = ["https://evil.example/landing", "http://127.0.0.1/callback"];
    const { client_id = "" } = (await pages.registrations?.register({ redirect_uris }, CLIENT)) ?? {};
    const browser = visitor(pages.url);
    const wrong = (changed: object) =>
      browser.get(authorize({ response_type: "token", client_id, ...changed }));
    const page = await wrong({ redirect_uri: redirect_uris[0] });
    expect([page.status, page.location]).toEqual([400, null]);
    expect(page.text).toContain(
      "response_type must be code. You can close this page: it has allowed nothing.",
    );
    expect(page.html).toMatch(
      /href="https:\/\/evil\.example\/landing\?error=unsupported_response_type&amp;[^"]*iss=[^"]+"/,
    );
    expect(page.html).not.toMatch(/http-equiv|<script/);
    const loopback = await wrong({ redirect_uri: "http://127.0.0.1:4000/callback" });
    expect([loopback.status, loopback.location]).toEqual([303, expect.stringContaining("127.0.0.1:4000")]);
    const known = await browser.get(authorize({ response_type: "token" }));
    expect([known.status, known.location]).toEqual([303, expect.stringContaining(CALLBACK)]);
  });

  it.each<Record<string, string>>([{ prompt: "login" }, { max_age: "60" }])(
    "asks the user to sign in again with %j",
    async (changed) => {
      const pages = await startPages({ password: OWNER.password });
      const browser = await signedInOwner(pages);
      const before = await consentPage(browser);
      pages.clock.advance(61_000);
      const page = await consentPage(browser, changed);
      expect(page.text).toContain("It wants you to sign in again first");
      const waiting = hiddenFields(page.html, "/sign-out").next ?? "";
      const asked = Object.fromEntries(new URL(waiting, pages.url).searchParams);
      const forced = await browser.send(before, "/auth/authorize", { ...asked, decision: "approve" });
      expect([forced.status, forced.location]).toEqual([403, null]);
      const { location } = await browser.send(page, "/sign-out");
      const done = await browser.send(await browser.get(location ?? ""), "/sign-in", OWNER);
      expect(done.location).toBe(waiting);
      const again = await browser.get(waiting);
      const allowed = await browser.send(again, "/auth/authorize", { decision: "approve" });
      expect(new URL(allowed.location ?? "").searchParams.has("code")).toBe(true);
    },
  );

  it("marks scopes that the user cannot grant", async () => {
    const pages = await startPages();
    const browser = await signedInMember(pages, "m@example.com");
    const page = await consentPage(browser, { scope: "read operator" });
    expect(page.text).toMatch(/operator Manage [^.]*\. Not included: you do not have this scope yourself\./);
    const done = await browser.send(page, "/auth/authorize", { decision: "approve" });
    const code = new URL(done.location ?? "").searchParams.get("code") ?? "";
    expect((await redeem(pages, code)).scope).toBe("read");
  });
});
