import type { Passkeys } from "../../accounts/sign-in/passkeys/passkeys.ts";
import type { ProviderSignIn } from "../../accounts/sign-in/provider-sign-in.ts";
import type { WaysOffered } from "../../accounts/sign-in/ways.ts";
import { Problem } from "../../contract/problem.ts";
import type { Clock } from "../../system/clock.ts";
import type { BrowserCookie } from "../browser-cookie.ts";
import { fileAnswer, linesFile } from "../console/frame/files.ts";
import { type PageRequest, page, seeOther } from "../page.ts";
import { ALLOW_SCRIPT } from "../page-headers.ts";
import { answerIn, nameIn } from "../passkeys/routes.ts";
import type { ServePage } from "../serve-page.ts";
import type { SignedInVisit } from "../visit.ts";
import type { Visits } from "../visits.ts";
import { OWN_DATA, SECURITY, SecurityPage } from "./pages.tsx";

/** Adds `/security`, where people manage how they sign in. */
export function securityRoutes(parts: {
  providerSignIn: Pick<ProviderSignIn, "providers" | "disconnect">;
  passkeys: Pick<Passkeys, "add" | "remove">;
  offered: WaysOffered;
  cookie: BrowserCookie;
  /** Returns what is kept of whoever visits, in all of their accounts, as JSON lines. */
  ownData: (visit: SignedInVisit) => AsyncIterable<string>;
  serve: ServePage;
  visits: Visits;
  clock: Pick<Clock, "now">;
}): void {
  const { providerSignIn, passkeys, offered, cookie, ownData, serve, visits, clock } = parts;
  const { providers } = providerSignIn;
  const actions: Record<string, (visit: SignedInVisit, request: PageRequest) => Promise<void>> = {
    disconnect({ signedIn }, request) {
      const { form } = request;
      const identity = { issuer: form.get("issuer") ?? "", subject: form.get("subject") ?? "" };
      return providerSignIn.disconnect(signedIn, identity, visits.visitor(request));
    },
    addPasskey({ signedIn }, request) {
      const passkey = { answer: answerIn(request.form), name: nameIn(request.form) };
      return passkeys.add(signedIn, passkey, cookie.read(request.raw) ?? "", visits.visitor(request));
    },
    removePasskey: ({ signedIn }, request) =>
      passkeys.remove(signedIn, request.form.get("passkey") ?? "", visits.visitor(request)),
  };

  serve(SECURITY, {
    get: visits.signedIn((visit) =>
      page(
        200,
        SecurityPage({ visit, offered, providers, now: clock.now() }),
        offered.passkeys ? ALLOW_SCRIPT : {},
      ),
    ),
    post: visits.signedIn(
      async (visit, request) => {
        const name = request.form.get("do") ?? "";
        const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
        if (!action) throw new Problem("invalid_request", "This form is out of date. Reload the page.");
        await action(visit, request);
        return seeOther(SECURITY);
      },
      () => SECURITY,
    ),
  });

  serve(OWN_DATA, {
    get: visits.signedIn((visit) => fileAnswer(linesFile(visit.signedIn.person.id, ownData(visit)))),
  });
}
