import { expect, it } from "vitest";
import { ownerCaller, signedInOwner, startPages } from "../support/pages.ts";
import { visitor } from "../support/visitor.ts";

it("a form that is sent twice at once has one effect, and both get its answer", async () => {
  const pages = await startPages();
  const browser = await signedInOwner(pages);
  const page = await browser.get("/keys");
  const make = () => browser.send(page, "/keys", { name: "ci", may: "write" });
  const [one, other] = await Promise.all([make(), make()]);
  expect(one.text).toContain("The key ci is made");
  expect(other.html).toBe(one.html);
  const third = await make();
  expect(third.html).toBe(one.html);
  expect(third.headers.get("content-security-policy")).toContain("script-src 'self'");
  expect((await pages.apiKeys.list(pages.account.id, { limit: 10 })).items).toHaveLength(1);
});

it("a form that is sent again later has its effect again", async () => {
  const pages = await startPages();
  const browser = await signedInOwner(pages);
  const page = await browser.get("/keys");
  const make = () => browser.send(page, "/keys", { name: "ci", may: "write" });
  await make();
  pages.clock.advance(2000);
  await make();
  expect((await pages.apiKeys.list(pages.account.id, { limit: 10 })).items).toHaveLength(2);
});

it("what is done, undone and done again at once is done", async () => {
  const pages = await startPages();
  const browser = await signedInOwner(pages);
  await browser.send(await browser.get("/keys"), "/keys", { name: "ci", may: "write" });
  const list = await browser.get("/keys");
  const { id } = (await pages.apiKeys.list(pages.account.id, { limit: 1 })).items[0]!;
  for (const action of ["suspend", "resume", "suspend"]) {
    await browser.send(list, "/keys", { do: action, key: id });
  }
  expect((await pages.apiKeys.get(pages.account.id, id)).suspendedAt).toBeDefined();
});

it("a link that is pressed twice signs in, even if the first answer has replaced the cookie", async () => {
  const pages = await startPages();
  const browser = visitor(pages.url);
  const link = await browser.get(await pages.ownerLink());
  const first = await browser.send(link, "/sign-in");
  const second = await browser.send(link, "/sign-in");
  expect([first.status, second.status]).toEqual([303, 303]);
  expect(second.headers.getSetCookie()).toEqual(first.headers.getSetCookie());
  expect((await browser.get("/keys")).status).toBe(200);
});

it("another browser's equal form gets no answer of this one", async () => {
  const pages = await startPages();
  const owner = await signedInOwner(pages);
  await owner.send(await owner.get("/keys"), "/keys", { name: "ci", may: "write" });
  const stranger = visitor(pages.url);
  const token = (await stranger.get("/sign-in")).html.match(/name="form_token" value="(.+?)"/)?.[1];
  const page = await stranger.post("/keys", `form_token=${token}&do=create&name=ci&may=write`);
  expect(page.text).not.toContain("is made");
});

it("a refused form is answered anew, once what was wrong is mended", async () => {
  const pages = await startPages();
  const browser = await signedInOwner(pages);
  const page = await browser.get("/people");
  const invite = () =>
    browser.send(page, "/people", { do: "invite", email: "ann@example.com", role: "member" });
  const { user } = await pages.users.invite(ownerCaller(pages), { email: "ann@example.com", role: "member" });
  expect((await invite()).status).toBe(409);
  await pages.users.remove(ownerCaller(pages), user.id);
  expect((await invite()).status).not.toBe(409);
});

it("strangers whose forms have no token get answers of their own", async () => {
  const pages = await startPages();
  const own = { "sec-fetch-site": "same-origin" };
  const send = () => visitor(pages.url).post("/keys", "do=create&name=ci", own);
  const cookies = (await Promise.all([send(), send()])).map(({ headers }) => headers.getSetCookie().join());
  expect(cookies[0]).not.toBe("");
  expect(cookies[0]).not.toBe(cookies[1]);
});
