import { type Request, Router } from "express";
import type { ReactNode } from "react";
import type { LinkMail } from "../accounts/sign-in/link-mail.ts";
import type { Passkeys } from "../accounts/sign-in/passkeys.ts";
import type { ProviderSignIn } from "../accounts/sign-in/provider-sign-in.ts";
import type { SignIn } from "../accounts/sign-in/sign-in.ts";
import type { WaysOffered } from "../accounts/sign-in/ways.ts";
import type { Connectable } from "../mcp/connecting.ts";
import type { Authorizations } from "../oauth/authorization/authorizations.ts";
import type { DeviceAuthorizations } from "../oauth/device/device-authorization.ts";
import type { Clock } from "../system/clock.ts";
import type { Log } from "../system/log.ts";
import { assetsRouter } from "./assets.ts";
import type { BrowserCookie } from "./browser-cookie.ts";
import { connectRoutes } from "./connect/routes.ts";
import { consentRoutes } from "./consent/routes.ts";
import type { Freshness } from "./console/frame/freshness.ts";
import type { Projects } from "./console/frame/projects.tsx";
import type { Section, View } from "./console/frame/section.ts";
import { consoleRoutes } from "./console/routes.ts";
import { deviceRoutes } from "./device/routes.ts";
import { readForm } from "./forms.ts";
import { onlyThemselves } from "./impersonation/only-themselves.ts";
import { impersonationRoutes } from "./impersonation/routes.ts";
import { pageHeaders } from "./page-headers.ts";
import { passkeyRoutes } from "./passkeys/routes.ts";
import { type ReferenceParts, referenceRoutes } from "./reference/routes.ts";
import { securityRoutes } from "./security/routes.ts";
import { createServePage, showProblem } from "./serve-page.ts";
import { providerRoutes } from "./sign-in/provider-routes.ts";
import { createReplaceSession } from "./sign-in/replace-session.ts";
import { type SignInUse, signInRoutes } from "./sign-in/routes.ts";
import { createVisits } from "./visit.ts";

export interface PagesParts {
  signIn: Pick<SignIn, "lookUp" | "impersonate" | "endImpersonation" | SignInUse>;
  /** Where a mail server is configured. */
  linkMail: Pick<LinkMail, "request"> | undefined;
  /** Whether somebody whom nobody has invited may come. */
  signUp: boolean;
  /** Whether they need to prove no address for that. */
  signUpByPasskey: boolean;
  passkeys: Passkeys;
  providerSignIn: ProviderSignIn;
  /** Which ways in there are beside the password. */
  offered: WaysOffered;
  devices: Pick<DeviceAuthorizations, "describe" | "decide">;
  authorizations: Pick<Authorizations, "begin" | "describe" | "decide">;
  /** The MCP server behind this one of a name. */
  connectable: (name: string) => Connectable | undefined;
  reference: ReferenceParts;
  /** Of the console's pages. */
  freshness: Freshness;
  /** The cards of the console, in their order. */
  sections: readonly Section[];
  /** What there is to do first, where nothing was done yet. */
  firstSteps: (view: View) => Promise<ReactNode>;
  /** Those that the console lets choose from. */
  projects: Projects;
  /** Shared with whoever counts a signed-in browser's requests on its account. */
  cookie: BrowserCookie;
  /** Of this server, known once it listens; and where people open the verification page. */
  baseUrl: () => string;
  verificationUrl: () => string;
  /** What an address is counted by. */
  subjectOf: (address: string) => string;
  /** The client's, behind trusted proxies. */
  addressOf: (request: Request) => string;
  clock: Pick<Clock, "now">;
  log: Pick<Log, "error">;
}

/**
 * Every page that people see, and its assets. What it does not know it passes on; so are errors that
 * are no `Problem`. Request ids, limits and their headers are the server's.
 */
export function pagesRouter(parts: PagesParts): Router {
  const { cookie, signIn, addressOf, baseUrl, verificationUrl, clock } = parts;
  const router = Router();
  const headers = pageHeaders(() => baseUrl().startsWith("https:"));
  const form = readForm(cookie, () => [baseUrl(), verificationUrl()]);
  const visits = createVisits({ signIn, cookie, addressOf, clock });
  const pages = {
    ...parts,
    ways: {
      mail: parts.linkMail !== undefined,
      signUp: parts.signUp,
      providers: parts.providerSignIn.providers,
      passkeys: parts.offered.passkeys,
      signUpByPasskey: parts.offered.passkeys && parts.signUpByPasskey,
    },
    replaceSession: createReplaceSession(parts),
    serve: createServePage(router, { headers, readForm: form, onlyThemselves: onlyThemselves(visits) }),
    visits,
  };
  router.use(assetsRouter());
  deviceRoutes(pages);
  consentRoutes(pages);
  connectRoutes(pages);
  signInRoutes(pages);
  providerRoutes(pages);
  passkeyRoutes(pages);
  securityRoutes(pages);
  impersonationRoutes(pages);
  referenceRoutes(pages);
  consoleRoutes(pages);
  router.use(showProblem);
  return router;
}
