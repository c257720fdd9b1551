import { Email } from "../../accounts/contract.ts";
import type { LinkMail } from "../../accounts/sign-in/link-mail.ts";
import type { SignIn } from "../../accounts/sign-in/sign-in.ts";
import { Problem } from "../../contract/problem.ts";
import type { BrowserCookie } from "../browser-cookie.ts";
import { StaleForm } from "../forms.ts";
import { localPath } from "../local-path.ts";
import { type PageAnswer, page, seeOther } from "../page.ts";
import { ALLOW_SCRIPT } from "../page-headers.ts";
import type { ServePage, Unread } from "../serve-page.ts";
import type { SignedInVisit } from "../visit.ts";
import { signInPath, type Visits } from "../visits.ts";
import { AccountsPage } from "./accounts-page.tsx";
import { AskForLinkPage, LinkSentPage } from "./link-pages.tsx";
import {
  DeadLinkPage,
  LinkPage,
  type PasswordFault,
  PasswordPage,
  PasswordSetPage,
  SignInPage,
  SignOutPage,
  type Ways,
} from "./pages.tsx";
import type { ReplaceSession } from "./replace-session.ts";

export type SignInUse =
  | "withPassword"
  | "peekLink"
  | "consumeLink"
  | "switchAccount"
  | "accountsOf"
  | "end"
  | "mustRepeatPassword"
  | "setPassword";

/** Adds the routes for signing in by password or one-time link, setting a password, and signing out. */
export function signInRoutes(parts: {
  signIn: Pick<SignIn, SignInUse>;
  /** Set if a mail server is configured. */
  linkMail: Pick<LinkMail, "request"> | undefined;
  ways: Ways;
  serve: ServePage;
  visits: Visits;
  cookie: BrowserCookie;
  replaceSession: ReplaceSession;
}): void {
  const { signIn, linkMail, ways, serve, visits, cookie, replaceSession } = parts;

  const showSignIn = visits.anyone(async (visit, { query }) => {
    const next = localPath(query.get("next"));
    const link = query.get("link");
    if (link !== null) {
      const found = await signIn.peekLink(link, visit.signedIn);
      if (!found) return page(404, DeadLinkPage());
      return page(200, LinkPage({ visit, ways, next, link, ...found }));
    }
    return visit.signedIn ? seeOther(next) : signInAnswer(200, { visit, ways, next });
  });

  const enter = visits.anyone(async (visit, request) => {
    const { form } = request;
    const next = localPath(form.get("next"));
    const visitor = visits.visitor(request);
    const link = form.get("link");
    if (link !== null) {
      const started = await signIn.consumeLink(link, visitor, visit.signedIn);
      if (!started) return page(404, DeadLinkPage());
      await replaceSession(request, started);
      const { passwordHash, email } = visit.signedIn?.person ?? {};
      const settled = ways.mail || passwordHash !== undefined || (visit.signedIn && email === undefined);
      return seeOther(settled ? next : `/password?${new URLSearchParams({ next })}`);
    }
    const email = form.get("email") ?? "";
    const started = await signIn.withPassword({ email, password: form.get("password") ?? "" }, visitor);
    if (!started) {
      // RFC 9110 §15.5.4: the credentials are insufficient. A 401 would need an HTTP authentication scheme.
      return signInAnswer(403, { visit, ways, next, email, fault: "E-mail or password is wrong." });
    }
    await replaceSession(request, started);
    return seeOther(next);
  });

  /** Asks again, in this browser's new form, where somebody has signed in and out beside it. */
  const enterAgain: Unread = (error, request) => {
    if (!(error instanceof StaleForm && error.isOurs) || error.form.has("link")) return undefined;
    const next = localPath(error.form.get("next"));
    const email = error.form.get("email") ?? "";
    const fault = "This page was out of date, so nothing was done. Type your password again.";
    const again = visits.anyone((visit) =>
      visit.signedIn ? seeOther(next) : signInAnswer(error.status, { visit, ways, next, email, fault }),
    );
    return again(request);
  };

  const askForLink = visits.anyone((visit, { query }) =>
    page(200, AskForLinkPage({ visit, next: localPath(query.get("next")) })),
  );

  const mailLink = visits.anyone(async (visit, request) => {
    const { form } = request;
    const next = localPath(form.get("next"));
    const email = Email.safeParse(form.get("email") ?? "");
    if (!email.success) {
      const fault = "Type the e-mail address that the link is to go to.";
      return page(400, AskForLinkPage({ visit, next, email: form.get("email") ?? "", fault }));
    }
    await linkMail?.request({ email: email.data, next }, visits.visitor(request));
    return page(200, LinkSentPage({ email: email.data, signUp: ways.signUp }));
  });

  const showLeave = visits.signedIn((visit) => page(200, SignOutPage({ visit })));

  const leave = visits.anyone(async (_visit, request) => {
    await signIn.end(cookie.read(request.raw) ?? "", visits.visitor(request));
    cookie.clear(request);
    const next = request.form.get("next");
    return seeOther(next === null ? "/" : signInPath(localPath(next)));
  });

  const asked = ({ signedIn }: SignedInVisit) => ({ repeats: signIn.mustRepeatPassword(signedIn) });

  const showPassword = visits.signedIn((visit, { query }) =>
    page(200, PasswordPage({ visit, next: localPath(query.get("next")), ...asked(visit) })),
  );

  const setPassword = visits.signedIn(async (visit, request) => {
    const { form } = request;
    const next = localPath(form.get("next"));
    const password = form.get("password") ?? "";
    const refuse = (status: number, field: PasswordFault["field"], said: string) =>
      page(status, PasswordPage({ visit, next, ...asked(visit), fault: { field, said } }));
    if (password !== form.get("repeated"))
      return refuse(400, "repeated", "The two new passwords differ. Type both again.");
    try {
      const passwords = { password, currentPassword: form.get("current") ?? "" };
      await signIn.setPassword(visit.signedIn, passwords, visits.visitor(request));
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      const [wrong] = error.extras.errors ?? [];
      if (wrong) return refuse(error.status, "password", `The new password ${wrong.message}.`);
      if (error.error !== "forbidden") throw error;
      return refuse(error.status, "current", error.detail);
    }
    return page(200, PasswordSetPage({ next }));
  });

  const showAccounts = visits.signedIn(async (visit, { query }) => {
    const list = await signIn.accountsOf(visit.signedIn.person);
    return page(200, AccountsPage({ visit, list, next: localPath(query.get("next")) }));
  });

  const switchAccount = visits.signedIn(async (visit, request) => {
    const { form } = request;
    const started = await signIn.switchAccount(
      visit.signedIn,
      form.get("account") ?? "",
      visits.visitor(request),
    );
    await replaceSession(request, started);
    return seeOther(localPath(form.get("next")));
  });

  serve("/accounts", { get: showAccounts, post: switchAccount });
  serve("/sign-in", { get: showSignIn, post: enter, unread: enterAgain });
  if (linkMail) serve("/sign-in/link", { get: askForLink, post: mailLink });
  serve("/password", { get: showPassword, post: setPassword });
  serve("/sign-out", { get: showLeave, post: leave });
}

export function signInAnswer(status: number, props: Parameters<typeof SignInPage>[0]): PageAnswer {
  return page(status, SignInPage(props), props.ways.passkeys ? ALLOW_SCRIPT : {});
}
