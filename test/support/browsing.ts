import { type Visitor, visitor } from "../web/support/visitor.ts";
import type { TestApp } from "./app.ts";

/** Returns a browser that is signed in on a server, as the owner by default. */
export async function browserOn(
  app: TestApp,
  who: { accountId?: string; userId?: string } = {},
): Promise<Visitor> {
  const browser = visitor(app.url);
  const link = new URL(await linkOn(app, who));
  await browser.send(await browser.get(link.pathname + link.search), "/sign-in");
  return browser;
}

/** Creates a link that signs a user in, by default the owner. */
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

/** Invites a user to the owner's account, and returns a browser in which they are signed in. */
export async function memberOn(app: TestApp, email: string, role = "member") {
  const invited = await app.request("POST", "/api/v1/users", { body: { email, role } });
  if (invited.status !== 201) throw new Error(invited.text);
  const browser = visitor(app.url);
  const link = new URL(invited.body.signInLink);
  await browser.send(await browser.get(link.pathname + link.search), "/sign-in");
  return { userId: invited.body.user.id as string, browser };
}
