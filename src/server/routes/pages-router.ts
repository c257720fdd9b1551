import type { IncomingMessage } from "node:http";
import { type ErrorRequestHandler, type RequestHandler, Router } from "express";
import { Problem } from "../../contract/problem.ts";
import { type PageRoute, type Serve, withCookie } from "../../web/page.ts";
import { type Answer, send } from "../pipeline/answer.ts";
import type { Exchange } from "../pipeline/exchange.ts";
import { ExchangeRequest } from "./page-request.ts";

/**
 * Creates the router of pages. It is called on Node's own request and response: an app of Express would replace the
 * prototypes of both, which makes a page a third dearer (`npm run bench -- oauth`).
 *
 * @param limit counts the requests that the kernel has not counted.
 * @param failed returns the answer to anything that was thrown and no page shows.
 */
export function pagesRouter({
  pages,
  limit,
  exchangeOf,
  failed,
}: {
  pages: readonly PageRoute[];
  limit: RequestHandler;
  exchangeOf: (req: IncomingMessage) => Exchange;
  failed: (exchange: Exchange, error: unknown) => Answer;
}): Router {
  const router = Router();
  router.use(limit);
  for (const { path, get, post, otherwise } of pages) {
    const route = router.route(path);
    if (get) route.get(handling(get));
    if (post) route.post(handling(post));
    route.all(handling(otherwise));
  }
  const refused: ErrorRequestHandler = (error, req, _res, _next) => {
    const exchange = exchangeOf(req);
    return send(exchange, failed(exchange, error instanceof URIError ? notEncoded() : error));
  };
  router.use(refused);
  return router;

  function handling(serve: Serve): RequestHandler {
    return async (req) => {
      const exchange = exchangeOf(req);
      const request = new ExchangeRequest(exchange, req.params as Record<string, string>);
      try {
        await send(exchange, await serve(request));
      } catch (error) {
        await send(exchange, withCookie(request, failed(exchange, error)));
      }
    };
  }
}

function notEncoded(): Problem {
  return new Problem(
    "invalid_request",
    'The address of this page holds a "%" that encodes no character of UTF-8. For a "%" itself, write %25.',
  );
}

/** Asks the routes of Express itself, which match in any case, with parameters, and with a slash at the end. */
export function hasPage({ stack }: Router, path: string): boolean {
  return (stack as unknown as RouteLayer[]).some((layer) => {
    try {
      return layer.route !== undefined && layer.match(path);
    } catch {
      // A parameter that cannot be decoded, which is refused there.
      return true;
    }
  });
}

/** What the types of Express leave out. */
interface RouteLayer {
  route?: unknown;
  match(path: string): boolean;
}
