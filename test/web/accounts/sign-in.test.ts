import { describe, expect, it } from "vitest";
import { OWNER, signedInMember, signedInOwner, startPages } from "../support/pages.ts";
import { signedInVisitor, visitor } from "../support/visitor.ts";

/** Returns the fields that a page says are wrong; the first must have the focus. */
function fieldsAtFault(html: string): string[] {
  const fields = [...html.matchAll(/<input [^>]*aria-invalid="true"[^>]*>/g)].map(([field]) => field);
  for (const field of fields) expect(field).toContain('aria-describedby="fault"');
  expect(fields[0]).toContain('autofocus=""');
  return fields.map((field) => / name="(\w+)"/.exec(field)?.[1] ?? "");
}

const WRONG = { email: OWNER.email, password: "a wrong one" };

describe("signing in with a password", () => {
  it("leads to the console, signed in", async () => {
    const { url } = await startPages({ password: OWNER.password });
    const browser = visitor(url);
    const done = await browser.send(await browser.get("/sign-in"), "/sign-in", OWNER);
    expect(done).toMatchObject({ status: 303, location: "/" });
    expect((await browser.get("/")).text).toContain("owner@localhost");
  });

  it("is asked for again where somebody has signed in and out beside the page", async () => {
    const { url } = await startPages({ password: OWNER.password });
    const browser = visitor(url);
    const page = await browser.get("/sign-in?next=%2Fkeys");
    await browser.send(await browser.get("/sign-in"), "/sign-in", OWNER);
    const ours = { "sec-fetch-site": "same-origin" };
    const late = await browser.send(page, "/sign-in", { ...OWNER, email: "late@localhost" }, ours);
    expect(late).toMatchObject({ status: 303, location: "/keys" });
    await browser.send(await browser.get("/"), "/sign-out");
    const again = await browser.send(page, "/sign-in", OWNER, ours);
    expect([again.status, again.text]).toEqual([403, expect.stringContaining("Type your password again.")]);
    expect(again.html).toContain(`value="${OWNER.email}"`);
    expect(again.html).not.toContain(OWNER.password);
    expect((await browser.get("/keys")).status).toBe(303);
    expect((await browser.send(again, "/sign-in", OWNER, ours)).location).toBe("/keys");
  });

  it("leads to the page that was asked for", async () => {
    const { url } = await startPages({ password: OWNER.password });
    const browser = visitor(url);
    const page = await browser.get("/sign-in?next=%2Fusage%3Fdays%3D30");
    expect((await browser.send(page, "/sign-in", OWNER)).location).toBe("/usage?days=30");
    expect((await browser.get("/sign-in?next=%2Fkeys")).location).toBe("/keys");
  });

  it.each(["//evil.example", "/\\evil.example", "%2F%2Fevil.example", "https://evil.example"])(
    "never leads to another server: next=%s",
    async (next) => {
      const { url } = await startPages({ password: OWNER.password });
      const browser = visitor(url);
      const page = await browser.get(`/sign-in?next=${next}`);
      expect((await browser.send(page, "/sign-in", OWNER)).location).toBe("/");
      expect((await browser.send(page, "/sign-in", { ...OWNER, next })).status).toBe(403);
      expect((await browser.get(`/sign-in?next=${next}`)).location).toBe("/");
      const again = visitor(url);
      const forged = await again.send(await again.get("/sign-in"), "/sign-in", { ...OWNER, next });
      expect(forged).toMatchObject({ status: 303, location: "/" });
    },
  );

  it("gives the same answer for a wrong password and an unknown user, without the password", async () => {
    const { url } = await startPages({ password: OWNER.password });
    const browser = visitor(url);
    const page = await browser.get("/sign-in?next=%2Fkeys");
    const wrong = await browser.send(page, "/sign-in", WRONG);
    const unknown = await browser.send(page, "/sign-in", { ...WRONG, email: "nobody@localhost" });
    for (const answer of [wrong, unknown]) {
      expect(answer.status).toBe(403);
      expect(answer.text).toContain("E-mail or password is wrong.");
      expect(answer.html).not.toContain(WRONG.password);
      expect(fieldsAtFault(answer.html)).toEqual(["email", "password"]);
    }
    expect(wrong.html).toContain(`value="${OWNER.email}"`);
    expect(wrong.html.replaceAll(OWNER.email, "")).toBe(unknown.html.replaceAll("nobody@localhost", ""));
    expect((await browser.send(wrong, "/sign-in", OWNER)).location).toBe("/keys");
  });

  it("refuses even the right password for an hour after ten wrong ones", async () => {
    const { url, clock } = await startPages({ password: OWNER.password });
    const browser = visitor(url);
    const page = await browser.get("/sign-in");
    for (let count = 0; count < 10; count++) {
      expect((await browser.send(page, "/sign-in", WRONG)).status).toBe(403);
    }
    const refused = await browser.send(page, "/sign-in", OWNER);
    expect(refused.status).toBe(429);
    expect(refused.headers.get("content-type")).toContain("text/html");
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(refused.text).toMatch(/Try again in \d+ min/);
    clock.advance(3_600_000);
    expect((await browser.send(page, "/sign-in", OWNER)).status).toBe(303);
  });

  it("begins a new session each time, so that a cookie planted before is worthless", async () => {
    const { url } = await startPages({ password: OWNER.password });
    const browser = visitor(url);
    const page = await browser.get("/sign-in");
    const before = browser.cookie();
    await browser.send(page, "/sign-in", OWNER);
    expect(browser.cookie()).not.toBe(before);
    expect((await visitor(url).get("/", { cookie: before })).text).toContain("In a terminal");
  });
});

describe("the session cookie", () => {
  it("is HttpOnly, SameSite=Lax and named by port", async () => {
    const { url } = await startPages({ password: OWNER.password });
    const [cookie] = (await visitor(url).get("/sign-in")).headers.getSetCookie();
    const port = new URL(url).port;
    expect(cookie).toMatch(new RegExp(`^toolplane_${port}=[\\w-]{43}; Path=/; HttpOnly; SameSite=Lax$`));
  });

  it.each([
    ["https://tool.example", "__Host-toolplane"],
    ["https://tool.example:8443", "__Host-toolplane_8443"],
  ])("is Secure and has the __Host- prefix over https, as of %s", async (baseUrl, name) => {
    const { url } = await startPages({ baseUrl });
    const page = await visitor(url).get("/sign-in");
    const [cookie, ...others] = page.headers.getSetCookie();
    expect(cookie).toMatch(new RegExp(`^${name}=[\\w-]{43}; Path=/; HttpOnly; SameSite=Lax; Secure$`));
    expect(others).toEqual([]);
    expect(page.headers.get("strict-transport-security")).toBe("max-age=31536000");
  });
});

describe("a one-time link", () => {
  it("is used up only by its button, and leads to setting a password", async () => {
    const { url, signInLink = "" } = await startPages();
    const browser = visitor(url);
    await visitor(url).get(signInLink);
    await browser.get(signInLink);
    const page = await browser.get(signInLink);
    expect(page.text).toContain("Sign in as owner@localhost");
    const used = await browser.send(page, "/sign-in");
    expect(used).toMatchObject({ status: 303, location: "/password?next=%2F" });
    expect((await browser.get("/")).text).toContain("owner@localhost");

    const late = visitor(url);
    expect(await late.get(signInLink)).toMatchObject({ status: 404 });
    const replayed = await late.send(await late.get("/sign-in"), "/sign-in", {
      link: new URL(signInLink).searchParams.get("link") ?? "",
    });
    expect(replayed.status).toBe(404);
    expect(replayed.text).toContain("This link works no more");
    expect((await late.get("/")).text).not.toContain("owner@localhost");
  });

  it("expires", async () => {
    const { url, clock, signInLink = "" } = await startPages();
    const browser = visitor(url);
    const page = await browser.get(signInLink);
    clock.advance(15 * 60_000);
    expect((await browser.send(page, "/sign-in")).status).toBe(404);
  });

  it("signs in as its user even if another was signed in before", async () => {
    const pages = await startPages({ password: OWNER.password });
    await signedInMember(pages, "new@example.com");
    const { items } = await pages.users.list(pages.account.id, { limit: 2 });
    const link = await pages.linkOf(items[1]?.id ?? "");
    const browser = await signedInVisitor(pages.url, OWNER);
    const ownersCookie = browser.cookie();
    await browser.send(await browser.get(link), "/sign-in");
    expect((await browser.get("/")).text).toContain("new@example.com");
    expect((await visitor(pages.url).get("/", { cookie: ownersCookie })).text).not.toContain(
      "owner@localhost",
    );
  });
});

describe("a password", () => {
  const NEW = { password: "staple battery", repeated: "staple battery" };

  it("is set after a link without the current one", async () => {
    const { url, signInLink = "" } = await startPages();
    const browser = visitor(url);
    await browser.send(await browser.get(signInLink), "/sign-in");
    const done = await browser.send(await browser.get("/password?next=%2Fkeys"), "/password", NEW);
    expect(done.text).toContain("Password set.");
    expect(done.html).toContain('href="/keys"');
    await signedInVisitor(url, { email: OWNER.email, password: NEW.password });
  });

  it("is changed only with the current one, which ends the sessions of other browsers", async () => {
    const { url } = await startPages({ password: OWNER.password });
    const [browser, other] = [await signedInVisitor(url, OWNER), await signedInVisitor(url, OWNER)];
    const page = await browser.get("/password");
    const refused = await browser.send(page, "/password", { ...NEW, current: "a guess" });
    expect(refused.status).toBe(403);
    expect(refused.text).toContain("The current password is wrong.");
    expect(fieldsAtFault(refused.html)).toEqual(["current"]);
    const done = await browser.send(page, "/password", { ...NEW, current: OWNER.password });
    expect(done.status).toBe(200);
    expect((await browser.get("/password")).status).toBe(200);
    expect((await other.get("/password")).location).toBe("/sign-in?next=%2Fpassword");
  });

  it("must be typed twice alike and be long enough", async () => {
    const { url } = await startPages({ password: OWNER.password });
    const browser = await signedInVisitor(url, OWNER);
    const page = await browser.get("/password");
    const differing = await browser.send(page, "/password", { ...NEW, repeated: "staple batteri" });
    expect([differing.status, differing.text]).toEqual([400, expect.stringContaining("differ")]);
    expect(fieldsAtFault(differing.html)).toEqual(["repeated"]);
    const short = await browser.send(page, "/password", { password: "short", repeated: "short" });
    const message = "The new password must have 8 to 256 characters.";
    expect([short.status, short.text]).toEqual([400, expect.stringContaining(message)]);
    expect(fieldsAtFault(short.html)).toEqual(["password"]);
  });
});

describe("signing out", () => {
  it("ends the session, not only the cookie", async () => {
    const { url } = await startPages({ password: OWNER.password });
    const browser = await signedInVisitor(url, OWNER);
    const cookie = browser.cookie();
    const page = await browser.get("/");
    expect(await browser.send(page, "/sign-out")).toMatchObject({ status: 303, location: "/" });
    expect(browser.cookie()).toBe("");
    expect((await visitor(url).get("/", { cookie })).text).toContain("In a terminal");
  });

  it("asks for confirmation on GET", async () => {
    const browser = await signedInOwner(await startPages());
    const page = await browser.get("/sign-out");
    expect(page.text).toContain("Sign out of this browser?");
    expect((await browser.get("/")).text).toContain("owner@localhost");
    expect(await browser.send(page, "/sign-out")).toMatchObject({ status: 303, location: "/" });
  });

  it("leads to signing in again when switching users", async () => {
    const { url } = await startPages({ password: OWNER.password });
    const browser = await signedInVisitor(url, OWNER);
    const left = await browser.send(await browser.get("/device"), "/sign-out");
    expect(left.location).toBe("/sign-in?next=%2Fdevice");
  });
});
