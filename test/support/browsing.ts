import { type Visitor, visitor } from "../web/support/visitor.ts";
import type { TestApp } from "./app.ts";

/** A browser in which somebody is signed in on a whole server: the owner unless said. */
export async function browserOn(
  app: TestApp,
  who: { accountId?: string; userId?: string } = {},
): Promise<Visitor> {
  const browser = visitor(app.url);
  const link = new URL(await linkOn(app, who));
  await browser.send(await browser.get(link.pathname + link.search), "/sign-in");
  return browser;
}

/** A link that signs somebody in. */
export async function linkOn(
  app: TestApp,
  { accountId, userId }: { accountId?: string; userId?: string } = {},
): Promise<string> {
  const account = accountId ?? (await app.request("GET", "/api/v1/account")).body.account.id;
  const made = await app.request("POST", `/api/v1/accounts/${account}/sign-in-link`, {
    body: userId === undefined ? {} : { userId },
  });
  if (made.status !== 201) throw new Error(made.text);
  return made.body.signInLink;
}

/** Somebody new in the owner's account, with a browser that they are signed in with. */
export async function memberOn(app: TestApp, email: string, role = "member") {
  const invited = await app.request("POST", "/api/v1/users", { body: { email, role } });
  if (invited.status !== 201) throw new Error(invited.text);
  const browser = visitor(app.url);
  const link = new URL(invited.body.signInLink);
  await browser.send(await browser.get(link.pathname + link.search), "/sign-in");
  return { userId: invited.body.user.id as string, browser };
}
