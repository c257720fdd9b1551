import type { ErrorRequestHandler, RequestHandler, Router } from "express";
import { Problem } from "../contract/problem.ts";
import { errorPage } from "./error-page.tsx";
import type { FormReader } from "./forms.ts";

/**
 * Puts a page under its path: with the headers of all pages, forms read, other methods refused.
 * @param impersonated the method that is there for an operator who is signed in as somebody else; none unless given.
 */
export type ServePage = (
  path: string,
  methods: {
    get?: RequestHandler;
    post?: RequestHandler;
    /** Answers what is wrong with a form before it is looked at. */
    unread?: ErrorRequestHandler;
  },
  impersonated?: "GET" | "POST",
) => void;

/** @param onlyThemselves refuses an operator who is signed in as somebody else. */
export function createServePage(
  router: Router,
  {
    headers,
    readForm,
    onlyThemselves,
  }: {
    headers: RequestHandler;
    readForm: FormReader;
    onlyThemselves: RequestHandler;
  },
): ServePage {
  return (path, { get, post, unread }, impersonated) => {
    const route = router.route(path).all(headers);
    if (get) route.get(...(impersonated === "GET" ? [get] : [onlyThemselves, get]));
    if (post)
      route.post(
        readForm,
        ...(unread ? [unread] : []),
        ...(impersonated === "POST" ? [post] : [onlyThemselves, post]),
      );
    route.all(onlyMethods([...(get ? ["GET", "HEAD"] : []), ...(post ? ["POST"] : [])].join(", ")));
  };
}

function onlyMethods(allow: string): RequestHandler {
  return ({ method }) => {
    throw new Problem("method_not_allowed", `This page does not take ${method}; it takes ${allow}.`, {
      headers: { Allow: allow },
    });
  };
}

/** Problems as pages. What is none is for the server to record. */
export const showProblem: ErrorRequestHandler = (error, _request, response, next) => {
  if (!(error instanceof Problem) || response.headersSent) return next(error);
  response.set(error.extras.headers ?? {});
  response
    .status(error.status)
    .type("html")
    .send(errorPage(error, undefined, response.locals.visit));
};
