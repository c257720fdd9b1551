import type { Request } from "express";
import type { Passkeys } from "../../accounts/sign-in/passkeys/passkeys.ts";
import type { ProviderSignIn } from "../../accounts/sign-in/provider-sign-in.ts";
import type { WaysOffered } from "../../accounts/sign-in/ways.ts";
import { Problem } from "../../contract/problem.ts";
import type { Clock } from "../../system/clock.ts";
import type { BrowserCookie } from "../browser-cookie.ts";
import { linesFile, sendFile } from "../console/frame/files.ts";
import { sendPage } from "../layout.tsx";
import { allowScript } from "../page-headers.ts";
import { answerIn, nameIn } from "../passkeys/routes.ts";
import { seeOther } from "../see-other.ts";
import type { ServePage } from "../serve-page.ts";
import type { SignedInVisit, Visits } from "../visit.ts";
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
  const actions: Record<
    string,
    (visit: SignedInVisit, form: URLSearchParams, request: Request) => Promise<void>
  > = {
    disconnect({ signedIn }, form, request) {
      const identity = { issuer: form.get("issuer") ?? "", subject: form.get("subject") ?? "" };
      return providerSignIn.disconnect(signedIn, identity, visits.visitor(request));
    },
    addPasskey({ signedIn }, form, request) {
      const passkey = { answer: answerIn(form), name: nameIn(form) };
      return passkeys.add(signedIn, passkey, cookie.read(request) ?? "", visits.visitor(request));
    },
    removePasskey: ({ signedIn }, form, request) =>
      passkeys.remove(signedIn, form.get("passkey") ?? "", visits.visitor(request)),
  };

  serve(SECURITY, {
    get: visits.signedIn((visit, _request, response) => {
      if (offered.passkeys) allowScript(response);
      sendPage(response, 200, SecurityPage({ visit, offered, providers, now: clock.now() }));
    }),
    post: visits.signedIn(
      async (visit, request, response) => {
        const form: URLSearchParams = request.body;
        const action = Object.hasOwn(actions, form.get("do") ?? "")
          ? actions[form.get("do") ?? ""]
          : undefined;
        if (!action) throw new Problem("invalid_request", "This form is out of date. Reload the page.");
        await action(visit, form, request);
        seeOther(response, SECURITY);
      },
      () => SECURITY,
    ),
  });

  serve(OWN_DATA, {
    get: visits.signedIn((visit, _request, response) =>
      sendFile(response, linesFile(visit.signedIn.person.id, ownData(visit))),
    ),
  });
}
