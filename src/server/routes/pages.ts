import type { Router as ExpressRouter } from "express";
import { exportLines } from "../../accounts/export/pages.ts";
import { nameOfPlan } from "../../accounts/plan.ts";
import type { Windows } from "../../metering/limits/windows.ts";
import { type Catalogue, serviceNameIn } from "../../metering/plans.ts";
import type { Clock } from "../../system/clock.ts";
import type { Log } from "../../system/log.ts";
import { allPages } from "../../web/all-pages.ts";
import type { BrowserCookie } from "../../web/browser-cookie.ts";
import { createFirstSteps } from "../../web/console/first-steps.tsx";
import { createFreshness } from "../../web/console/frame/freshness.ts";
import type { Projects } from "../../web/console/frame/projects.tsx";
import { pageHeaders } from "../../web/page-headers.ts";
import type { ApiDocument } from "../../web/reference/document.ts";
import type { ApiHandlers } from "../api-handlers.ts";
import { upstreamPath } from "../gateway/upstream-path.ts";
import { innerRequests } from "../operations/inner-request.ts";
import { subjectOf } from "../pipeline/client-address.ts";
import type { LimitEnforcer } from "../pipeline/enforce-limits.ts";
import type { Exchange } from "../pipeline/exchange.ts";
import type { Failure } from "../pipeline/failure.ts";
import type { Bodies } from "../pipeline/request-body.ts";
import type { Route } from "../pipeline/route.ts";
import type { Router } from "../pipeline/router.ts";
import type { Services } from "../services.ts";
import { consoleSections } from "./console.ts";
import { hasPage, pagesRouter } from "./pages-router.ts";
import { tryOut } from "./try-out.ts";

export interface PagesPorts {
  services: Services;
  handlers: ApiHandlers["handlers"];
  enforcer: LimitEnforcer;
  failure: Failure;
  bodies: Pick<Bodies, "read">;
  cookie: BrowserCookie;
  clock: Clock;
  log: Log;
  baseUrl: () => string;
  verificationUrl: () => string;
  catalogue: Pick<Catalogue, "name">;
  openApi: () => Record<string, unknown>;
  /** The API's routes, for requests that are tried out on a page. */
  routes: Pick<Router<Route>, "find">;
  windows: Windows;
}

export interface Pages {
  handle: ExpressRouter;
  /** Whether there is a page or an asset at a path. */
  has(path: string): boolean;
  /** Ends the streams of the browsers that follow a page. */
  endStreams(): void;
}

/** Creates the pages for people, which Express routes behind the kernel. */
export function createPages(ports: PagesPorts): Pages {
  const { services, enforcer, failure, bodies, cookie, clock, log, baseUrl, verificationUrl } = ports;
  const freshness = createFreshness(clock);
  const headers = pageHeaders(() => baseUrl().startsWith("https:"));
  const projectsOf: Projects = async ({ account }) =>
    (await services.projects.list(account.id, { limit: 200 })).items;
  const pages = allPages({
    signIn: services.signIn,
    linkMail: services.linkMail,
    providerSignIn: services.providerSignIn,
    offered: services.offered,
    passkeys: services.passkeys,
    ownData({ by, signedIn }) {
      const within = signedIn.person.memberships.map(({ accountId }) => accountId);
      return exportLines((cursor) => services.exports.own(by, within, cursor));
    },
    signUpByPasskey: services.newcomers.admits(undefined),
    signUp: services.newcomers.admitSome,
    devices: services.devices,
    authorizations: services.authorizations,
    subjectOf,
    connectable(name) {
      const found = services.upstreams.find((upstream) => upstream.name === name);
      return found && { ...found, url: baseUrl() + upstreamPath(name) };
    },
    reference: {
      document: () => ports.openApi() as unknown as ApiDocument,
      tryOut: tryOut(innerRequests(ports)),
    },
    freshness,
    sections: consoleSections({ services, handlers: ports.handlers, projectsOf, baseUrl, clock }),
    firstSteps: createFirstSteps({
      usage: services.usageViews,
      devices: services.signedInDevices,
      apiKeys: services.apiKeys,
      users: services.users,
    }),
    projects: projectsOf,
    nameOfPlan: (plan) => nameOfPlan(services.plans, plan),
    cookie,
    headers,
    serviceName: serviceNameIn(ports.catalogue),
    readBody: ({ exchange }, most) => bodies.read(exchangeOf(exchange), most),
    baseUrl,
    verificationUrl,
    clock,
    log,
  });
  const router = pagesRouter({
    pages,
    limit: enforcer.middleware,
    exchangeOf: ({ exchange }) => exchangeOf(exchange),
    failed(exchange, error) {
      const answer = failure(exchange, error);
      return { ...answer, headers: { ...headers(), ...answer.headers } };
    },
  });
  return { handle: router, has: (path) => hasPage(router, path), endStreams: freshness.stop };
}

function exchangeOf(exchange: Exchange | undefined): Exchange {
  if (!exchange) throw new Error("the pages are mounted without the kernel before them");
  return exchange;
}
