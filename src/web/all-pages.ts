import type { ReactNode } from "react";
import type { LinkMail } from "../accounts/sign-in/link-mail.ts";
import type { Passkeys } from "../accounts/sign-in/passkeys/passkeys.ts";
import type { ProviderSignIn } from "../accounts/sign-in/provider-sign-in.ts";
import type { SignIn } from "../accounts/sign-in/sign-in.ts";
import type { WaysOffered } from "../accounts/sign-in/ways.ts";
import type { Connectable } from "../mcp/connecting.ts";
import type { Authorizations } from "../oauth/authorization/authorizations.ts";
import type { DeviceAuthorizations } from "../oauth/device/device-authorization.ts";
import type { Clock } from "../system/clock.ts";
import type { Log } from "../system/log.ts";
import { assets } from "./assets.ts";
import type { BrowserCookie } from "./browser-cookie.ts";
import { connectRoutes } from "./connect/routes.ts";
import { consentRoutes } from "./consent/routes.ts";
import type { Freshness } from "./console/frame/freshness.ts";
import type { Projects } from "./console/frame/projects.tsx";
import type { Section, View } from "./console/frame/section.ts";
import { consoleRoutes } from "./console/routes.ts";
import { deviceRoutes } from "./device/routes.ts";
import { createFormReader, type ReadBody } from "./forms.ts";
import { onlyThemselves } from "./impersonation/only-themselves.ts";
import { impersonationRoutes } from "./impersonation/routes.ts";
import type { PageAnswer, PageRoute } from "./page.ts";
import { passkeyRoutes } from "./passkeys/routes.ts";
import { type ReferenceParts, referenceRoutes } from "./reference/routes.ts";
import { answerOnce } from "./resent/answer-once.ts";
import { securityRoutes } from "./security/routes.ts";
import { createServePage } from "./serve-page.ts";
import { providerRoutes } from "./sign-in/provider-routes.ts";
import { createReplaceSession } from "./sign-in/replace-session.ts";
import { type SignInUse, signInRoutes } from "./sign-in/routes.ts";
import type { SignedInVisit } from "./visit.ts";
import { createVisits } from "./visits.ts";

export interface PagesParts {
  signIn: Pick<SignIn, "lookUp" | "impersonate" | "endImpersonation" | SignInUse>;
  /** Set if a mail server is configured. */
  linkMail: Pick<LinkMail, "request"> | undefined;
  /** Whether anyone can sign up without an invitation. */
  signUp: boolean;
  /** Whether they can do so by a passkey, without a proven address. */
  signUpByPasskey: boolean;
  passkeys: Passkeys;
  /** Returns what is kept of whoever visits, in all of their accounts, as JSON lines. */
  ownData: (visit: SignedInVisit) => AsyncIterable<string>;
  providerSignIn: ProviderSignIn;
  /** The ways to sign in besides the password. */
  offered: WaysOffered;
  devices: Pick<DeviceAuthorizations, "describe" | "decide">;
  authorizations: Pick<Authorizations, "begin" | "describe" | "decide">;
  /** Returns the upstream of a name, if there is one. */
  connectable: (name: string) => Connectable | undefined;
  reference: ReferenceParts;
  /** Notifies the console's pages of changes. */
  freshness: Freshness;
  /** Returns what people call a plan. */
  nameOfPlan: View["nameOfPlan"];
  /** The console's sections, in order. */
  sections: readonly Section[];
  /** Shows the first steps until they are done. */
  firstSteps: (view: View) => Promise<ReactNode>;
  /** Returns the projects to choose from in the console. */
  projects: Projects;
  /** Shared with the kernel, which counts a signed-in browser's requests in its account. */
  cookie: BrowserCookie;
  readBody: ReadBody;
  /** Returns the headers of every page. */
  headers: () => PageAnswer["headers"];
  /** What people know the service by. */
  serviceName: string;
  /** The URLs of this server, known once it listens, and of the verification page. */
  baseUrl: () => string;
  verificationUrl: () => string;
  /** Returns what an address is counted by. */
  subjectOf: (address: string) => string;
  clock: Pick<Clock, "now" | "monotonic" | "every" | "sleep">;
  log: Pick<Log, "error">;
}

/** Returns all pages and their assets. The server adds request ids, limits and their headers. */
export function allPages(parts: PagesParts): PageRoute[] {
  const { cookie, headers, signIn, serviceName, baseUrl, verificationUrl, clock } = parts;
  const all = assets();
  const form = createFormReader({
    cookie,
    readBody: parts.readBody,
    addresses: () => [baseUrl(), verificationUrl()],
  });
  const visits = createVisits({ signIn, cookie });
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
    serve: createServePage(all, {
      headers,
      form,
      once: answerOnce(clock),
      onlyThemselves: onlyThemselves(visits),
      serviceName,
    }),
    visits,
  };
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
  return all;
}
