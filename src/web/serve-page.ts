import type { ErrorRequestHandler, RequestHandler, Router } from "express";
import { Problem } from "../contract/problem.ts";
import { errorPage } from "./error-page.tsx";
import type { FormReader } from "./forms.ts";

/** Puts a page under its path: with the headers of all pages, forms read, other methods refused. */
export type ServePage = (path: string, methods: { get?: RequestHandler; post?: RequestHandler }) => void;

export function createServePage(router: Router, headers: RequestHandler, readForm: FormReader): ServePage {
  return (path, { get, post }) => {
    const route = router.route(path).all(headers);
    if (get) route.get(get);
    if (post) route.post(readForm, post);
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
  response.status(error.status).type("html").send(errorPage(error));
};
