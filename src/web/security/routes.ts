import type { ProviderSignIn } from "../../accounts/sign-in/provider-sign-in.ts";
import type { WaysOffered } from "../../accounts/sign-in/ways.ts";
import { Problem } from "../../contract/problem.ts";
import type { Clock } from "../../system/clock.ts";
import { sendPage } from "../layout.tsx";
import type { ServePage } from "../serve-page.ts";
import type { Visits } from "../visit.ts";
import { SECURITY, SecurityPage } from "./pages.tsx";

/** `/security`: the ways in of who is signed in. */
export function securityRoutes(parts: {
  providerSignIn: Pick<ProviderSignIn, "providers" | "disconnect">;
  offered: WaysOffered;
  serve: ServePage;
  visits: Visits;
  clock: Pick<Clock, "now">;
}): void {
  const { providerSignIn, offered, serve, visits, clock } = parts;
  const { providers } = providerSignIn;
  serve(SECURITY, {
    get: visits.signedIn((visit, _request, response) =>
      sendPage(response, 200, SecurityPage({ visit, offered, providers, now: clock.now() })),
    ),
    post: visits.signedIn(
      async ({ signedIn }, request, response) => {
        const form: URLSearchParams = request.body;
        if (form.get("do") !== "disconnect") {
          throw new Problem("invalid_request", "This form is out of date. Reload the page.");
        }
        const identity = { issuer: form.get("issuer") ?? "", subject: form.get("subject") ?? "" };
        await providerSignIn.disconnect(signedIn, identity, visits.visitor(request));
        response.redirect(303, SECURITY);
      },
      () => SECURITY,
    ),
  });
}
