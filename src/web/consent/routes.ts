import type { Request, Response } from "express";
import { OAuthError, Problem } from "../../contract/problem.ts";
import type { Authorizations, ConsentingUser } from "../../oauth/authorization/authorizations.ts";
import { TOKEN_FIELD } from "../forms.ts";
import { sendPage } from "../layout.tsx";
import { pagePolicy } from "../page-headers.ts";
import { seeOther } from "../see-other.ts";
import type { ServePage } from "../serve-page.ts";
import type { SignedInVisit, Visits } from "../visit.ts";
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

  const ask = visits.signedIn(async (visit, request, response) => {
    const { client_id: clientId = "", request_uri: requestUri = "" } = parametersOf(request);
    const found = await authorizations.describe(requestUri, clientId, userOf(visit, request));
    // Browsers apply form-action to the redirect that answers a form, too.
    response.setHeader("Content-Security-Policy", pagePolicy(formTargets(found.redirectUri)));
    const planName = nameOfPlan(visit.signedIn.account.plan);
    const page = found.signInAgain ? SignInAgainPage : ConsentPage;
    sendPage(response, 200, page({ visit, planName, request: found, requestUri }));
  });

  /** Lets a request wait, and redirects to where the person is asked. */
  async function begin(
    parameters: Record<string, string>,
    request: Request,
    response: Response,
  ): Promise<void> {
    const { client_id: clientId = "", request_uri: pushed } = parameters;
    if (pushed !== undefined) return seeOther(response, waitingPath(clientId, pushed));
    const begun = await authorizations.begin(parameters, subjectOf(visits.visitor(request).address));
    if ("requestUri" in begun) return seeOther(response, waitingPath(clientId, begun.requestUri));
    if (begun.mayRedirectWithoutConsent) return seeOther(response, begun.redirect);
    sendPage(response, 400, RefusedRequestPage({ reason: begun.reason, back: begun }));
  }

  serve(CONSENT_PATH, {
    get: async (request, response, next) => {
      try {
        const parameters = parametersOf(request);
        if ("request_uri" in parameters) return await ask(request, response, next);
        await begin(parameters, request, response);
      } catch (error) {
        refuse(error, response);
      }
    },
    isIdempotent: true,
    // OpenID Connect Core §3.1.2.1: requests also come by POST, from applications' own sites.
    foreign: async (request, response, next) => {
      const form: URLSearchParams = request.body;
      const isDecision = form.has(TOKEN_FIELD) || form.has("decision");
      if (isDecision || !form.has("client_id")) return next();
      try {
        await begin(withoutEmpty(form), request, response);
      } catch (error) {
        refuse(error, response);
      }
    },
    post: visits.signedIn(async (visit, request, response) => {
      const form: URLSearchParams = request.body;
      const { client_id: clientId = "", request_uri: requestUri = "", decision } = Object.fromEntries(form);
      if (decision !== "approve" && decision !== "deny") {
        throw new Problem("invalid_request", "The form holds no decision. Choose Allow or Deny.");
      }
      try {
        const user = userOf(visit, request);
        const { redirect } = await authorizations.decide(requestUri, clientId, decision, user);
        seeOther(response, redirect);
      } catch (error) {
        refuse(error, response);
      }
    }, pathOfForm),
  });

  function userOf({ signedIn, by }: SignedInVisit, request: Request): ConsentingUser {
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

/** Shows an OAuth error to the person only: neither the client nor the redirect URI is verified. */
function refuse(error: unknown, response: Response): void {
  if (error instanceof OAuthError) {
    // A 401 needs an HTTP authentication scheme, for which browsers would prompt.
    const status = error.status === 401 ? 400 : error.status;
    for (const [name, value] of Object.entries(error.extras.headers ?? {})) {
      if (name !== "WWW-Authenticate") response.setHeader(name, value);
    }
    sendPage(response, status, RefusedRequestPage({ reason: error.description }));
  } else if (error instanceof Problem && error.error === "not_found") {
    sendPage(response, 404, RefusedRequestPage({ reason: error.detail }));
  } else throw error;
}

function parametersOf({ originalUrl }: Request): Record<string, string> {
  const query = new URL(originalUrl, "http://here.invalid").searchParams;
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
function pathOfForm(request: Request): string {
  const form: URLSearchParams = request.body;
  return waitingPath(form.get("client_id") ?? "", form.get("request_uri") ?? "");
}

/** Returns the form targets as schemes, since the redirect target may redirect the browser further. */
function formTargets(redirectUri: string): string {
  return [...new Set([new URL(redirectUri).protocol, "https:"])].join(" ");
}
