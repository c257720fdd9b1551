import { OAuthError, Problem } from "../../contract/problem.ts";
import type { Authorizations, ConsentingUser } from "../../oauth/authorization/authorizations.ts";
import { TOKEN_FIELD } from "../forms.ts";
import { type PageAnswer, type PageHandler, type PageRequest, page, seeOther } from "../page.ts";
import { pagePolicy } from "../page-headers.ts";
import type { ServePage } from "../serve-page.ts";
import type { SignedInVisit } from "../visit.ts";
import type { Visits } from "../visits.ts";
import { CONSENT_PATH, ConsentPage, RefusedRequestPage, SignInAgainPage, waitingPath } from "./pages.tsx";

/**
 * Adds the authorization endpoint (RFC 6749 §3.1). A valid request waits under its own `request_uri`, as a pushed one
 * does (RFC 9126), so a detour by signing in carries only that. GET decides nothing.
 */
export function consentRoutes(parts: {
  authorizations: Pick<Authorizations, "begin" | "describe" | "decide">;
  /** Returns what an address is counted by. */
  subjectOf: (address: string) => string;
  /** Returns what people call a plan. */
  nameOfPlan: (plan: string) => string;
  serve: ServePage;
  visits: Visits;
}): void {
  const { authorizations, subjectOf, nameOfPlan, serve, visits } = parts;

  const ask = visits.signedIn(async (visit, request) => {
    const { client_id: clientId = "", request_uri: requestUri = "" } = parametersOf(request);
    const found = await authorizations.describe(requestUri, clientId, userOf(visit, request));
    // Browsers apply form-action to the redirect that answers a form, too.
    const policy = { "Content-Security-Policy": pagePolicy(formTargets(found.redirectUri)) };
    const planName = nameOfPlan(visit.signedIn.account.plan);
    const Asking = found.signInAgain ? SignInAgainPage : ConsentPage;
    return page(200, Asking({ visit, planName, request: found, requestUri }), policy);
  });

  /** Lets a request wait, and redirects to where the person is asked. */
  async function begin(parameters: Record<string, string>, { address }: PageRequest): Promise<PageAnswer> {
    const { client_id: clientId = "", request_uri: pushed } = parameters;
    if (pushed !== undefined) return seeOther(waitingPath(clientId, pushed));
    const begun = await authorizations.begin(parameters, subjectOf(address));
    if ("requestUri" in begun) return seeOther(waitingPath(clientId, begun.requestUri));
    if (begun.mayRedirectWithoutConsent) return seeOther(begun.redirect);
    return page(400, RefusedRequestPage({ reason: begun.reason, back: begun }));
  }

  serve(CONSENT_PATH, {
    get: refusing((request) => {
      const parameters = parametersOf(request);
      return "request_uri" in parameters ? ask(request) : begin(parameters, request);
    }),
    isIdempotent: true,
    // OpenID Connect Core §3.1.2.1: requests also come by POST, from applications' own sites.
    async foreign(request) {
      const { form } = request;
      const isDecision = form.has(TOKEN_FIELD) || form.has("decision");
      if (isDecision || !form.has("client_id")) return undefined;
      return refusing(() => begin(withoutEmpty(form), request))(request);
    },
    post: visits.signedIn(async (visit, request) => {
      const { form } = request;
      const { client_id: clientId = "", request_uri: requestUri = "", decision } = Object.fromEntries(form);
      if (decision !== "approve" && decision !== "deny") {
        throw new Problem("invalid_request", "The form holds no decision. Choose Allow or Deny.");
      }
      const decide = refusing(async () => {
        const user = userOf(visit, request);
        const { redirect } = await authorizations.decide(requestUri, clientId, decision, user);
        return seeOther(redirect);
      });
      return decide(request);
    }, pathOfForm),
  });

  function userOf({ signedIn, by }: SignedInVisit, request: PageRequest): ConsentingUser {
    const { scopes, session } = signedIn;
    const { userAgent } = visits.visitor(request);
    return {
      ...by,
      scopes,
      signedInAt: session.createdAt,
      userAgent: userAgent.slice(0, 256),
    };
  }
}

/** Shows OAuth errors to the person only: neither the client nor the redirect URI is verified. */
function refusing(handle: PageHandler): PageHandler {
  return async (request) => {
    try {
      return await handle(request);
    } catch (error) {
      return refusal(error);
    }
  };
}

function refusal(error: unknown): PageAnswer {
  if (error instanceof OAuthError) {
    // A 401 needs an HTTP authentication scheme, for which browsers would prompt.
    const status = error.status === 401 ? 400 : error.status;
    const { "WWW-Authenticate": _challenge, ...headers } = error.extras.headers ?? {};
    return page(status, RefusedRequestPage({ reason: error.description }), headers);
  }
  if (!(error instanceof Problem && error.error === "not_found")) throw error;
  return page(404, RefusedRequestPage({ reason: error.detail }));
}

function parametersOf({ query }: PageRequest): Record<string, string> {
  const seen = new Set<string>();
  for (const name of query.keys()) {
    if (seen.has(name)) {
      throw new OAuthError("invalid_request", `The parameter ${name.slice(0, 64)} was sent twice.`);
    }
    seen.add(name);
  }
  return withoutEmpty(query);
}

/** A parameter without a value counts as omitted (RFC 6749 §3.1). */
function withoutEmpty(given: URLSearchParams): Record<string, string> {
  return Object.fromEntries([...given].filter(([, value]) => value !== ""));
}

/** Returns the path of the page that a form came from, to return to after signing in. */
function pathOfForm({ form }: PageRequest): string {
  return waitingPath(form.get("client_id") ?? "", form.get("request_uri") ?? "");
}

/** Returns the form targets as schemes, since the redirect target may redirect the browser further. */
function formTargets(redirectUri: string): string {
  return [...new Set([new URL(redirectUri).protocol, "https:"])].join(" ");
}
