import express, { type ErrorRequestHandler, type Express, type RequestHandler } from "express";
import type { Clock } from "../../system/clock.ts";
import type { Log } from "../../system/log.ts";
import type { BrowserCookie } from "../../web/browser-cookie.ts";
import { pagesRouter } from "../../web/pages-router.ts";
import { upstreamPath } from "../gateway/upstream-path.ts";
import { commonHeaders, send } from "../pipeline/answer.ts";
import { type AddressOf, subjectOf } from "../pipeline/client-address.ts";
import type { LimitEnforcer } from "../pipeline/enforce-limits.ts";
import type { Failure } from "../pipeline/failure.ts";
import { inPairs } from "../pipeline/raw-answer.ts";
import type { Services } from "../services.ts";
import { consoleSections } from "./console.ts";
import { referencePages } from "./reference-pages.ts";

export interface PagesPorts {
  services: Services;
  enforcer: LimitEnforcer;
  failure: Failure;
  cookie: BrowserCookie;
  addressOf: AddressOf;
  clock: Clock;
  log: Log;
  baseUrl: () => string;
  verificationUrl: () => string;
}

/** What people see, behind the kernel, in Express. */
export function createPages(ports: PagesPorts): Express {
  const { services, enforcer, failure, addressOf, cookie, clock, log, baseUrl, verificationUrl } = ports;
  const pages = express();
  pages.disable("x-powered-by").disable("etag");
  pages.use(enforcer.middleware, headersOfKernel);
  pages.use(referencePages());
  pages.use(
    pagesRouter({
      signIn: services.signIn,
      linkMail: services.linkMail,
      providerSignIn: services.providerSignIn,
      offered: services.offered,
      passkeys: services.passkeys,
      signUpByPasskey: services.newcomers.admits(undefined),
      signUp: services.newcomers.admitSome,
      devices: services.devices,
      authorizations: services.authorizations,
      subjectOf,
      connectable(name) {
        const found = services.upstreams.find((upstream) => upstream.name === name);
        return found && { ...found, url: baseUrl() + upstreamPath(name) };
      },
      sections: consoleSections({ services, baseUrl }),
      projects: async ({ account }) => (await services.projects.list(account.id, { limit: 200 })).items,
      cookie,
      baseUrl,
      verificationUrl,
      addressOf: (request) => request.exchange?.address ?? addressOf(request),
      clock,
      log,
    }),
  );
  pages.use(pageFailed(failure));
  return pages;
}

/** What the kernel found out stands on the pages' answers too. */
const headersOfKernel: RequestHandler = (req, res, next) => {
  if (!req.exchange) return next(new Error("the pages are mounted without the kernel before them"));
  for (const [name, value] of inPairs(commonHeaders(req.exchange))) res.setHeader(name, value);
  next();
};

function pageFailed(failure: Failure): ErrorRequestHandler {
  return (error, { exchange }, res, next) => {
    if (res.headersSent || !exchange) return next(error);
    void send(exchange, failure(exchange, error));
  };
}
