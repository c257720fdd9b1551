import * as z from "zod";
import type { SignIn } from "../../accounts/sign-in/sign-in.ts";
import { allows } from "../../contract/caller.ts";
import { UserId } from "../../contract/endpoint.ts";
import { checked } from "../../contract/faults.ts";
import { Problem } from "../../contract/problem.ts";
import type { BrowserCookie } from "../browser-cookie.ts";
import { seeOther } from "../page.ts";
import type { ServePage } from "../serve-page.ts";
import type { Visits } from "../visits.ts";
import { END_PATH, START_PATH } from "./banner.tsx";

const Whom = z.object({ accountId: UserId, userId: UserId });

/** The page to which an operator returns after impersonating a user of an account. */
const accountPath = (id: string) => `/server/accounts?${new URLSearchParams({ id })}`;

/** Adds the forms by which an operator starts and ends impersonation. Each gives the browser a new secret. */
export function impersonationRoutes(parts: {
  signIn: Pick<SignIn, "impersonate" | "endImpersonation">;
  cookie: BrowserCookie;
  serve: ServePage;
  visits: Visits;
}): void {
  const { signIn, cookie, serve, visits } = parts;

  const start = visits.signedIn(async ({ signedIn }, request) => {
    if (!allows(signedIn.scopes, "operator")) throw new Problem("not_found", "There is no such page.");
    const { form } = request;
    const whom = checked(Whom, { accountId: form.get("account"), userId: form.get("user") });
    const started = await signIn.impersonate(signedIn, whom, visits.visitor(request));
    cookie.write(request, started);
    return seeOther("/");
  });

  const end = visits.signedIn(async ({ signedIn }, request) => {
    // The impersonation has already expired.
    if (!signedIn.operator) return seeOther("/");
    const started = await signIn.endImpersonation(signedIn, visits.visitor(request));
    cookie.write(request, started);
    return seeOther(accountPath(signedIn.account.id));
  });

  serve(START_PATH, { post: start });
  serve(END_PATH, { post: end }, "POST");
}
