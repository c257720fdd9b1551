import type { ErrorRequestHandler, RequestHandler, Router } from "express";
import { Problem } from "../contract/problem.ts";
import { errorPage } from "./error-page.tsx";
import type { FormReader } from "./forms.ts";

/**
 * Serves a page at a path: sets the headers of all pages, parses forms and refuses other methods.
 *
 * @param impersonated the method that an operator may use while impersonating a user; none by default.
 */
export type ServePage = (
  path: string,
  methods: {
    get?: RequestHandler;
    post?: RequestHandler;
    /** Handles a form of another site, and passes forms of these pages on; by default all others are refused. */
    foreign?: RequestHandler;
    /** Whether a form that is sent twice has one effect by itself, on whichever instance. */
    isIdempotent?: boolean;
    /** Handles the errors of a form that could not be read. */
    unread?: ErrorRequestHandler;
  },
  impersonated?: "GET" | "POST",
) => void;

/**
 * @param once answers a form that is sent twice once.
 * @param onlyThemselves refuses an operator who impersonates a user.
 */
export function createServePage(
  router: Router,
  {
    headers,
    form,
    once,
    onlyThemselves,
  }: {
    headers: RequestHandler;
    form: FormReader;
    once: RequestHandler;
    onlyThemselves: RequestHandler;
  },
): ServePage {
  return (path, { get, post, foreign, isIdempotent, unread }, impersonated) => {
    const route = router.route(path).all(headers, withoutNul);
    if (get) route.get(...(impersonated === "GET" ? [get] : [onlyThemselves, get]));
    if (post)
      route.post(
        form.parse,
        ...(foreign ? [foreign] : []),
        // Before the check: the answer to the first one may have replaced the cookie.
        ...(isIdempotent ? [] : [once]),
        form.check,
        ...(unread ? [unread] : []),
        ...(impersonated === "POST" ? [post] : [onlyThemselves, post]),
      );
    route.all(onlyMethods([...(get ? ["GET", "HEAD"] : []), ...(post ? ["POST"] : [])].join(", ")));
  };
}

/** Refuses addresses with NUL, since pages look up what the address names, and PostgreSQL cannot be asked for NUL. */
const withoutNul: RequestHandler = ({ originalUrl }, _response, next) => {
  if (originalUrl.includes("%00")) {
    throw new Problem(
      "invalid_request",
      "The address of this page holds a NUL character (%00). Take it out.",
    );
  }
  next();
};

function onlyMethods(allow: string): RequestHandler {
  return ({ method }) => {
    throw new Problem("method_not_allowed", `This page does not take ${method}; it takes ${allow}.`, {
      headers: { Allow: allow },
    });
  };
}

/** Shows a `Problem` as a page. Passes any other error on to the server, which records it. */
export const showProblem: ErrorRequestHandler = (error, _request, response, next) => {
  if (!(error instanceof Problem) || response.headersSent) return next(error);
  response.set(error.extras.headers ?? {});
  response
    .status(error.status)
    .type("html")
    .send(errorPage(error, { serviceName: response.locals.serviceName, visit: response.locals.visit }));
};
