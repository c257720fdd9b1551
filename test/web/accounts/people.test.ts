import { describe, expect, it } from "vitest";
import { ownerCaller, signedInMember, signedInOwner, startPages } from "../support/pages.ts";
import { hiddenFields, type Visitor, visitor } from "../support/visitor.ts";

describe("the page of an account's people", () => {
  it("invites a user by a link that is shown once", async () => {
    const pages = await startPages();
    const browser = await signedInOwner(pages);
    const asked = { do: "invite", email: "ada@example.com", role: "admin" };
    const shown = await browser.send(await browser.get("/people"), "/people", asked);
    const link = /value="([^"]*\/sign-in\?link=[^"]*)"/.exec(shown.html)?.[1] ?? "";
    expect(shown.text).toContain("ada@example.com is invited as admin");
    expect((await browser.get("/people")).html).not.toContain(link);
    const ada = visitor(pages.url);
    const page = await ada.get(link);
    expect(page.text).toContain("Join default");
    await ada.send(page, "/sign-in");
    expect((await ada.get("/people")).text).toContain("ada@example.com");
  });

  it("tells a member who opens an invitation that is for somebody else, which stays usable", async () => {
    const pages = await startPages();
    const invite = { email: "ada@example.com", role: "member" as const };
    const { signInLink = "" } = await pages.users.invite(ownerCaller(pages), invite);
    const member = await signedInMember(pages, "bob@example.com");
    const shown = await member.get(signInLink);
    expect(shown.text).toContain("You are in default already");
    expect(shown.text).toContain("signed in as bob@example.com, and this invitation is for ada@example.com");
    const ada = visitor(pages.url);
    await ada.send(await ada.get(signInLink), "/sign-in");
    expect((await ada.get("/")).text).toContain("ada@example.com");
  });

  it("changes roles, suspends and removes users, and a suspended user is signed out at once", async () => {
    const pages = await startPages();
    const browser = await signedInOwner(pages);
    const bob = await signedInMember(pages, "bob@example.com");
    const { items } = await pages.users.list(pages.account.id, { limit: 10, query: "bob" });
    const user = items[0]?.id ?? "";
    const does = async (form: Record<string, string>) =>
      browser.send(await browser.get("/people"), "/people", { user, ...form });
    await does({ do: "role", role: "viewer" });
    expect((await pages.users.get(pages.account.id, user)).role).toBe("viewer");
    await does({ do: "suspend" });
    expect((await bob.get("/usage")).location).toContain("/sign-in");
    expect((await browser.get("/people?status=suspended")).text).toContain("bob@example.com");
    await does({ do: "resume" });
    await does({ do: "remove" });
    expect((await browser.get("/people?query=bob")).text).toContain("Nobody.");
  });

  it("reports each change, and offers to undo role changes and suspensions", async () => {
    const pages = await startPages();
    const browser = await signedInOwner(pages);
    await signedInMember(pages, "bob@example.com");
    const { items } = await pages.users.list(pages.account.id, { limit: 10, query: "bob" });
    const user = items[0]?.id ?? "";
    const does = async (form: Record<string, string>) => {
      const { location } = await browser.send(await browser.get("/people"), "/people", { user, ...form });
      return browser.get(location ?? "");
    };
    const now = async () => pages.users.get(pages.account.id, user);
    const changed = await does({ do: "role", role: "viewer" });
    expect(changed.text).toContain("bob@example.com is viewer now, and was member. Undo");
    await browser.send(changed, "/people");
    expect(await now()).toMatchObject({ role: "member" });
    const out = await does({ do: "suspend" });
    expect(out.text).toContain("bob@example.com is suspended");
    await browser.send(out, "/people");
    expect(await now()).not.toHaveProperty("suspendedAt");
    const removed = await does({ do: "remove" });
    expect(removed.text).toContain("bob@example.com is no longer in this account.");
    expect(removed.text).not.toContain("Undo");
  });

  it("offers no role above the viewer's own", async () => {
    const pages = await startPages();
    const offered = async (browser: Visitor) =>
      [...(await browser.get("/people")).html.matchAll(/<option[^>]*>(\w+)<\/option>/g)].map(
        ([, role]) => role,
      );
    expect(await offered(await signedInOwner(pages))).toContain("owner");
    const admin = await signedInMember(pages, "ada@example.com", "admin");
    expect(await offered(admin)).not.toContain("owner");
    expect(await offered(admin)).toContain("admin");
  });

  it("says above the list that somebody was removed in another tab meanwhile", async () => {
    const pages = await startPages();
    const browser = await signedInOwner(pages);
    await signedInMember(pages, "bob@example.com");
    const { items } = await pages.users.list(pages.account.id, { limit: 10, query: "bob" });
    const user = items[0]?.id ?? "";
    const tabs = [await browser.get(`/people?user=${user}`), await browser.get(`/people?user=${user}`)];
    await browser.send(tabs[0]!, "/people", { do: "remove", user });
    pages.clock.advance(2000);
    const late = await browser.send(tabs[1]!, "/people", { do: "remove", user });
    expect(late.status).toBe(404);
    expect(late.text).toContain(`There is no user ${user} in this account.`);
    expect(late.text).toContain("Invite somebody");
  });

  it("sorts, finds, pages and exports users", async () => {
    const pages = await startPages();
    const browser = await signedInOwner(pages);
    const names = Array.from(
      { length: 60 },
      (_, index) => `p${String(index * 7).padStart(3, "0")}@example.com`,
    );
    for (const [index, email] of names.entries()) {
      const role = index % 2 === 0 ? "viewer" : "admin";
      await pages.users.invite(ownerCaller(pages), { email, role });
    }
    const shown = (html: string) => [...html.matchAll(/>(p\d+)@example.com<\/a>/g)].map(([, name]) => name);
    const wanted = names.map((email) => email.slice(0, 4)).reverse();
    const first = await browser.get("/people?sort=-email&status=invited");
    expect(shown(first.html)).toEqual(wanted.slice(0, 50));
    const more = /href="([^"]*after=[^"]*)"/.exec(first.html)?.[1]?.replaceAll("&amp;", "&") ?? "";
    expect(shown((await browser.get(more)).html)).toEqual(wanted.slice(50));
    const admins = await browser.get("/people/export?sort=-role&status=invited");
    const rows = admins.html.trim().split("\r\n");
    expect(rows[0]).toBe("user,email,role,state,createdAt,suspendedAt,invitationEndsAt");
    expect(rows.slice(1).map((row) => row.split(",")[2])).toEqual([
      ...Array.from({ length: 30 }, () => "admin"),
      ...Array.from({ length: 30 }, () => "viewer"),
    ]);
    const lines = await browser.get("/people/export?query=P007&format=jsonl");
    expect(JSON.parse(lines.html)).toMatchObject({
      email: "p007@example.com",
      role: "admin",
      state: "invited",
    });
    expect((await browser.get("/people?after=nonsense")).status).toBe(400);
  });

  it("shows one user, without buttons for oneself", async () => {
    const pages = await startPages();
    const browser = await signedInOwner(pages);
    await signedInMember(pages, "bob@example.com");
    const list = await browser.get("/people");
    const [bob = "", own = ""] = ["bob@example.com", "owner@localhost"].map(
      (email) => new RegExp(`href="(/people\\?user=[^"]*)">${email}<`).exec(list.html)?.[1],
    );
    expect((await browser.get(bob)).text).toMatch(
      /Change role bob@example.com .* Make a sign-in link .* Remove/,
    );
    expect((await browser.get(own)).text).not.toMatch(/Change role|Remove|Suspend/);
    expect((await browser.get("/people?user=usr_of_nobody")).status).toBe(404);
  });

  it("is for admins only", async () => {
    const pages = await startPages();
    const bob = await signedInMember(pages, "bob@example.com");
    const page = await bob.get("/people");
    expect(page.text).toContain("An admin or owner of the account manages who is in it.");
    expect(page.text).not.toContain("owner@localhost");
    const asked = { do: "invite", email: "eve@example.com", role: "member" };
    expect((await forged(bob, "/people", asked)).status).toBe(403);
    expect((await bob.get("/people/export")).status).toBe(404);
  });

  it("refuses unknown actions and roles", async () => {
    const browser = await signedInOwner(await startPages());
    const send = async (form: Record<string, string>) =>
      browser.send(await browser.get("/people"), "/people", form);
    expect((await send({ do: "crown" })).status).toBe(400);
    expect((await send({ do: "invite", email: "ada@example.com", role: "king" })).status).toBe(400);
  });
});

describe("the page of an account", () => {
  it("lets a user leave, who is signed out at once", async () => {
    const pages = await startPages();
    const bob = await signedInMember(pages, "bob@example.com");
    const page = await bob.get("/account");
    expect(page.text).not.toContain("Close this account");
    await bob.send(page, "/account", { do: "leave" });
    expect((await bob.get("/usage")).location).toContain("/sign-in");
    expect((await pages.users.list(pages.account.id, { limit: 10 })).items).toHaveLength(1);
  });

  it("says what became of it, closed, kept or handed over", async () => {
    const pages = await startPages();
    const { account, signInLink } = await pages.otherAccount("ada@example.com");
    const ada = visitor(pages.url);
    await ada.send(await ada.get(signInLink ?? ""), "/sign-in");
    const done = async (fields: Record<string, string>) =>
      (await ada.get((await forged(ada, "/account", fields)).location ?? "")).text;
    expect(await done({ do: "close", name: account.name })).toContain("This account is closed: its keys");
    expect(await done({ do: "keep" })).toContain("This account is kept: its keys");
    const invited = await forged(ada, "/people", { do: "invite", email: "bob@example.com", role: "member" });
    const link = /value="([^"]*\/sign-in\?link=[^"]*)"/.exec(invited.html)?.[1] ?? "";
    const bob = visitor(pages.url);
    await bob.send(await bob.get(link), "/sign-in");
    const { items } = await pages.users.list(account.id, { limit: 2, query: "bob" });
    expect(await done({ do: "transfer", user: items[0]?.id ?? "" })).toContain(
      "bob@example.com owns this account now",
    );
  });

  it("exports all data for an owner, and for no one else", async () => {
    const pages = await startPages();
    const browser = await signedInOwner(pages);
    const file = await browser.get("/account/export");
    expect(file.headers.get("content-disposition")).toMatch(/^attachment; filename="acc_\w+\.jsonl"$/);
    expect(file.html).toContain('"collection":"accounts"');
    const bob = await signedInMember(pages, "bob@example.com");
    expect((await bob.get("/account/export")).status).toBe(403);
  });

  it("gives everybody what is kept of themselves, and of nobody else", async () => {
    const pages = await startPages();
    const bob = await signedInMember(pages, "bob@example.com");
    expect((await bob.get("/security")).html).toContain('href="/security/export"');
    const file = await bob.get("/security/export");
    expect(file.headers.get("content-disposition")).toMatch(/^attachment; filename="per_\w+\.jsonl"$/);
    expect(file.html).toContain('"collection":"browser_sessions"');
    expect(file.html).toContain("bob@example.com");
    expect(file.html).not.toContain("owner@");
    expect((await visitor(pages.url).get("/security/export")).location).toContain("/sign-in");
  });
});

describe("switching accounts", () => {
  it("switches to another account of the same person, and refuses accounts of others", async () => {
    const pages = await startPages();
    const { account, signInLink } = await pages.otherAccount("owner@localhost");
    const browser = await signedInOwner(pages);
    await browser.send(await browser.get(signInLink ?? ""), "/sign-in");
    expect((await browser.get("/")).text).toContain("Account Elsewhere");
    const list = await browser.get("/accounts?next=/account");
    expect(list.text).toContain("Switch to default");
    const gone = await browser.send(list, "/accounts", { account: pages.account.id });
    expect(gone.location).toBe("/account");
    expect((await browser.get("/")).text).toContain("Account default");
    const bob = await signedInMember(pages, "bob@example.com");
    expect((await forged(bob, "/accounts", { account: account.id })).status).toBe(404);
  });
});

/** Posts fields that no form of the page would send, with a valid form token. */
async function forged(browser: Visitor, path: string, fields: Record<string, string>) {
  const held = hiddenFields((await browser.get("/account")).html, "/account");
  return browser.post(path, new URLSearchParams({ ...held, ...fields }).toString());
}
