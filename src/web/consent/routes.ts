import type { Request, Response } from "express";
import { OAuthError, Problem } from "../../contract/problem.ts";
import type { Authorizations, ConsentingUser } from "../../oauth/authorization/authorizations.ts";
import { sendPage } from "../layout.tsx";
import { pagePolicy } from "../page-headers.ts";
import type { ServePage } from "../serve-page.ts";
import type { SignedInVisit, Visits } from "../visit.ts";
import { CONSENT_PATH, ConsentPage, RefusedRequestPage, SignInAgainPage } from "./pages.tsx";

/**
 * The authorization endpoint (RFC 6749 §3.1). A request that is in order waits under a `request_uri` of its own, as
 * a pushed one does (RFC 9126), so that signing in first needs to carry no more than that. Nothing is decided on GET.
 */
export function consentRoutes(parts: {
  authorizations: Pick<Authorizations, "begin" | "describe" | "decide">;
  /** What an address is counted by. */
  subjectOf: (address: string) => string;
  serve: ServePage;
  visits: Visits;
}): void {
  const { authorizations, subjectOf, serve, visits } = parts;

  const ask = visits.signedIn(async (visit, request, response) => {
    const { client_id: clientId = "", request_uri: requestUri = "" } = parametersOf(request);
    const found = await authorizations.describe(requestUri, clientId, userOf(visit, request));
    // A browser applies form-action to where the answer of a form leads, too.
    response.setHeader("Content-Security-Policy", pagePolicy(formTargets(found.redirectUri)));
    const page = found.signInAgain ? SignInAgainPage : ConsentPage;
    sendPage(response, 200, page({ visit, request: found, requestUri }));
  });

  serve(CONSENT_PATH, {
    get: async (request, response, next) => {
      try {
        const parameters = parametersOf(request);
        if ("request_uri" in parameters) return await ask(request, response, next);
        const begun = await authorizations.begin(parameters, subjectOf(visits.visitor(request).address));
        if ("redirect" in begun) {
          if (begun.unasked) return response.redirect(303, begun.redirect);
          return sendPage(response, 400, RefusedRequestPage({ reason: begun.reason, back: begun }));
        }
        const waiting = { client_id: parameters.client_id ?? "", request_uri: begun.requestUri };
        response.redirect(303, `${CONSENT_PATH}?${new URLSearchParams(waiting)}`);
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
        response.redirect(303, redirect);
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

/** Neither client nor redirect URI are known to be right, so that the person alone is told. */
function refuse(error: unknown, response: Response): void {
  if (error instanceof OAuthError) {
    // 401 would have to name an HTTP scheme, which no browser is to be asked by.
    const status = error.status === 401 ? 400 : error.status;
    for (const [name, value] of Object.entries(error.extras.headers ?? {})) {
      if (name !== "WWW-Authenticate") response.setHeader(name, value);
    }
    sendPage(response, status, RefusedRequestPage({ reason: error.description }));
  } else if (error instanceof Problem && error.error === "not_found") {
    sendPage(response, 404, RefusedRequestPage({ reason: error.detail }));
  } else throw error;
}

/** RFC 6749 §3.1: none may come twice. */
function parametersOf({ originalUrl }: Request): Record<string, string> {
  const query = new URL(originalUrl, "http://here.invalid").searchParams;
  const parameters: Record<string, string> = Object.create(null);
  for (const [name, value] of query) {
    if (name in parameters) {
      throw new OAuthError("invalid_request", `The parameter ${name.slice(0, 64)} was sent twice.`);
    }
    parameters[name] = value;
  }
  return parameters;
}

/** The page that a form was about, for those who must sign in first. */
function pathOfForm(request: Request): string {
  const form: URLSearchParams = request.body;
  const waiting = {
    client_id: form.get("client_id") ?? "",
    request_uri: form.get("request_uri") ?? "",
  };
  return `${CONSENT_PATH}?${new URLSearchParams(waiting)}`;
}

/** By scheme: whoever is sent back to may send the browser on. */
function formTargets(redirectUri: string): string {
  return [...new Set([new URL(redirectUri).protocol, "https:"])].join(" ");
}
